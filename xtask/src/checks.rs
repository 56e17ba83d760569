//! `cargo xtask shared-checks`: everything that is held against the shared data and is quick enough
//! for every change. Each check says so when its data is absent.

type Check = fn() -> anyhow::Result<()>;

/// Runs them all; the first that fails ends it.
pub fn run() -> anyhow::Result<()> {
    let checks: [(&str, Check); 6] = [
        ("register masks", || crate::masks::run(None)),
        ("method names", crate::words::methods),
        ("render states", crate::words::render_states),
        ("captures through the front end", || {
            crate::front_end::run(200, 1)
        }),
        (
            "captures recorded from their middle",
            crate::rerecord::quick,
        ),
        ("hardware vectors", || crate::vectors::run(None, false)),
    ];
    for (name, check) in checks {
        println!("-- {name}");
        check()?;
    }
    Ok(())
}
