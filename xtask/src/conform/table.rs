//! The tables of `docs/accuracy.md`, between a pair of comments each.

use anyhow::Context;
use serde_json::Value;
use std::fmt::Write;

const PAGE: &str = "docs/accuracy.md";

/// Replaces the table of a folder by one of these figures.
pub fn write(name: &str, found: &Value) -> anyhow::Result<()> {
    let table = match name {
        "nv2a" => goldens(found),
        "rsx" => pictures(found),
        _ => streams(found),
    };
    let page = std::fs::read_to_string(PAGE).context(PAGE)?;
    let page =
        splice(&page, name, &table).with_context(|| format!("{PAGE} has no table {name}"))?;
    std::fs::write(PAGE, page).context(PAGE)
}

/// Puts `table` between the comments that name it.
fn splice(page: &str, name: &str, table: &str) -> Option<String> {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = page.find(&start)? + start.len();
    let to = from + page[from..].find(&end)?;
    Some(format!("{}\n{table}\n{}", &page[..from], &page[to..]))
}

fn number(counters: &Value, key: &str) -> u64 {
    counters[key].as_u64().unwrap_or(0)
}

fn goldens(found: &Value) -> String {
    let mut table = String::from(
        "| suite | goldens | exact | within 2 | near | xemu exact | xemu within 2 |\n|---|---|---|---|---|---|---|\n",
    );
    let mut sum = [0; 6];
    for (suite, counters) in found["suites"].as_object().into_iter().flatten() {
        let theirs =
            ["exact_rgba", "within2"].map(|key| number(&found["xemu"]["suites"][suite], key));
        let ours = ["goldens", "exact_rgba", "within2", "near"].map(|key| number(counters, key));
        let row = [ours[0], ours[1], ours[2], ours[3], theirs[0], theirs[1]];
        line(&mut table, suite, &row);
        for (sum, n) in sum.iter_mut().zip(row) {
            *sum += n;
        }
    }
    line(&mut table, "total", &sum);
    table
}

/// Pictures that no other emulator's figures stand beside.
fn pictures(found: &Value) -> String {
    let mut table =
        String::from("| suite | pictures | exact | within 1 | near |\n|---|---|---|---|---|\n");
    for (suite, counters) in found["suites"].as_object().into_iter().flatten() {
        let row = ["goldens", "exact_rgba", "within1", "near"].map(|key| number(counters, key));
        line(&mut table, suite, &row);
    }
    table
}

fn line(table: &mut String, suite: &str, row: &[u64]) {
    let _ = write!(table, "| {suite} |");
    for n in row {
        let _ = write!(table, " {n} |");
    }
    table.push('\n');
}

fn streams(found: &Value) -> String {
    let mut table = String::from(
        "| chip | streams with a reference | agree | | agree where both references do |\n|---|---|---|---|---|\n",
    );
    for (chip, counters) in found["suites"].as_object().into_iter().flatten() {
        let [all, agree, both] =
            ["references", "agree", "undisputed"].map(|key| number(counters, key));
        let share = 100.0 * agree as f64 / all.max(1) as f64;
        let _ = writeln!(
            table,
            "| {chip} | {all} | {agree} | {share:.1} % | {both} |"
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_table_changes() {
        let page = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n";
        let new = splice(page, "x", "new\n").unwrap();
        assert_eq!(
            new,
            "a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n"
        );
        assert!(splice(page, "z", "").is_none());
    }
}
