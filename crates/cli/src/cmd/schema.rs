//! `isotherm schema`: what the commands write with `--json`, as JSON Schema.

use crate::usage::usage;
use serde_json::{Map, Value, json};

/// Options of `isotherm schema`.
#[derive(clap::Args)]
pub struct Args {
    /// The command; a list of those that there are unless given.
    command: Option<String>,
}

/// Prints a schema.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let Some(name) = &args.command else {
        for (name, ..) in all() {
            say!("{name}");
        }
        return Ok(());
    };
    let all = all();
    let found = all.iter().find(|(command, ..)| command == name);
    let Some((_, about, schema)) = found else {
        let known: Vec<&str> = all.iter().map(|(command, ..)| *command).collect();
        return Err(usage(format!(
            "{name} writes no JSON that has a schema; there are {}",
            known.join(", ")
        )));
    };
    let mut schema = schema.clone();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = format!("isotherm {name} --json").into();
    schema["description"] = (*about).into();
    say!("{}", serde_json::to_string_pretty(&schema)?);
    Ok(())
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn any() -> Value {
    json!({})
}

/// Something, or null.
fn maybe(kind: &str) -> Value {
    json!({ "type": [kind, "null"] })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// An object by name; what is behind each is alike.
fn map(values: Value) -> Value {
    json!({ "type": "object", "additionalProperties": values })
}

/// An object with these keys.
fn object<const N: usize>(keys: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    let properties: Map<String, Value> = keys
        .iter()
        .map(|(key, value)| (key.to_string(), value.clone()))
        .collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// A document with its own name.
fn document<const N: usize>(id: &str, keys: [(&str, Value); N]) -> Value {
    let mut value = object(keys);
    value["properties"]["schema"] = json!({ "const": id });
    if let Some(required) = value["required"].as_array_mut() {
        required.insert(0, "schema".into());
    }
    value
}

const WORDS: &str = crate::show::SCHEMA;

fn field() -> Value {
    object([
        ("name", text()),
        ("bits", list(integer())),
        ("raw", integer()),
        ("value", text()),
        ("meaning", text()),
        ("doc", text()),
        ("remarks", list(text())),
    ])
}

fn word() -> Value {
    object([
        ("name", text()),
        ("doc", text()),
        ("value", text()),
        ("undeclared", text()),
        ("fields", list(field())),
    ])
}

fn explained() -> Value {
    object([
        ("chip", text()),
        ("label", text()),
        ("names", list(text())),
        ("place", text()),
        ("values", list(text())),
        ("words", list(word())),
        ("joined", list(field())),
    ])
}

/// All schemas: command, what is described, schema.
pub fn all() -> Vec<(&'static str, &'static str, Value)> {
    let mut all = of_words();
    all.extend(of_programs());
    all.extend(of_captures());
    all.extend(of_files());
    all
}

/// Commands whose result is files.
fn of_files() -> Vec<(&'static str, &'static str, Value)> {
    let file = || document(crate::output::FILES, [("file", text()), ("about", text())]);
    let state = document(
        "isotherm-state-1",
        [
            ("chip", text()),
            ("front_end_words", integer()),
            ("unit_words", integer()),
            ("objects", integer()),
            ("draws", integer()),
        ],
    );
    let mut all: Vec<_> = ["replay", "demo", "edit", "import"]
        .into_iter()
        .map(|command| (command, "One object for each file written.", file()))
        .collect();
    all.push((
        "state",
        "One object for each file written; load says what the state holds, too.",
        json!({ "anyOf": [file(), state] }),
    ));
    all
}

fn of_words() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        (
            "explain",
            "One document.",
            document(WORDS, [("words", list(explained()))]),
        ),
        (
            "encode",
            "One document.",
            document(
                WORDS,
                [
                    ("chip", text()),
                    ("label", text()),
                    ("values", list(text())),
                ],
            ),
        ),
        (
            "decode",
            "One object a line.",
            document(
                WORDS,
                [
                    ("chip", text()),
                    ("name", text()),
                    ("label", text()),
                    ("place", text()),
                    ("values", list(text())),
                    ("fields", list(word())),
                    ("joined", list(field())),
                ],
            ),
        ),
        (
            "convert",
            "One document; rsw2nv has words, nv2rsw a name and values.",
            document(WORDS, [("chip", text()), ("notes", list(text()))]),
        ),
        (
            "regs",
            "The database, one document.",
            document(
                WORDS,
                [
                    ("chips", list(any())),
                    ("bundles", list(any())),
                    ("words", list(any())),
                    ("enums", map(any())),
                    ("classes", list(any())),
                    ("context", list(any())),
                ],
            ),
        ),
        (
            "diff",
            "One document. Differences of captures have draws and a kind, those of dumps a field.",
            json!({ "anyOf": [
                document(WORDS, [("differences", list(object([
                    ("name", text()), ("field", text()), ("a", maybe("string")), ("b", maybe("string")),
                ])))]),
                document("isotherm-diff-1", [("differences", list(object([
                    ("draw_a", maybe("integer")), ("draw_b", maybe("integer")), ("kind", text()),
                    ("name", text()), ("a", text()), ("b", text()),
                ])))]),
            ] }),
        ),
    ]
}

