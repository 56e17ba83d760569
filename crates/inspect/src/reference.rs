//! Sections of the reference pages, so that a word's description is one click away.

use crate::question::{Answer, Question};
use anyhow::Context;
use isotherm_regs::markdown;
use serde_json::json;

/// Where a word is described: a page of `docs/reference` and a heading on it.
pub fn link(page: &str, heading: &str) -> String {
    format!("{page}#{}", anchor(heading))
}

/// A section of a page as Markdown: `reference?page=bundles.md&at=raster`. The lists of values
/// that it names follow it.
pub fn section(question: &Question<'_>) -> anyhow::Result<Answer> {
    let name = question.text("page").context("reference: no page")?;
    let at = question.text("at").context("reference: no section")?;
    let pages = markdown::pages();
    let page = pages.iter().find(|(page, _)| *page == name);
    let (page, text) = page.with_context(|| format!("no reference page is called {name:?}"))?;
    let sections = sections(text);
    let found = sections.iter().find(|section| section.anchor == at);
    let found = found.with_context(|| format!("{page} has no section {at:?}"))?;
    let mut shown = found.text.to_string();
    for values in sections.iter().filter(|s| found.names(s.title)) {
        shown += values.text;
    }
    Ok(Answer::Json(json!({
        "page": page, "title": found.title, "text": shown,
    })))
}

/// A heading and what stands below it, up to the next heading.
struct Section<'a> {
    title: &'a str,
    anchor: String,
    text: &'a str,
}

impl Section<'_> {
    /// Is this the kind of one of its fields? Kinds are the third column.
    fn names(&self, title: &str) -> bool {
        let kinds = self.text.lines().filter(|line| line.starts_with('|'));
        let mut kinds = kinds.filter_map(|line| line.split(" | ").nth(2));
        kinds.any(|kind| kind.trim() == title)
    }
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let heads: Vec<usize> = text
        .match_indices('#')
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || text[..at].ends_with('\n'))
        .collect();
    let ends = heads.iter().skip(1).copied().chain([text.len()]);
    heads
        .iter()
        .zip(ends)
        .map(|(&start, end)| {
            let text = &text[start..end];
            let head = text.lines().next().unwrap_or_default();
            let title = head.trim_start_matches('#').trim();
            Section {
                title,
                anchor: anchor(title),
                text,
            }
        })
        .collect()
}

/// What a heading is called in a link.
fn anchor(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> anyhow::Result<String> {
        match section(&Question::new(text))? {
            Answer::Json(value) => Ok(value["text"].as_str().unwrap_or_default().to_string()),
            Answer::Words(..) => anyhow::bail!("words"),
        }
    }

    #[test]
    fn a_section_comes_with_the_values_that_it_names() {
        let text = ask("reference?page=bundles.md&at=raster").unwrap();
        assert!(text.starts_with("## RASTER\n"), "{text}");
        assert!(text.contains("| `CULL_FACE` |") && text.contains("| `FRONT_AND_BACK` |"));
        assert_eq!(text.matches("\n## ").count(), 0, "{text}");
        let text = ask("reference?page=mali.md&at=2-rsw_blend").unwrap();
        assert!(text.starts_with("### 2: RSW_BLEND\n"), "{text}");
    }

    #[test]
    fn every_word_has_its_section() {
        for bundle in isotherm_regs::bundle::Bundle::all() {
            let (page, at) = ("bundles.md", bundle.name());
            let link = link(page, at);
            let question = format!("reference?page={}", link.replace('#', "&at="));
            assert!(ask(&question).is_ok(), "{question}");
        }
    }

    #[test]
    fn what_there_is_not_is_an_error() {
        for bad in [
            "",
            "?page=bundles.md",
            "?page=x.md&at=raster",
            "?page=bundles.md&at=x",
        ] {
            assert!(ask(&format!("reference{bad}")).is_err(), "{bad}");
        }
    }
}
