//! What a stream of commands may cost.
//!
//! A capture of a hundred bytes can ask for gigabytes and for days of work. So every unit
//! charges a piece of work to the chip's one [`Budget`] before it does it, and leaves it undone
//! when that is refused. After the first refusal everything is refused: what was drawn until
//! then stays, and whoever feeds the chip gets an error that names the unit.
//!
//! Prices come from the commands alone, not from the clock, so where a budget ends does not
//! depend on the number of threads or on the machine. The limits are far above what drivers
//! ask for: no capture of a real program comes near them.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Memory that was never written before.
    Memory,
    /// Words of the pusher.
    Pusher,
    /// Vertex fetch, transform and assembly.
    Vertices,
    /// State, made ready for a draw.
    Prepare,
    /// Raster, pixel units, raster operations.
    Pixels,
    /// Textures, decoded.
    Textures,
    /// Loops of fragment programs.
    Programs,
    /// Buffers of clip ids.
    ClipIds,
    /// The 2D engine.
    TwoD,
    /// Copies of memory, and surfaces that are read.
    Copies,
    /// A Mali's geometry processor.
    Gp,
    /// A Mali's pixel processors.
    Pp,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Memory => "memory",
            Unit::Pusher => "pusher",
            Unit::Vertices => "vertices",
            Unit::Prepare => "prepared state",
            Unit::Pixels => "pixels",
            Unit::Textures => "textures",
            Unit::Programs => "fragment programs",
            Unit::ClipIds => "clip ids",
            Unit::TwoD => "2D engine",
            Unit::Copies => "copies",
            Unit::Gp => "GP",
            Unit::Pp => "PP",
        }
    }
}

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Bytes that are held at the same time.
    Held,
    /// Steps: a pixel's way through a unit, an instruction; about a nanosecond each.
    Steps,
    /// Bytes that are copied.
    Copied,
    /// Texels that are decoded.
    Texels,
}

impl Cost {
    /// All of them, in the order of their counters.
    const ALL: [Cost; 4] = [Cost::Held, Cost::Steps, Cost::Copied, Cost::Texels];

    /// The name in `--budget`.
    fn name(self) -> &'static str {
        match self {
            Cost::Held => "held",
            Cost::Steps => "steps",
            Cost::Copied => "copied",
            Cost::Texels => "texels",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Cost::Held => "bytes held at once",
            Cost::Steps => "steps",
            Cost::Copied => "bytes copied",
            Cost::Texels => "texels decoded",
        }
    }
}

/// How much there is of everything.
///
/// ```
/// use isotherm_bus::budget::Limits;
/// let twice: Limits = "2".parse()?;
/// assert_eq!(twice.steps, 2 * Limits::default().steps);
/// let few: Limits = "steps=1000000,held=100000000".parse()?;
/// assert_eq!((few.steps, few.copied), (1_000_000, Limits::default().copied));
/// assert_eq!("none".parse(), Ok(Limits::NONE));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes held at the same time: memory that was written, decoded textures.
    pub held: u64,
    /// Steps of all units.
    pub steps: u64,
    /// Bytes copied.
    pub copied: u64,
    /// Texels decoded.
    pub texels: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            held: 768 << 20,
            steps: 20_000_000_000,
            copied: 8 << 30,
            texels: 2 << 30,
        }
    }
}

/// What [`set_usual`] was told.
static USUAL: OnceLock<Limits> = OnceLock::new();

/// The limits of every chip that is made from now on and gets none of its own: for programs
/// whose user says so on the command line. The first call counts; says whether this is it.
pub fn set_usual(limits: Limits) -> bool {
    USUAL.set(limits).is_ok()
}

impl Limits {
    /// The limits of chips that get none of their own: the default ones, unless [`set_usual`]
    /// was called.
    pub fn usual() -> Limits {
        USUAL.get().copied().unwrap_or_default()
    }

    /// No limits, for streams that can be trusted.
    pub const NONE: Limits = Limits {
        held: u64::MAX,
        steps: u64::MAX,
        copied: u64::MAX,
        texels: u64::MAX,
    };

    fn get(&self, cost: Cost) -> u64 {
        match cost {
            Cost::Held => self.held,
            Cost::Steps => self.steps,
            Cost::Copied => self.copied,
            Cost::Texels => self.texels,
        }
    }

