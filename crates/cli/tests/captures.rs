//! The commands that look into captures: why, compare, dump, diff, edit, lint, pixel. The
//! captures are the project's own scenes, and those with a word changed.

mod common;

use common::{folder, path, run, run_with, scene};
use serde_json::Value;
use std::path::Path;

/// A scene whose first draw has other words.
fn changed(folder: &Path, capture: &str, name: &str, words: &[&str]) -> String {
    let out = path(folder, name);
    let mut args = vec!["edit", capture, "--draw", "1", "-o", &out];
    words.iter().for_each(|word| args.extend(["--set", *word]));
    run(&args).expect(0);
    out
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// The first reason of the first draw.
fn why(capture: &str) -> (String, String) {
    let text = run(&["why", capture, "--draw", "1", "--json"]).expect(0);
    let line = json_lines(&text).remove(0);
    let reason = &line["reasons"][0];
    let part = |key: &str| reason[key].as_str().unwrap_or("").to_string();
    let words: Vec<String> = reason["words"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|word| word["register"].as_str().unwrap_or("").to_string())
        .collect();
    (
        format!("{} {}", part("unit"), part("text")),
        words.join(" "),
    )
}

#[test]
fn why_names_what_stops_a_draw_and_the_word() {
    let folder = folder("why");
    let capture = scene(&folder, "prim-triangles");
    let text = run(&["why", &capture, "--draw", "1"]).expect(0);
    assert!(
        text.contains("draw 1: triangles") && text.contains("changes"),
        "{text}"
    );
    let cases: &[(&[&str], &str, &str)] = &[
        (
            &["NV097_SET_CULL_FACE_ENABLE=1", "NV097_SET_CULL_FACE=408"],
            "culled",
            "RASTER",
        ),
        (&["NV097_SET_COLOR_MASK=0"], "masks", "CONFIG_A"),
        (
            &["NV097_SET_ALPHA_TEST_ENABLE=1", "NV097_SET_ALPHA_FUNC=200"],
            "alpha test fails",
            "CONFIG_A",
        ),
        (
            &["NV097_SET_DEPTH_TEST_ENABLE=1", "NV097_SET_DEPTH_FUNC=200"],
            "depth test fails",
            "CONFIG_A",
        ),
        (
            &[
                "NV097_SET_STENCIL_TEST_ENABLE=1",
                "NV097_SET_STENCIL_FUNC=200",
            ],
            "stencil test fails",
            "STENCIL_A",
        ),
        (
            &[
                "NV097_SET_SURFACE_CLIP_HORIZONTAL=1000f0",
                "NV097_SET_SURFACE_CLIP_VERTICAL=100000",
            ],
            "surface clip",
            "CLIP_HV",
        ),
    ];
    for (words, reason, register) in cases {
        let broken = changed(&folder, &capture, "broken.cap", words);
        let (text, registers) = why(&broken);
        assert!(text.contains(reason), "{words:?}: {text}");
        assert!(registers.contains(register), "{words:?}: {registers}");
    }
    assert_eq!(run(&["why", &capture, "--draw", "999"]).code, 2);
}

#[test]
fn compare_counts_pixels_and_finds_the_draw() {
    let folder = folder("compare");
    let capture = scene(&folder, "blend-add");
    let (png, early) = (path(&folder, "all.png"), path(&folder, "early.png"));
    run(&["replay", &capture, "-o", &png]).expect(0);
    run(&["replay", &capture, "--until-draw", "1", "-o", &early]).expect(0);
    assert!(
        run(&["compare", &capture, &png])
            .expect(0)
            .contains("equal")
    );
    let diff = path(&folder, "diff.png");
    let text = run(&["compare", &capture, &early, "-o", &diff]).expect(1);
    assert!(
        text.contains("different") && text.contains("worst pixel"),
        "{text}"
    );
    assert!(
        text.contains("had not been drawn") && text.contains("end "),
        "{text}"
    );
    assert!(Path::new(&diff).is_file());
    let value: Value =
        serde_json::from_str(&run(&["compare", &capture, &early, "--json"]).expect(1))
            .expect("JSON");
    assert!(
        value["draw"].as_u64().is_some_and(|draw| draw > 1),
        "{value}"
    );
    assert!(value["count"]["different"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(
        run(&["compare", &capture, &early, "--tolerance", "255"]).code,
        0
    );
    assert_eq!(run(&["compare", &capture, &capture]).code, 2);
    let bytes = std::fs::read(&png).expect("the picture");
    assert_eq!(run_with(&["compare", &capture, "-"], &bytes).code, 0);
}

#[test]
fn dump_writes_what_a_draw_has() {
    let folder = folder("dump");
    let capture = scene(&folder, "tex-linear");
    let out = folder.join("files");
    let name = out.display().to_string();
    run(&["dump", &capture, "--draw", "1", "-o", &name, "--raw"]).expect(0);
    let read = |file: &str| std::fs::read(out.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    for file in [
        "draw0001-color.png",
        "draw0001-depth.png",
        "draw0001-stencil.png",
        "draw0001-color.bin",
        "draw0001-texture0.png",
        "draw0001-vertex-program.txt",
        "index.json",
    ] {
        assert!(!read(file).is_empty(), "{file}");
    }
    let text = |file: &str| String::from_utf8(read(file)).expect("text");
    assert!(text("draw0001-combiners.txt").contains("stage 0"));
    let table = text("draw0001-vertices-out.csv");
    assert!(
        table.starts_with("vertex,x,y,z,w") && table.lines().count() > 3,
        "{table}"
    );
    let mesh = text("draw0001-mesh-out.obj");
    assert!(mesh.contains("v ") && mesh.contains("f 1 2 3"), "{mesh}");
    // The state is a dump that the other tools read.
    let state = text("draw0001-state.txt");
    run_with(&["decode", "nv2a", "-"], state.as_bytes()).expect(0);
    let frames = folder.join("frames").display().to_string();
    run(&["dump", &capture, "--frames", "-o", &frames]).expect(0);
    let picture = path(&folder, "out.png");
    run(&["replay", &capture, "-o", &picture]).expect(0);
    let numbered = std::fs::read(Path::new(&frames).join("frame00001.png")).expect("a frame");
    assert_eq!(numbered, std::fs::read(&picture).expect("a picture"));
    assert_eq!(
        run(&["dump", &capture, "--draw", "999", "-o", &name]).code,
        2
    );
}

#[test]
fn diff_of_captures_names_fields_draws_and_pixels() {
    let folder = folder("diff");
    let capture = scene(&folder, "blend-add");
    assert_eq!(run(&["diff", &capture, &capture]).expect(0), "");
    let other = changed(&folder, &capture, "other.cap", &["NV097_SET_CULL_FACE=404"]);
    let text = run(&["diff", &capture, &other]).expect(1);
    assert!(text.contains("RASTER.CULL_FACE"), "{text}");
    let masked = changed(&folder, &capture, "masked.cap", &["NV097_SET_COLOR_MASK=0"]);
    let text = run(&["diff", &capture, &masked]).expect(1);
    assert!(
        text.contains("CONFIG_A.COLOR_MASK_R") && text.contains("the first at ("),
        "{text}"
    );
    let short = path(&folder, "short.cap");
    run(&["edit", &capture, "--keep", "1", "-o", &short]).expect(0);
    let text = run(&["diff", &capture, &short]).expect(1);
    assert!(text.contains("of the first alone"), "{text}");
    let value: Value =
        serde_json::from_str(&run(&["diff", &capture, &masked, "--json"]).expect(1)).expect("JSON");
    assert_eq!(value["schema"], "isotherm-diff-1");
    let dump = path(&folder, "dump.txt");
    std::fs::write(&dump, "chip nv2a\nRASTER 1\n").expect("written");
    assert_eq!(run(&["diff", &capture, &dump]).code, 2);
    assert_eq!(run(&["diff", &capture, "/no/such/file"]).code, 2);
}

/// The picture of a capture.
fn picture(folder: &Path, capture: &str) -> Vec<u8> {
    let png = path(folder, "picture.png");
    run(&["replay", capture, "-o", &png]).expect(0);
    std::fs::read(png).expect("the picture")
}

/// Puts a program into draw 1 of a capture.
fn put_program(capture: &str, file: &str, out: &str) {
    let args = ["edit", capture, "--draw", "1", "--program", file, "-o", out];
    run(&args).expect(0);
}

#[test]
fn programs_go_out_and_back_in() {
    let folder = folder("programs");
    let capture = scene(&folder, "blend-add");
    let program = run(&["disasm", &capture, "--draw", "1", "--stage", "vertex"]).expect(0);
    let (file, out) = (path(&folder, "p.txt"), path(&folder, "out.cap"));
    std::fs::write(&file, &program).expect("written");
    put_program(&capture, &file, &out);
    assert_eq!(picture(&folder, &capture), picture(&folder, &out));
    run(&["diff", &capture, &out]).expect(0);
    // A program that puts every vertex in one place draws nothing, and only draw 1 is hit.
    std::fs::write(&file, program.replace("o[HPOS], v[0]", "o[HPOS], v[9]")).expect("written");
    put_program(&capture, &file, &out);
    let text = run(&["diff", &capture, &out]).expect(1);
    assert!(
        text.contains("vertex program") && text.contains("v[9]"),
        "{text}"
    );
    let second =
        |capture: &str| run(&["disasm", capture, "--draw", "2", "--stage", "vertex"]).expect(0);
    assert_eq!(second(&capture), second(&out));
}

/// The wheel of a family, and a second draw that sets nothing.
fn two_draws(folder: &Path, family: &str) -> String {
    let once = std::fs::read(wheel(folder, family)).expect("a capture");
    let mut reader = isotherm::capture::Reader::new(once.as_slice()).expect("a capture");
    let info = reader.next_record().expect("INFO").expect("INFO");
    let isotherm::capture::Payload::Info(info) = info.payload else {
        panic!("no INFO");
    };
    let info = serde_json::json!({ "gpu": info.gpu });
    let records = isotherm::capture::read_all(&mut reader).expect("records");
    let mut writer = isotherm::capture::Writer::new(Vec::new(), &info).expect("a writer");
    for record in &records {
        record.write(&mut writer).expect("written");
    }
    let mut push = isotherm::capture::Push::new();
    let place = [0, 0, 0, 1f32.to_bits()];
    push.method(0, 0x1808, &[1])
        .method(0, 0x1c00, &place)
        .method(0, 0x1808, &[0]);
    writer.push(push.words()).expect("written");
    let surface = records.iter().rfind(|record| record.is_surface());
    let surface = surface.expect("a surface");
    surface.write(&mut writer).expect("written");
    let file = path(folder, "twice.cap");
    std::fs::write(&file, writer.finish().expect("the end")).expect("written");
    file
}

#[test]
fn behind_an_edited_program_all_is_as_before() {
    let folder = folder("behind");
    let draws = |capture: &str| {
        let text = run(&["trace", capture, "--query", "BLEND"]).expect(0);
        text.lines().count()
    };
    for family in ["rankine", "curie"] {
        let capture = two_draws(&folder, family);
        let program = run(&["disasm", &capture, "--draw", "1", "--stage", "vertex"]).expect(0);
        let (file, out) = (path(&folder, "p.txt"), path(&folder, "out.cap"));
        std::fs::write(&file, &program).expect("written");
        put_program(&capture, &file, &out);
        assert_eq!(draws(&capture), 2, "{family}");
        // Curie's words say, too, to which slot the next program word would go.
        assert_eq!(run(&["diff", &capture, &out]).expect(0), "", "{family}");
    }
}

/// Writes an RGBA picture.
fn write_png(path: &str, width: u32, rgba: &[u8]) {
    let file = std::fs::File::create(path).expect("a file");
    let mut encoder = png::Encoder::new(file, width, rgba.len() as u32 / 4 / width);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().expect("a head");
    writer.write_image_data(rgba).expect("a picture");
}

/// Paints a texture of a draw: takes it out, changes it, puts it back, takes it out again. Says
/// how many bytes of it then are not as painted.
fn painted(folder: &Path, capture: &str, draw: &str, texture: &str) -> usize {
    let (files, out) = (path(folder, "files"), path(folder, "painted.cap"));
    let name = format!("draw{:0>4}-texture{texture}.png", draw);
    let take = |capture: &str| {
        let _ = std::fs::remove_dir_all(&files);
        let what = ["--draw", draw, "--what", "textures", "-o", &files];
        run(&[&["dump", capture][..], &what].concat()).expect(0);
        decoded(&Path::new(&files).join(&name))
    };
    let (width, mut rgba) = take(capture);
    // Half of it turned round: all colours are those of the texture.
    let half = rgba.len() / 8 * 4;
    let turned: Vec<u8> = rgba[..half].chunks(4).rev().flatten().copied().collect();
    rgba[..half].copy_from_slice(&turned);
    let png = path(folder, "painted.png");
    write_png(&png, width, &rgba);
    let paint = format!("{texture}={png}");
    run(&[
        "edit",
        capture,
        "--draw",
        draw,
        "--texture",
        &paint,
        "-o",
        &out,
    ])
    .expect(0);
    let (_, now) = take(&out);
    assert_eq!(now.len(), rgba.len());
    now.iter().zip(&rgba).filter(|(a, b)| a != b).count()
}

#[test]
fn pictures_become_textures() {
    let folder = folder("textures");
    let capture = scene(&folder, "combine-two");
    assert_eq!(painted(&folder, &capture, "3", "0"), 0);
    let out = path(&folder, "painted.cap");
    let text = run(&["diff", &capture, &out]).expect(1);
    let draws: Vec<&str> = text.lines().filter(|l| l.starts_with("draw ")).collect();
    assert_eq!(draws, ["draw 3"], "only the draw that was named: {text}");
    let png = path(&folder, "painted.png");
    for (texture, why) in [
        (format!("3={png}"), "draw 3 has no texture 3"),
        (format!("99={png}"), "draw 3 has no texture 99"),
        (format!("0-level9={png}"), "no level 9"),
        (format!("0-face1={png}"), "no face 1"),
        (format!("0-moon1={png}"), "is not UNIT=FILE"),
        ("0".into(), "is not UNIT=FILE"),
        (format!("0={}", path(&folder, "none.png")), "none.png"),
    ] {
        let args = [
            "edit",
            &capture,
            "--draw",
            "3",
            "--texture",
            &texture,
            "-o",
            &out,
        ];
        let run = run(&args);
        assert_eq!(run.code, 2, "{texture}");
        assert!(run.err.contains(why), "{texture}: {}", run.err);
    }
    let small = path(&folder, "small.png");
    write_png(&small, 1, &[1, 2, 3, 4]);
    let paint = format!("0={small}");
    let wrong = run(&[
        "edit",
        &capture,
        "--draw",
        "3",
        "--texture",
        &paint,
        "-o",
        &out,
    ]);
    assert!(wrong.err.contains("1x1 pixels"), "{}", wrong.err);
}

#[test]
fn textures_of_drivers_captures_are_painted() {
    let shared = std::env::var_os("ISOTHERM_SHARED")
        .map_or_else(|| "../../../shared".into(), std::path::PathBuf::from);
    let folder = folder("driver-textures");
    for (name, draw, texture) in [
        ("mali400/es2_tex_wrap", "1", "0"),
        ("mali400/es2_tex_mip", "1", "0-level1"),
        ("mali400/es2_tex_cube", "1", "0-face2"),
        ("nv10/gl1_multitex", "1", "0"),
        ("nv25/gl1_multitex", "1", "0"),
        ("nv34/gl1_multitex", "1", "0"),
        ("nv40/gl1_multitex", "1", "0"),
    ] {
        let capture = shared.join("streams").join(format!("{name}.cap.zst"));
        if !capture.exists() {
            println!("skipped: no {} (set ISOTHERM_SHARED)", capture.display());
            continue;
        }
        let capture = capture.display().to_string();
        assert_eq!(painted(&folder, &capture, draw, texture), 0, "{name}");
    }
}

#[test]
fn a_part_of_a_capture_stands_alone() {
    let folder = folder("keep");
    let capture = scene(&folder, "blend-add");
    let out = path(&folder, "out.cap");
    let draws = |capture: &str| {
        let summary = run(&["trace", capture, "--summary"]).expect(0);
        summary
            .lines()
            .filter(|line| line.starts_with("draw "))
            .count()
    };
    let all = draws(&capture);
    assert!(all >= 2);
    run(&["edit", &capture, "--keep", "2..", "-o", &out]).expect(0);
    assert_eq!(draws(&out), all - 1);
    assert_eq!(picture(&folder, &capture), picture(&folder, &out));
    assert_eq!(
        run(&["edit", &capture, "--keep", "999", "-o", &out]).code,
        2
    );
    assert_eq!(run(&["edit", &capture, "-o", &out]).code, 2);
    let wrong = run(&["edit", &capture, "--set", "BLEND=0", "-o", &out]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("BLEND_FUNC_ENABLE"), "{}", wrong.err);
}

/// The scene of a family as a capture.
fn wheel(folder: &Path, family: &str) -> String {
    let out = folder.display().to_string();
    run(&["demo", "--only", family, "--captures", "-o", &out]).expect(0);
    path(folder, &format!("{family}-wheel.cap.zst"))
}

#[test]
fn every_family_is_looked_into_and_its_programs_go_round() {
    let folder = folder("families");
    for (family, stages) in [
        ("celsius", &[][..]),
        ("rankine", &["vertex", "fragment"]),
        ("curie", &["vertex", "fragment"]),
        ("mali", &["vertex", "fragment"]),
    ] {
        let capture = wheel(&folder, family);
        let why = run(&["why", &capture, "--draw", "1"]).expect(0);
        assert!(why.contains("changes"), "{family}: {why}");
        assert_eq!(run(&["diff", &capture, &capture]).expect(0), "");
        run(&["lint", &capture]).expect(0);
        let png = path(&folder, "x.png");
        run(&["replay", &capture, "-o", &png]).expect(0);
        run(&["compare", &capture, &png]).expect(0);
        let files = path(&folder, family);
        run(&["dump", &capture, "-o", &files]).expect(0);
        assert!(
            Path::new(&files).join("draw0001-color.png").is_file(),
            "{family}"
        );
        assert!(
            Path::new(&files)
                .join("draw0001-vertices-out.csv")
                .is_file(),
            "{family}"
        );
        for stage in stages {
            let program = run(&["disasm", &capture, "--draw", "1", "--stage", stage]).expect(0);
            let file = path(&folder, "program.txt");
            std::fs::write(&file, &program).expect("written");
            run(&["asm", &file]).expect(0);
            let out = path(&folder, "out.cap");
            run(&[
                "edit",
                &capture,
                "--draw",
                "1",
                "--program",
                &file,
                "-o",
                &out,
            ])
            .expect(0);
            assert_eq!(
                picture(&folder, &capture),
                picture(&folder, &out),
                "{family} {stage}"
            );
            let again = run(&["disasm", &out, "--draw", "1", "--stage", stage]).expect(0);
            assert_eq!(again, program, "{family} {stage}");
        }
    }
}

/// The picture of a PNG file: its width and its bytes, four a pixel.
fn decoded(path: &Path) -> (u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a frame");
    (info.width, bytes)
}

#[test]
fn a_malis_vertices_and_depth_are_seen() {
    let folder = folder("mali-vertices");
    let capture = wheel(&folder, "mali");
    let vertex = |args: &[&str]| {
        let mut all = vec!["vsh", "run", &capture, "--draw", "1", "--vertex", "1"];
        all.extend(args);
        run(&all).expect(0)
    };
    let text = vertex(&[]);
    for part in [
        "attribute[0] = 0.85 (",
        "mul.m0 ^2 a0.x t[0].x",
        "varying 0 = ",
        "window position = 236.8 (",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json: Value = serde_json::from_str(&vertex(&["--json"])).expect("JSON");
    assert_eq!(json["steps"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["outputs"]["varying 1"][0], 1f32.to_bits());
    let missing = run(&["vsh", "run", &capture, "--draw", "1", "--vertex", "999"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("no vertex 999"), "{}", missing.err);

    let files = path(&folder, "files");
    run(&["dump", &capture, "-o", &files, "--raw"]).expect(0);
    let (width, depth) = decoded(&Path::new(&files).join("draw0001-depth.png"));
    let at = |x: u32, y: u32| depth[4 * (y * width + x) as usize];
    // The wheel lies halfway; behind it is what the job clears to.
    assert_eq!((at(128, 128), at(2, 2)), (0x80, 0xff));
    assert!(Path::new(&files).join("draw0001-stencil.png").is_file());
    assert!(Path::new(&files).join("draw0001-zeta.bin").is_file());
    let bytes = |name: &str| std::fs::read(Path::new(&files).join(name)).expect(name);
    assert_eq!(bytes("draw0001-color.bin").len(), 256 * 256 * 4);
    let corners = std::str::from_utf8(&bytes("draw0001-mesh-out.obj"))
        .map(|text| text.lines().filter(|line| line.starts_with("v ")).count());
    assert_eq!(corners, Ok(72));
    let tiles = String::from_utf8(bytes("draw0001-tiles.csv")).expect("text");
    let reached: u64 = tiles
        .lines()
        .skip(1)
        .filter_map(|line| line.rsplit(',').next()?.parse::<u64>().ok())
        .sum();
    // All 24 triangles are on the picture, and each reaches several of the 256 tiles.
    assert_eq!(tiles.lines().count(), 1 + 256, "{tiles}");
    assert!((24..24 * 256).contains(&reached), "{tiles}");
    let given = run(&["vsh", "run", &capture, "--draw", "1", "-i", "0=1,2,3,4"]);
    assert_eq!(given.code, 2, "{}", given.err);
    let table = std::fs::read_to_string(Path::new(&files).join("draw0001-vertices-in.csv"));
    let table = table.expect("a table");
    assert!(
        table.starts_with("vertex,number,a0.x,a0.y,a0.z,a0.w,a1.x"),
        "{table}"
    );
    assert!(table.contains("\n1,1,0.85,0,0.5,1,1,"), "{table}");
}

#[test]
fn a_malis_draw_says_why_it_shows_nothing() {
    let folder = folder("mali-why");
    let capture = wheel(&folder, "mali");
    // No colour is written.
    let out = path(&folder, "out.cap");
    run(&["edit", &capture, "--set", "rsw[2]=0c3b1ad2", "-o", &out]).expect(0);
    let text = run(&["why", &out]).expect(0);
    assert!(
        text.contains("shows nothing") && text.contains("RSW_BLEND 0c3b1ad2"),
        "{text}"
    );
    assert_eq!(run(&["edit", &capture, "--keep", "1", "-o", &out]).code, 2);
}

#[test]
fn the_demo_has_a_contact_sheet_and_no_black_pictures() {
    let folder = folder("demo");
    run(&["demo", "-o", &folder.display().to_string()]).expect(0);
    let mut pictures = 0;
    for file in std::fs::read_dir(&folder).expect("a folder").flatten() {
        let path = file.path();
        if path.extension().is_none_or(|suffix| suffix != "png") {
            continue;
        }
        pictures += 1;
        let bytes = std::fs::read(&path).expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .expect("a PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut rgba).expect("a picture");
        let bright = rgba
            .chunks(4)
            .filter(|p| p[..3].iter().any(|c| *c > 100))
            .count();
        let share = bright as f64 / (rgba.len() / 4) as f64;
        assert!(share > 0.02, "{}: {share}", path.display());
    }
    assert!(pictures > 20 && folder.join("contact-sheet.png").is_file());
}

#[test]
fn lint_remarks_on_states_nobody_means() {
    let folder = folder("lint");
    let capture = scene(&folder, "prim-triangles");
    run(&["lint", &capture]).expect(0);
    for (words, code) in [
        (&["NV097_SET_COLOR_MASK=0"][..], "zero-masks"),
        (
            &["NV097_SET_DEPTH_TEST_ENABLE=1", "NV097_SET_DEPTH_FUNC=200"],
            "never",
        ),
        (
            &["NV097_SET_CULL_FACE_ENABLE=1", "NV097_SET_CULL_FACE=408"],
            "cull-all",
        ),
        (
            &[
                "NV097_SET_CONTEXT_DMA_ZETA=9",
                "NV097_SET_DEPTH_TEST_ENABLE=1",
            ],
            "overlap",
        ),
        (&["NV097_SET_SHADER_STAGE_PROGRAM=1"], "texture-off"),
    ] {
        let broken = changed(&folder, &capture, "broken.cap", words);
        let text = run(&["lint", &broken]).expect(1);
        assert!(text.contains(code), "{code}: {text}");
        let lines = json_lines(&run(&["lint", &broken, "--json"]).expect(1));
        assert!(lines.iter().any(|line| line["code"] == code));
    }
}

#[test]
fn lint_tells_of_refused_methods() {
    let folder = folder("refused");
    let capture = wheel(&folder, "celsius");
    let broken = changed(&folder, &capture, "broken.cap", &["56:RC_OUT_COLOR[1]=0"]);
    let text = run(&["lint", &broken]).expect(1);
    assert!(text.contains("trap: class 56h method 0284h"), "{text}");
}

#[test]
fn a_pixel_of_any_surface_has_a_history() {
    let folder = folder("surfaces");
    let capture = scene(&folder, "stencil");
    let at = |more: &[&str]| {
        let mut args = vec!["pixel", &capture, "128", "128", "--brief"];
        args.extend(more);
        run(&args)
    };
    let last = at(&[]).expect(0);
    assert_eq!(at(&["--surface", "1"]).expect(0), last);
    assert!(
        at(&["--target", "color"])
            .expect(0)
            .contains("colour surface")
    );
    let zeta = at(&["--target", "zeta", "--target-of", "1"]).expect(0);
    assert!(
        zeta.contains("zeta surface") && zeta.contains("clear"),
        "{zeta}"
    );
    assert_eq!(at(&["--surface", "9"]).code, 2);
    assert_eq!(at(&["--frame", "77"]).code, 2);
    assert_eq!(at(&["--target", "zeta", "--target-of", "99"]).code, 2);
}

/// Does a value fit a schema? Types, keys, lists, constants and alternatives.
fn fits(value: &Value, schema: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    };
    let kind = match &schema["type"] {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| kind.as_str().is_some_and(is)),
        _ => true,
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let has = required
        .filter_map(Value::as_str)
        .all(|key| value.get(key).is_some());
    let fields = schema["properties"].as_object().into_iter().flatten();
    let inner = fields
        .clone()
        .all(|(key, schema)| value.get(key).is_none_or(|v| fits(v, schema)));
    let items = value
        .as_array()
        .into_iter()
        .flatten()
        .all(|v| fits(v, &schema["items"]));
    let constant = schema["const"].is_null() || schema["const"] == *value;
    let options = schema["anyOf"].as_array();
    let option = options.is_none_or(|options| options.iter().any(|schema| fits(value, schema)));
    kind && has && inner && items && constant && option
}

#[test]
fn json_is_as_its_schema_says() {
    let folder = folder("schema");
    let capture = scene(&folder, "blend-add");
    let other = changed(&folder, &capture, "other.cap", &["NV097_SET_COLOR_MASK=0"]);
    let (files, png) = (path(&folder, "files"), path(&folder, "x.png"));
    let root = folder.display().to_string();
    let (made, words) = (path(&folder, "made.state"), path(&folder, "words.bin"));
    std::fs::write(&words, [4, 3, 4, 0, 1, 0, 0, 0]).expect("written");
    run(&["replay", &other, "-o", &png]).expect(0);
    let program = run(&["disasm", &capture, "--draw", "1", "--stage", "vertex"]).expect(0);
    let text = path(&folder, "p.txt");
    std::fs::write(&text, program).expect("written");
    let mut rsw = vec!["convert", "rsw2nv"];
    rsw.extend(["0"; 16]);
    let commands: Vec<Vec<&str>> = vec![
        vec!["explain", "nv2a", "BLEND", "55a"],
        vec!["encode", "nv2a", "BLEND"],
        vec!["decode", "nv2a"],
        rsw,
        vec!["regs", "nv2a", "BLEND"],
        vec!["diff", "-c", "nv2a", "BLEND:1", "BLEND:2"],
        vec!["diff", &capture, &other],
        vec!["asm", &text],
        vec!["disasm", &capture],
        vec!["vsh", "run", &text],
        vec!["vsh", "run", &capture, "--draw", "1", "--vertex", "0"],
        vec!["trace", &capture],
        vec!["trace", &capture, "--summary"],
        vec!["trace", &capture, "--query", "BLEND"],
        vec!["pixel", &capture, "100", "100"],
        vec!["why", &other, "--draw", "1"],
        vec!["compare", &capture, &png],
        vec!["dump", &capture, "--draw", "1", "-o", &files],
        vec!["lint", &other],
        vec!["bench", &capture, "--seconds", "0.01"],
        vec!["conform", &root, "--jsonl", "-"],
        vec!["replay", &capture, "-o", &png],
        vec!["demo", "--only", "cull", "-o", &files],
        vec!["edit", &capture, "--set", "97:304=1", "-o", &made],
        vec!["state", "save", &capture, "--draw", "1", "-o", &made],
        vec!["state", "load", &made],
        vec!["import", "words", &words, "-o", &made],
    ];
    let mut seen = std::collections::BTreeSet::new();
    for mut args in commands {
        if !args.contains(&"--jsonl") {
            args.push("--json");
        }
        let schema = run(&["schema", args[0]]).expect(0);
        let schema: Value = serde_json::from_str(&schema).expect("a schema");
        let run = run_with(&args, b"BLEND 1\n");
        assert!(run.code < 2, "{args:?}: {}", run.err);
        let text = run.text();
        let mut count = 0;
        // One document, or one a line.
        for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            let value = value.unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"));
            assert!(
                fits(&value, &schema),
                "{args:?}: {value} does not fit {schema}"
            );
            count += 1;
        }
        assert!(count > 0, "{args:?}");
        seen.insert(args[0].to_string());
    }
    let listed = run(&["schema"]).expect(0);
    let listed: std::collections::BTreeSet<String> = listed.lines().map(String::from).collect();
    assert_eq!(seen, listed);
    assert_eq!(run(&["schema", "man"]).code, 2);
}

#[test]
fn shells_and_manuals_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell]).expect(0);
        assert!(
            script.contains("isotherm") && script.contains("replay"),
            "{shell}"
        );
    }
    assert!(run(&["man"]).expect(0).contains(".TH"));
    let folder = folder("man");
    run(&["man", "-o", &folder.display().to_string()]).expect(0);
    assert!(folder.join("isotherm.1").is_file() && folder.join("isotherm-replay.1").is_file());
}
