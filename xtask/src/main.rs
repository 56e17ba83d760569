//! The project's chores: `cargo xtask <task>`. One task per file.

mod bench;
mod boards;
mod captures;
mod checks;
mod conform;
mod differential;
mod dist;
mod doors;
mod front_end;
mod fuzz;
mod guided;
mod hostile;
mod imports;
mod masks;
mod mutants;
mod piglit;
mod programs;
mod rerecord;
mod states;
mod threads;
mod vectors;
mod words;

use clap::Parser;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    /// The benchmark scenes beside Mesa's software drivers.
    Bench(bench::Args),
    /// Results of dEQP beside what real boards fail.
    Boards(boards::Args),
    /// The conformance figures against the floor that only rises.
    Conform(conform::Args),
    /// Mutated captures of every family, replayed in several ways that must leave the same
    /// memory.
    Differential(differential::Args),
    /// A release: programs, libraries, page, notices, checksums.
    Dist(dist::Args),
    /// Every capture through the front end: the index's counts, no traps; contexts saved and
    /// restored.
    FrontEnd {
        /// In how many captures a context is saved and restored.
        #[arg(long, default_value_t = 200)]
        contexts: usize,
        /// Seed of the places.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// What the C interface, borrowed memory and recording cost.
    Doors,
    /// Hostile input for the parsers and machines, from seeds.
    Fuzz {
        /// How many rounds.
        #[arg(long, default_value_t = 10_000)]
        rounds: u64,
        /// First seed.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Run for so many seconds instead, every target for its share.
        #[arg(long)]
        seconds: Option<u64>,
        /// The same in minutes.
        #[arg(long, conflicts_with = "seconds")]
        minutes: Option<u64>,
        /// The same in hours.
        #[arg(long, conflicts_with_all = ["seconds", "minutes"])]
        hours: Option<u64>,
        /// Only the target whose name has this part.
        #[arg(long, value_name = "NAME")]
        only: Option<String>,
        /// The coverage-guided target of this name in `fuzz/`, with libFuzzer.
        #[arg(long, value_name = "TARGET", conflicts_with = "only")]
        guided: Option<String>,
        #[command(flatten)]
        look: guided::Args,
        /// Adds up in this file how often each target ran.
        #[arg(long, value_name = "FILE")]
        log: Option<std::path::PathBuf>,
    },
    /// Every tool on small files that ask for much: no panic, bounded memory and time.
    Hostile(hostile::Args),
    /// Every method of all captures has a name.
    Methods,
    /// Small changes of the pixel units that the tests must notice.
    Mutants(mutants::Args),
    /// Debian's piglit on the model, beside what a real board fails.
    Piglit(piglit::Args),
    /// Captures recorded anew from their middle by the recorder kit show the same pictures.
    Rerecord(rerecord::Args),
    /// Every Mali render state of the streams decodes and comes back.
    RenderStates,
    /// Vertex programs: text and words agree, and all of them run to their end. Fragment programs:
    /// the same bits as they are prepared and step by step.
    Programs {
        /// Random programs per instruction set whose text and words are compared.
        #[arg(long, default_value_t = 100_000)]
        count: usize,
        /// Random fragment programs that run.
        #[arg(long, default_value_t = 1_000_000)]
        fragments: u64,
    },
    /// Where the shared data is looked for.
    Shared,
    /// The checks over the shared data that are quick enough for every change.
    SharedChecks,
    /// The same bits at any number of threads and any vector level.
    Threads(threads::Args),
    /// The declared fields against the bits that register scans found.
    Masks {
        /// The scans; the shared data's `vectors/masks.json` by default.
        file: Option<std::path::PathBuf>,
    },
    /// Hardware vectors against the code, bit for bit.
    Vectors {
        /// Folder of the vectors; the shared data's by default.
        folder: Option<std::path::PathBuf>,
        /// Name every method row that differs, with the word it fails to list.
        #[arg(long)]
        list: bool,
    },
}

/// The shared data folder: `ISOTHERM_SHARED`, or `../shared`.
pub fn shared() -> std::path::PathBuf {
    std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../shared".into(), Into::into)
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Bench(args) => bench::run(&args)?,
        Task::Boards(args) => boards::run(&args)?,
        Task::Conform(args) => conform::run(&args)?,
        Task::Differential(args) => differential::run(&args)?,
        Task::Dist(args) => dist::run(&args)?,
        Task::Doors => doors::run()?,
        Task::Fuzz {
            rounds,
            seed,
            seconds,
            minutes,
            hours,
            only,
            guided,
            look,
            log,
        } => {
            let minutes = minutes.or(hours.map(|hours| 60 * hours));
            let seconds = seconds.or(minutes.map(|minutes| 60 * minutes));
            let log = &mut fuzz::Log::open(log)?;
            match (guided, only, seconds) {
                (Some(target), _, _) => guided::run(&target, seconds.unwrap_or(120), &look)?,
                (_, Some(only), _) => fuzz::run_only(&only, rounds, seed, log)?,
                (_, _, Some(seconds)) => fuzz::run_for(seconds, seed, log)?,
                _ => fuzz::run(rounds, seed, log)?,
            }
        }
        Task::FrontEnd { contexts, seed } => front_end::run(contexts, seed)?,
        Task::Hostile(args) => hostile::run(&args)?,
        Task::Methods => words::methods()?,
        Task::Mutants(args) => mutants::run(&args)?,
        Task::Piglit(args) => piglit::run(&args)?,
        Task::Rerecord(args) => rerecord::run(&args)?,
        Task::RenderStates => words::render_states()?,
        Task::Programs { count, fragments } => programs::run_task(count, fragments)?,
        Task::Shared => println!("{}", shared().display()),
        Task::SharedChecks => checks::run()?,
        Task::Threads(args) => threads::run(&args)?,
        Task::Masks { file } => masks::run(file)?,
        Task::Vectors { folder, list } => vectors::run(folder, list)?,
    }
    Ok(())
}
