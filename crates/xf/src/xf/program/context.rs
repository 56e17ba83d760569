//! The context memory, as far as a program may touch it.

/// Context rows. Simple programs only read; programs with side effects write, too.
pub(super) enum Context<'a> {
    /// What a program writes is dropped.
    ReadOnly(&'a [[u32; 4]]),
    /// What a program writes is there for the next vertex.
    Writable(&'a mut [[u32; 4]]),
}

impl Context<'_> {
    /// A row; zero beyond the memory.
    #[inline(always)]
    pub(super) fn read(&self, row: i64) -> [u32; 4] {
        let rows: &[[u32; 4]] = match self {
            Context::ReadOnly(rows) => rows,
            Context::Writable(rows) => rows,
        };
        let row = usize::try_from(row).ok().and_then(|r| rows.get(r));
        row.copied().unwrap_or_default()
    }

    /// Writes one component of a row, where the program may.
    pub(super) fn write(&mut self, row: i64, component: usize, value: u32) {
        let Context::Writable(rows) = self else {
            return;
        };
        if let Some(r) = usize::try_from(row).ok().and_then(|r| rows.get_mut(r)) {
            r[component] = value;
        }
    }
}
