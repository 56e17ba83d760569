//! The text of traces.

use isotherm_mali::trace::wrap;

#[test]
fn lines_wrap_at_spaces() {
    let text = "@  12: load.v $1 0, mul.v0 $1.xyz ^const0.xxxx, const0 2.000000 0.000000";
    for columns in 24..90 {
        let mut lines = Vec::new();
        wrap(text, columns, 8, &mut lines);
        assert!(lines.iter().all(|l| l.len() <= columns), "{lines:#?}");
        let words: Vec<&str> = lines.iter().flat_map(|l| l.split_whitespace()).collect();
        assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        assert!(lines[1..].iter().all(|l| l.starts_with("        ")));
    }
    let mut lines = Vec::new();
    wrap("averylongwordthatdoesnotfit and more", 10, 2, &mut lines);
    assert_eq!(lines, ["averylongwordthatdoesnotfit", "  and more"]);
}