    fn get_mut(&mut self, cost: Cost) -> &mut u64 {
        match cost {
            Cost::Held => &mut self.held,
            Cost::Steps => &mut self.steps,
            Cost::Copied => &mut self.copied,
            Cost::Texels => &mut self.texels,
        }
    }
}

impl FromStr for Limits {
    type Err = String;

    /// `none`, how many times the usual limits, or single limits by name.
    fn from_str(text: &str) -> Result<Limits, String> {
        const WANTED: &str = "expected none, a factor, or held=, steps=, copied=, texels= with \
                              numbers, separated by commas";
        if text == "none" {
            return Ok(Limits::NONE);
        }
        let mut limits = Limits::default();
        if let Ok(factor) = text.parse::<f64>() {
            if !(factor > 0.0 && factor.is_finite()) {
                return Err(WANTED.into());
            }
            for cost in Cost::ALL {
                let limit = limits.get_mut(cost);
                *limit = (*limit as f64 * factor) as u64;
            }
            return Ok(limits);
        }
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or(WANTED)?;
            let cost = Cost::ALL.into_iter().find(|cost| cost.name() == name);
            let value = value.parse().map_err(|_| WANTED)?;
            *limits.get_mut(cost.ok_or(WANTED)?) = value;
        }
        Ok(limits)
    }
}

/// Something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// Who asked.
    pub unit: Unit,
    /// For what.
    pub cost: Cost,
    /// How much there was of it.
    pub limit: u64,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, limit, cost) = (self.unit.name(), self.limit, self.cost.plural());
        write!(f, "over budget: {unit}: more than {limit} {cost}")
    }
}

impl std::error::Error for Over {}

/// What was spent of the limits.
#[derive(Debug, Default)]
pub struct Budget {
    limits: Limits,
    spent: [AtomicU64; 4],
    /// There was a refusal: the first one is below.
    refused: AtomicBool,
    over: Mutex<Option<Over>>,
}

impl Budget {
    /// Nothing of these limits is spent.
    pub fn new(limits: Limits) -> Budget {
        Budget {
            limits,
            ..Budget::default()
        }
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The first refusal.
    #[inline]
    pub fn over(&self) -> Option<Over> {
        match self.refused.load(Ordering::Relaxed) {
            true => *self.over.lock().unwrap_or_else(PoisonError::into_inner),
            false => None,
        }
    }

    /// What was spent, or is held.
    pub fn spent(&self, cost: Cost) -> u64 {
        self.spent[cost as usize].load(Ordering::Relaxed)
    }

    /// How much is left; nothing after a refusal.
    pub fn left(&self, cost: Cost) -> u64 {
        match self.over() {
            Some(_) => 0,
            None => self.limits.get(cost).saturating_sub(self.spent(cost)),
        }
    }

    /// Asks for so much. If it says no, the work is not to be done.
    #[inline]
    #[must_use]
    pub fn charge(&self, unit: Unit, cost: Cost, amount: u64) -> bool {
        if self.refused.load(Ordering::Relaxed) {
            return false;
        }
        let limit = self.limits.get(cost);
        let before = self.spent[cost as usize].fetch_add(amount.min(1 << 62), Ordering::Relaxed);
        if before.saturating_add(amount) <= limit || limit == u64::MAX {
            return true;
        }
        self.refuse(Over { unit, cost, limit })
    }

    /// An account for many small charges, made by one who charges alone in the meantime.
    pub fn account(&self, unit: Unit, cost: Cost) -> Account<'_> {
        Account {
            budget: self,
            unit,
            cost,
            left: self.left(cost),
            owed: 0,
        }
    }

    #[cold]
    fn refuse(&self, over: Over) -> bool {
        let mut first = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(over);
        self.refused.store(true, Ordering::Relaxed);
        false
    }

    /// Asks for bytes that are held until the result is dropped.
    #[must_use]
    pub fn hold(self: &Arc<Self>, unit: Unit, bytes: u64) -> Option<Held> {
        let granted = self.charge(unit, Cost::Held, bytes);
        granted.then(|| Held {
            budget: Arc::clone(self),
            bytes,
        })
    }

