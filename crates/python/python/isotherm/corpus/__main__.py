"""``python -m isotherm.corpus``: corpora on a cluster.

Exit codes are those of the program: 0 done; 1 cases failed, or something got worse; 2 it could
not be done.
"""

import argparse
import subprocess
import sys
import time

#: Added to the exit code of the process that does the work when it comes to its end: Ray ends a
#: process that lost its cluster with codes of its own, 1 among them.
TOLD = 100


def main(arguments=None):
    """The command line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    args = parser().parse_args(arguments)
    try:
        code = args.act(args, arguments)
    except (OSError, ValueError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"isotherm.corpus: error: {error}", file=sys.stderr)
        code = 2
    return code + TOLD if getattr(args, "once", False) else code


def parser():
    """What there is to say."""
    parser = argparse.ArgumentParser(prog="python -m isotherm.corpus", description="Corpora on a cluster.")
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="draw captures on a Ray cluster")
    run.add_argument("source", nargs="+", help="folder, index.json, manifest.jsonl; a path or a URL")
    run.add_argument("--out", required=True, help="folder of results, a path or a URL")
    run.add_argument("--address", default="auto", help="the cluster's; 'local' starts one here")
    run.add_argument("--program", help="the program on the workers (default: $ISOTHERM, isotherm)")
    run.add_argument("--batch", type=int, default=256, help="captures of a task at most")
    run.add_argument("--timeout", type=float, default=600.0, help="seconds of a capture")
    run.add_argument("--memory", type=int, default=0, help="MiB of a capture")
    run.add_argument("--retries", type=int, default=3, help="attempts in all")
    run.add_argument("--pictures", default="", help="keep pictures of what is not exact here")
    run.add_argument("--restarts", type=int, default=5, help="times to go on when the cluster was lost")
    run.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    run.set_defaults(act=_run)
    report = commands.add_parser("report", help="figures of results, and what changed since")
    report.add_argument("results", help="the folder that run wrote")
    report.add_argument("--commit", help="results of this commit (default: the latest)")
    report.add_argument("--baseline", help="compare with results of this commit or tool version")
    report.set_defaults(act=_report)
    table = commands.add_parser("table", help="lines of conform --jsonl as Parquet")
    table.add_argument("results", nargs="+")
    table.add_argument("-o", "--out", required=True)
    table.set_defaults(act=_table)
    simulate = commands.add_parser("simulate", help="how long the same work takes on more workers")
    simulate.add_argument("results", help="folder of results, or a Parquet file")
    simulate.add_argument("--workers", default="1,2,10,100,1000")
    simulate.add_argument("--batch", type=int, default=256)
    simulate.add_argument("--copies", type=int, default=1, help="as if the corpus were so many times as large")
    simulate.set_defaults(act=_simulate)
    return parser


def _run(args, arguments):
    if not args.once:
        return _supervise(arguments, args.restarts)
    from . import cluster
    from .engine import Engine

    engine = Engine(timeout=args.timeout, memory=args.memory, pictures=args.pictures)
    engine.program = args.program or engine.program
    try:
        done, before, poison = cluster.run(
            args.source, args.out, engine, args.address, args.batch, args.retries, _tell
        )
    except cluster.WriteFailed as error:
        print(f"isotherm.corpus: error: {error}; what is written stays, go on with the same command", file=sys.stderr)
        return 2
    print(f"{done} cases done now, {before} before, {poison} quarantined")
    return 1 if poison else 0


def _supervise(arguments, restarts):
    """Runs the work in a process of its own: Ray ends the processes that lose their cluster.
    What is done stays done, so the next one goes on."""
    for attempt in range(restarts + 1):
        if attempt:
            time.sleep(min(5 * attempt, 60))
            print(f"the cluster was lost, going on ({attempt} of {restarts})", file=sys.stderr)
        code = subprocess.call([sys.executable, *_self(), *arguments, "--once"])
        if code >= TOLD:
            return code - TOLD
    print("isotherm.corpus: error: the cluster was lost too often", file=sys.stderr)
    return 2


def _self():
    """How this program was called."""
    return ["-m", "isotherm.corpus"] if sys.argv[0].endswith("__main__.py") else [sys.argv[0]]


def _tell(text, progress=False):
    now = time.time()
    if progress and now - _tell.last < 5:
        return
    _tell.last = now if progress else _tell.last
    print(text, file=sys.stderr, flush=True)


_tell.last = 0.0


def _report(args, _):
    from . import report

    return report.show(args.results, args.commit, args.baseline)


def _table(args, _):
    from . import table

    print(f"{args.out}: {table.write(args.results, args.out)} rows")
    return 0


def _simulate(args, _):
    from . import simulate

    workers = [int(number) for number in args.workers.split(",")]
    simulate.show(args.results, workers, args.batch, args.copies)
    return 0


if __name__ == "__main__":
    sys.exit(main())
