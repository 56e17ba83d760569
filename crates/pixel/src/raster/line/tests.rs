use super::*;

fn vtx(x: f32, y: f32) -> VtxHead {
    VtxHead {
        pos: [x.to_bits(), y.to_bits(), 0, 1f32.to_bits()],
        ..VtxHead::default()
    }
}

fn lit(line: &Line) -> Vec<(i32, i32)> {
    let mut out = Vec::new();
    for y in (0..16).step_by(2) {
        for x in (0..16).step_by(8) {
            let mask = line.coverage(x, y, 8.0, 8.0);
            for lane in 0..16 {
                if mask >> lane & 1 != 0 {
                    out.push((x + lane % 8, y + lane / 8));
                }
            }
        }
    }
    out.sort_unstable();
    out
}

#[test]
fn a_thin_line_leaves_out_its_last_pixel() {
    let line = Line::new([&vtx(2.5, 3.5), &vtx(6.5, 3.5)], 8, Style::Thin, true).unwrap();
    assert_eq!(lit(&line), [(2, 3), (3, 3), (4, 3), (5, 3)]);
    let line = Line::new([&vtx(6.5, 3.5), &vtx(2.5, 3.5)], 8, Style::Thin, true).unwrap();
    assert_eq!(lit(&line), [(3, 3), (4, 3), (5, 3), (6, 3)]);
    // A coordinate on the border belongs to the upper row.
    let line = Line::new([&vtx(2.0, 4.0), &vtx(4.0, 4.0)], 8, Style::Thin, true).unwrap();
    assert_eq!(lit(&line), [(2, 3), (3, 3)]);
}

#[test]
fn a_wide_line_is_a_rectangle() {
    let line = Line::new([&vtx(2.0, 8.0), &vtx(6.0, 8.0)], 32, Style::Wide, true).unwrap();
    let want: Vec<_> = (2..6).flat_map(|x| (6..10).map(move |y| (x, y))).collect();
    assert_eq!(lit(&line), want);
    assert!(Line::new([&vtx(2.0, 8.0), &vtx(6.0, 8.0)], 0, Style::Wide, true).is_none());
    assert!(Line::new([&vtx(2.0, 8.0), &vtx(2.0, 8.0)], 8, Style::Wide, true).is_none());
}

#[test]
fn a_smooth_line_goes_on_beyond_its_ends() {
    let line = Line::new([&vtx(4.0, 4.5), &vtx(12.0, 4.5)], 8, Style::Wide, true).unwrap();
    let e = line.parts(0, 4);
    let z = line.depth(&e, [400.0, 1200.0]);
    assert_eq!(z[3], 350.0, "half a pixel before the first vertex");
    assert_eq!(z[4], 450.0);
    assert_eq!(line.color_weight(&e)[3], 0);
    let z = line.depth(&line.parts(8, 4), [400.0, 1200.0]);
    assert_eq!(z[4], 1250.0);
    // Thin lines end where they end.
    let thin = Line::new([&vtx(4.0, 4.5), &vtx(12.0, 4.5)], 8, Style::Thin, true).unwrap();
    assert_eq!(thin.depth(&thin.parts(0, 4), [400.0, 1200.0])[1], 400.0);
}

#[test]
fn an_end_at_infinity_is_a_direction() {
    let far = vtx(f32::INFINITY, f32::INFINITY);
    for order in [[0, 1], [1, 0]] {
        let ends = [&vtx(4.25, 4.5), &far];
        let ends = order.map(|i: usize| ends[i]);
        for style in [Style::Thin, Style::Wide, Style::Stroke] {
            let line = Line::new(ends, 8, style, true).unwrap();
            let lit = lit(&line);
            assert!(lit.contains(&(12, 12)) && lit.contains(&(6, 6)), "{lit:?}");
            assert!(!lit.contains(&(2, 2)) && !lit.contains(&(12, 10)));
        }
    }
}

#[test]
fn a_stroke_is_as_wide_in_every_column() {
    // 45 degrees is x major; both ends lie at pixel centres, the first one counts.
    let stroke = Line::new([&vtx(2.5, 2.5), &vtx(6.5, 6.5)], 24, Style::Stroke, true).unwrap();
    let want: Vec<_> = (2..6)
        .flat_map(|x| (x - 1..x + 2).map(move |y| (x, y)))
        .collect();
    assert_eq!(lit(&stroke), want);
    // The lower side is inside, the upper one is not.
    let stroke = Line::new([&vtx(2.0, 4.0), &vtx(4.0, 4.0)], 8, Style::Stroke, true).unwrap();
    assert_eq!(lit(&stroke), [(2, 3), (3, 3)]);
    let parts = stroke.parts(0, 2);
    assert_eq!(
        [parts[0][2], parts[1][2]],
        [24.0, 8.0],
        "half a pixel from the first end"
    );
}
