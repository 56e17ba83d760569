"""How long measured work takes on more workers: the driver's scheduling, played through."""

import heapq

from . import report

#: Seconds of the driver for a task of 64 captures: handing it out and taking its answer. Processor
#: time over 40 such tasks that did nothing.
DRIVER = 0.003
#: Seconds of a task beside drawing: the program starts, a part is written. Processor time, too.
TASK = 0.03


def tasks(seconds, size, copies=1):
    """Times of batches of ``size`` captures."""
    seconds = list(seconds) * copies
    return [TASK + sum(seconds[at : at + size]) for at in range(0, len(seconds), size)]


def makespan(times, workers, driver=DRIVER):
    """When the last task ends. A task starts when a worker is free and the driver, which does
    one thing at a time, has handed it out."""
    free = [0.0] * min(workers, len(times))
    clock = end = 0.0
    for time in times:
        clock += driver
        start = max(clock, heapq.heappop(free))
        heapq.heappush(free, start + time)
        end = max(end, start + time)
    return end


def show(results, workers, size, copies):
    """Prints a table."""
    with report.connect(results) as db:
        rows = db.execute("SELECT max(seconds) FROM latest GROUP BY suite, capture ORDER BY suite, capture").fetchall()
    times = tasks([row[0] for row in rows], size, copies)
    alone = makespan(times, 1)
    print(f"{len(rows) * copies} captures in {len(times)} tasks, {alone:.1f} s on one worker, longest task {max(times):.2f} s")
    for count in workers:
        took = makespan(times, count)
        print(f"{count:6} workers: {took:9.1f} s, speed-up {alone / took:7.1f}, efficiency {100 * alone / took / count:5.1f} %")