fn of_programs() -> Vec<(&'static str, &'static str, Value)> {
    let rows = || map(list(integer()));
    vec![
        (
            "asm",
            "One document; vertex programs also say their slot.",
            document("isotherm-asm-1", [("words", list(any()))]),
        ),
        (
            "disasm",
            "One object a line for each program; those of a capture say the draw.",
            document("isotherm-disasm-1", []),
        ),
        (
            "vsh",
            "One document; with --vertex also inputs and what fixed function computed.",
            document(
                "isotherm-vsh-1",
                [("steps", list(any())), ("outputs", rows())],
            ),
        ),
    ]
}

fn of_captures() -> Vec<(&'static str, &'static str, Value)> {
    let reason = object([
        ("unit", text()),
        ("text", text()),
        (
            "words",
            list(object([
                ("register", text()),
                ("word", integer()),
                ("fields", text()),
            ])),
        ),
    ]);
    let count = object([
        ("pixels", integer()),
        ("different", integer()),
        ("largest", integer()),
        ("worst", maybe("array")),
        ("bounds", maybe("array")),
    ]);
    vec![
        (
            "trace",
            "One object a line, in the order in which things happen; docs/json.md lists the kinds.",
            document("isotherm-trace-1", []),
        ),
        (
            "pixel",
            "One object a line; event says which: start, touch, change, state or end.",
            document("isotherm-pixel-1", [("event", text())]),
        ),
        (
            "why",
            "One object per draw; the first reason decides.",
            document(
                "isotherm-why-1",
                [
                    ("draw", integer()),
                    ("primitive", text()),
                    ("vertices", integer()),
                    ("color_changed", integer()),
                    ("zeta_changed", integer()),
                    ("reasons", list(reason)),
                ],
            ),
        ),
        (
            "compare",
            "One document; where the pictures differ also ours, theirs, draw, explanation and history.",
            document("isotherm-compare-1", [("equal", flag()), ("count", count)]),
        ),
        (
            "conform",
            "One object a line, with --jsonl; docs/corpus.md explains. What does not apply is null.",
            conform(),
        ),
        (
            "dump",
            "One document, which index.json holds, too; with --frames the names of the pictures.",
            document("isotherm-dump-1", []),
        ),
        (
            "lint",
            "One object per remark.",
            document(
                "isotherm-lint-1",
                [("code", text()), ("text", text()), ("places", list(text()))],
            ),
        ),
        (
            "bench",
            "A list with one object per capture.",
            list(document(
                "isotherm-bench-1",
                [
                    ("capture", text()),
                    ("gpu", text()),
                    ("threads", integer()),
                    ("frames", integer()),
                    ("fps", json!({ "type": "number" })),
                    ("cpu_ms_per_frame", json!({ "type": "number" })),
                ],
            )),
        ),
    ]
}

/// A line of `conform --jsonl`.
fn conform() -> Value {
    document(
        "isotherm-conform-1",
        [
            ("key", text()),
            ("suite", text()),
            ("name", text()),
            ("capture", text()),
            ("capture_blake3", text()),
            ("picture_blake3", maybe("string")),
            ("tool", text()),
            ("commit", text()),
            ("chip", maybe("string")),
            ("status", text()),
            ("seconds", json!({ "type": "number" })),
            ("peak_bytes", maybe("integer")),
            ("draws", maybe("integer")),
            ("pixels", maybe("integer")),
            ("differ", maybe("integer")),
            ("first_x", maybe("integer")),
            ("first_y", maybe("integer")),
            ("first_draw", maybe("integer")),
            ("error", maybe("string")),
        ],
    )
}
