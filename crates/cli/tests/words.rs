//! The word tools as a user runs them: output, exit codes, hostile input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn isotherm(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // the program may end before it has read everything
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Exit code, standard output, standard error.
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let out = isotherm(args, input);
    (
        out.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&out.stdout).into_owned(),
        String::from_utf8_lossy(&out.stderr).into_owned(),
    )
}

#[test]
fn explains_by_name_id_address_and_method() {
    for word in ["RASTER", "0x64", "0x401990"] {
        let (code, out, _) = run(&["explain", "nv25", word, "0x20600084"], b"");
        assert_eq!(code, 0);
        assert!(
            out.contains("FRONT_AND_BACK") && out.contains("Z_FORMAT"),
            "{out}"
        );
    }
    let (_, out, _) = run(&["explain", "nv20", "97:0x1e60", "0x10008"], b"");
    assert!(
        out.contains("NUM_COMBINERS") && out.contains("EACH_STAGE"),
        "{out}"
    );
    let (_, out, _) = run(
        &["explain", "kelvin", "xfmode", "5", "0x80000000", "0", "1"],
        b"",
    );
    assert!(
        out.contains("LIGHT_MODE_1") && out.contains("LIGHTING_ENABLE"),
        "{out}"
    );
    let (_, out, _) = run(&["explain", "nv10", "RASTER", "0x30"], b"");
    assert!(out.contains("nv10 does not have them"), "{out}");
    let (_, out, _) = run(&["explain", "nv20", "BLEND", "0x7"], b"");
    assert!(
        out.contains("not valid on nv20: UNKF007 is [NV25:]"),
        "{out}"
    );
    let (code, out, _) = run(&["explain", "nv25", "TEX_FILTER", "0", "1", "--json"], b"");
    assert_eq!(code, 0);
    assert!(
        out.contains("isotherm-words-1") && out.contains("TEX_FILTER[1]"),
        "{out}"
    );
}