    /// Begins anew, with what is still held: for those who serve one request after the other.
    pub fn renew(&self) {
        for cost in [Cost::Steps, Cost::Copied, Cost::Texels] {
            self.spent[cost as usize].store(0, Ordering::Relaxed);
        }
        *self.over.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.refused.store(false, Ordering::Relaxed);
    }
}

/// Charges that are added up and made as one, as long as it is known that all are granted: a
/// primitive is set up in less time than threads take to agree on a sum.
#[derive(Debug)]
pub struct Account<'a> {
    budget: &'a Budget,
    unit: Unit,
    cost: Cost,
    left: u64,
    owed: u64,
}

impl Account<'_> {
    /// The same as [`Budget::charge`].
    #[inline]
    #[must_use]
    pub fn charge(&mut self, amount: u64) -> bool {
        if amount < self.left {
            self.left -= amount;
            self.owed += amount;
            return true;
        }
        self.left = 0;
        self.settle();
        self.budget.charge(self.unit, self.cost, amount)
    }

    fn settle(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        if owed != 0 {
            // It is granted: there was so much left.
            let _ = self.budget.charge(self.unit, self.cost, owed);
        }
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.settle();
    }
}

/// Bytes of a budget that are in use.
#[derive(Debug)]
pub struct Held {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        let spent = &self.budget.spent[Cost::Held as usize];
        spent.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_refusal_is_the_last_word() {
        let budget = Budget::new("steps=10".parse().unwrap());
        assert!(budget.charge(Unit::Pixels, Cost::Steps, 10));
        assert_eq!((budget.left(Cost::Steps), budget.over()), (0, None));
        assert!(!budget.charge(Unit::TwoD, Cost::Steps, 1));
        assert!(!budget.charge(Unit::Copies, Cost::Copied, 1));
        let over = budget.over().unwrap();
        assert_eq!(
            over.to_string(),
            "over budget: 2D engine: more than 10 steps"
        );
        assert_eq!(budget.left(Cost::Texels), 0);
    }

    #[test]
    fn an_account_grants_what_the_budget_would() {
        for limit in 0..40 {
            let limits: Limits = format!("steps={limit}").parse().unwrap();
            let (one, many) = (Budget::new(limits), Budget::new(limits));
            let mut account = many.account(Unit::Pixels, Cost::Steps);
            for amount in [3, 0, 7, 1, 12, 5, 0, 6] {
                let granted = one.charge(Unit::Pixels, Cost::Steps, amount);
                assert_eq!(account.charge(amount), granted, "{amount} of {limit}");
            }
            drop(account);
            assert_eq!(many.over().is_some(), one.over().is_some());
            assert_eq!(many.spent(Cost::Steps), one.spent(Cost::Steps));
        }
    }

    #[test]
    fn what_is_held_comes_back() {
        let budget = Arc::new(Budget::new("held=100".parse().unwrap()));
        let first = budget.hold(Unit::Textures, 60);
        assert!(first.is_some());
        drop(first);
        let kept = budget.hold(Unit::Textures, 70);
        assert_eq!(budget.spent(Cost::Held), 70);
        assert!(budget.hold(Unit::Textures, 31).is_none());
        drop(kept);
    }

    #[test]
    fn amounts_of_any_size_are_refused_or_granted() {
        let budget = Budget::new(Limits::NONE);
        for _ in 0..8 {
            assert!(budget.charge(Unit::Copies, Cost::Copied, u64::MAX));
        }
        let budget = Budget::default();
        assert!(!budget.charge(Unit::Copies, Cost::Copied, u64::MAX));
    }

    #[test]
    fn renewed_budgets_remember_what_is_held() {
        let budget = Arc::new(Budget::new("held=10,steps=1".parse().unwrap()));
        let held = budget.hold(Unit::Memory, 8);
        assert!(!budget.charge(Unit::Pixels, Cost::Steps, 2));
        budget.renew();
        assert!(budget.charge(Unit::Pixels, Cost::Steps, 1));
        assert!(budget.hold(Unit::Memory, 8).is_none());
        drop(held);
    }

    #[test]
    fn limits_that_make_no_sense() {
        for text in ["", "-1", "0", "nan", "inf", "steps", "steps=x", "speed=1"] {
            assert!(text.parse::<Limits>().is_err(), "{text}");
        }
    }
}
