"""How long measured work takes on more workers: the driver's scheduling, played through."""

import heapq

from . import report
from .plan import DRIVER, Plan

#: Seconds of a task beside drawing: the program starts, a part is written. Processor time.
TASK = 0.03


def makespan(seconds, workers, most=256, driver=DRIVER):
    """When the last task ends, how many there were and how long the longest took. A task starts
    when a worker is free and the driver, which does one thing at a time, has handed it out."""
    plan = Plan(range(len(seconds)), most, lambda unit: seconds[unit])
    free = [0.0] * min(workers, len(seconds))
    clock = end = longest = 0.0
    count = 0
    while plan:
        took = TASK + sum(seconds[unit] for unit in plan.take(workers))
        clock += driver
        start = max(clock, heapq.heappop(free))
        heapq.heappush(free, start + took)
        end, longest, count = max(end, start + took), max(longest, took), count + 1
    return end, count, longest


def show(results, workers, most, copies):
    """Prints a table."""
    with report.connect(results) as db:
        rows = db.execute("SELECT max(seconds) FROM latest GROUP BY suite, capture ORDER BY suite, capture").fetchall()
    seconds = [row[0] for row in rows] * copies
    alone, _, _ = makespan(seconds, 1, most)
    print(f"{len(seconds)} captures, {alone:.1f} s on one worker")
    for number in workers:
        took, tasks, longest = makespan(seconds, number, most)
        efficiency = 100 * alone / took / number
        print(
            f"{number:6} workers: {took:9.1f} s, {tasks} tasks, the longest {longest:.2f} s, "
            f"speed-up {alone / took:7.1f}, efficiency {efficiency:5.1f} %"
        )