#[test]
fn bad_use_ends_in_two_and_says_what_would_do() {
    let cases: &[(&[&str], &str)] = &[
        (&["explain", "nv99", "RASTER", "0"], "mali450"),
        (&["explain", "nv25", "RASTRE", "0"], "RASTER"),
        (&["explain", "nv25", "RASTER", "zz"], "0x20600084"),
        (&["explain", "mali400", "rsw", "1", "2"], "16 words"),
        (
            &["encode", "nv25", "RASTER", "CULL_FACE=UP"],
            "FRONT_AND_BACK",
        ),
        (
            &["encode", "nv25", "RASTER", "POLYGON_STIPPLE_ENABLE=1"],
            "[NV20:NV25]",
        ),
        (
            &["encode", "mali400", "rsw", "RSW_DEPTH.NOTHING=1"],
            "DEPTH_FUNC",
        ),
        (&["regs", "nv25", "no such thing"], "nothing matches"),
        (&["diff", "RASTER:1", "RASTER:2"], "--chip"),
        (&["convert", "rsw2nv", "1"], "16 words"),
        (&["explain"], "Usage"),
    ];
    for (args, expected) in cases {
        let (code, out, err) = run(args, b"");
        assert_eq!(code, 2, "{args:?} {out} {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}

#[test]
fn bare_digits_are_hexadecimal_everywhere() {
    let first = |args: &[&str]| {
        let (code, out, err) = run(args, b"RASTER 20600084\n");
        assert_eq!(code, 0, "{args:?} {err}");
        out
    };
    let explained = first(&["explain", "nv2a", "RASTER", "20600084"]);
    assert!(explained.contains("= 0x20600084"), "{explained}");
    assert_eq!(
        explained,
        first(&["explain", "nv2a", "RASTER", "0x20600084"])
    );
    assert_eq!(explained, first(&["explain", "nv2a", "64", "20600084"]));
    assert!(first(&["decode", "nv2a"]).contains("0x20600084"));
    let (code, out, _) = run(&["diff", "-c", "nv2a", "RASTER:10", "RASTER:0x10"], b"");
    assert_eq!((code, out.as_str()), (0, ""));
    let mut rsw = vec!["convert", "rsw2nv"];
    rsw.extend(["10"; 16]);
    let mut same = vec!["convert", "rsw2nv"];
    same.extend(["0x10"; 16]);
    assert_eq!(first(&rsw), first(&same));
}

#[test]
fn other_peoples_names_are_understood_and_shown() {
    for (chip, theirs, ours) in [
        (
            "xbox",
            "NV097_SET_BLEND_ENABLE",
            "97:0304 BLEND_FUNC_ENABLE",
        ),
        ("xbox", "NV_PGRAPH_BLEND", "BLEND = 0x00000001"),
        ("nv2a", "0xfd401804", "BLEND = 0x00000001"),
        ("ps3", "NV40_3D_BLEND_FUNC_ENABLE", "4097:0310"),
        ("fx5200", "NV30_3D_BLEND_FUNC_ENABLE", "697:0310"),
    ] {
        let (code, out, err) = run(&["explain", chip, theirs, "1", "--names"], b"");
        assert_eq!(code, 0, "{err}");
        assert!(
            out.contains(ours) && out.contains(theirs),
            "{theirs}: {out}"
        );
        let (code, out, err) = run(&["encode", chip, theirs], b"");
        assert_eq!((code, out.trim()), (0, "0x00000000"), "{err}");
        let (code, ..) = run(&["regs", chip, theirs], b"");
        assert_eq!(code, 0, "{theirs}");
    }
    let (code, out, _) = run(
        &["decode", "xbox"],
        b"NV097_SET_BLEND_ENABLE 1\nfd401804 1\n",
    );
    assert_eq!(code, 0);
    assert!(out.contains("97:0304") && out.contains("BLEND[0]"), "{out}");
    let (code, out, _) = run(&["regs", "nv20", "LTCTX"], b"");
    assert_eq!(code, 0);
    let row = out.split_whitespace().next().unwrap().to_string();
    assert!(row.starts_with("LTCTX["), "{out}");
    assert_eq!(run(&["explain", "nv20", &row, "0"], b"").0, 0, "{row}");
    for (args, meant) in [
        (["explain", "xbxo", "BLEND", "0"], "xbox"),
        (
            ["explain", "xbox", "NV097_SET_BLEND_ENABEL", "0"],
            "NV097_SET_BLEND_ENABLE",
        ),
        (["explain", "xbox", "BLEND_COLRO", "0"], "BLEND_COLOR"),
    ] {
        let (code, _, err) = run(&args, b"");
        assert_eq!(code, 2);
        assert!(err.contains(meant), "{err}");
    }
}

#[test]
fn encodes() {
    let (code, out, _) = run(
        &[
            "encode",
            "nv25",
            "RASTER",
            "CULL_FACE=BACK",
            "LINE_WIDTH=1.5",
        ],
        b"",
    );
    assert_eq!((code, out.trim()), (0, "0x0040c000"));
    let (_, out, _) = run(
        &[
            "encode",
            "mali400",
            "texture",
            "TEX_WIDTH=640",
            "TEX_DESC3.HEIGHT=480",
        ],
        b"",
    );
    let words: Vec<_> = out.split_whitespace().collect();
    assert_eq!(words.len(), 16);
    assert_eq!((words[2], words[3]), ("0xa0000000", "0x00000f00"));
}

#[test]
fn decodes_what_it_wrote() {
    let dump = b"RASTER 20600084\nTEX_FILTER[2] 06021001\n97:1e60 8\nxfctx[0x28] 0 0 0 3f800000\nxfmode 1 2 3 4\n";
    let (code, text, err) = run(&["decode", "nv25"], dump);
    assert_eq!(code, 0, "{err}");
    assert!(text.contains("# POLYGON_MODE_BACK=POINT"), "{text}");
    let (code, again, _) = run(&["decode", "nv25"], text.as_bytes());
    assert_eq!((code, &again), (0, &text));
    let (code, json, _) = run(&["decode", "nv25", "--json"], dump);
    assert_eq!(code, 0);
    let (code, from_json, err) = run(&["decode", "nv25"], json.as_bytes());
    assert_eq!((code, &from_json), (0, &text), "{err}");
    let raw: Vec<u8> = [0x0008_0300u32, 1, 0]
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    let (_, out, _) = run(&["decode", "nv20"], &raw);
    assert!(
        out.contains("97:0304 0x00000000  # BLEND_FUNC_ENABLE"),
        "{out}"
    );
}

#[test]
fn bad_data_ends_in_two_with_a_place() {
    let long = vec![b'7'; 300_000];
    let cases: &[(&[&str], &[u8], &str)] = &[
        (
            &["decode", "nv25"],
            b"RASTER 1\nRASTER\n",
            "standard input: line 2: RASTER has no value",
        ),
        (&["decode", "nv25"], b"RASTER one\n", "hexadecimal"),
        (&["decode", "nv25"], &long, "longer than"),
        (&["decode", "nv25", "--form", "raw"], b"123", "3 bytes"),
        (&["decode", "nv25", "--of", "RASTER"], b"12345", "1 bytes"),
        (
            &["decode", "mali400", "--form", "raw"],
            &[0; 60],
            "RSW has 16 words",
        ),
        (&["decode", "nv25"], b"{\"RASTER\":", "number was expected"),
        (&["decode", "nv25", "/no/such/file"], b"", "/no/such/file"),
    ];
    for (args, input, expected) in cases {
        let (code, _, err) = run(args, input);
        assert_eq!(code, 2, "{args:?} {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{err}");
    }
}

#[test]
fn differences() {
    let (code, out, _) = run(
        &[
            "diff",
            "-c",
            "nv25",
            "RASTER:0x20600084",
            "RASTER:0x20600085",
        ],
        b"",
    );
    assert_eq!(
        (code, out.trim()),
        (1, "RASTER.POLYGON_MODE_FRONT: FILL -> POINT")
    );
    let (code, out, _) = run(&["diff", "-c", "nv25", "RASTER:1", "RASTER:1"], b"");
    assert_eq!((code, out.as_str()), (0, ""));
    let folder = std::env::temp_dir().join(format!("isotherm-words-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (a, b) = (folder.join("a.txt"), folder.join("b.json"));
    std::fs::write(&a, "chip nv25\nRASTER 1\nFOG_COLOR 5\n").unwrap();
    std::fs::write(&b, r#"{"chip":"nv25","RASTER":"2"}"#).unwrap();
    let (code, out, err) = run(&["diff", a.to_str().unwrap(), b.to_str().unwrap()], b"");
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(code, 1, "{err}");
    assert!(
        out.contains("RASTER.POLYGON_MODE_FRONT: POINT -> LINE"),
        "{out}"
    );
    assert!(out.contains("FOG_COLOR: B=5 -> absent"), "{out}");
}

#[test]
fn searches_and_converts() {
    let (code, out, _) = run(&["regs", "nv25", "stipple"], b"");
    assert_eq!(code, 0);
    assert!(
        out.contains("LINE_STIPPLE") && out.contains("597:1478"),
        "{out}"
    );
    let (_, out, _) = run(&["regs", "LIGHT_0_POSITION"], b"");
    assert!(out.contains("XFCTX"), "{out}");
    let rsw = [
        "0",
        "0",
        "0xfc3b1ad2",
        "0x3e",
        "0xffff0000",
        "7",
        "7",
        "0xffff",
        "0xf807",
        "0",
        "0",
        "0",
        "0",
        "0",
        "0x3000",
        "0",
    ];
    let mut args = vec!["convert", "rsw2nv"];
    args.extend(rsw);
    let (code, nv, _) = run(&args, b"");
    assert_eq!(code, 0);
    assert!(nv.contains("CONFIG_A 0x3e470700"), "{nv}");
    let (code, back, err) = run(&["convert", "nv2rsw"], nv.as_bytes());
    assert_eq!(code, 0, "{err}");
    assert!(back.contains("0xfc3b1ad2"), "{back}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(["regs", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert!(
        out.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
}
