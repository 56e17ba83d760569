"""How the work is cut into tasks: long ones, because each starts a program and writes a file, and
short ones at the end, so that no worker waits for another."""

import collections

#: Seconds of a task while there is enough to do. So much is lost with a worker that dies.
LONG = 4.0
#: Seconds of the last tasks.
SHORT = 0.4
#: Captures of a task as long as nobody knows how long they take.
FIRST = 16
#: Seconds of the driver for a task: handing it out and taking its answer. Processor time over 40
#: tasks that did nothing.
DRIVER = 0.003


class Plan:
    """Units that wait. What they take is known from earlier results (``seconds``, by unit) or
    guessed from those that are done."""

    def __init__(self, units, most, seconds=lambda unit: None):
        costs = [(seconds(unit), unit) for unit in units]
        # Long ones first: one of them at the end would be waited for. The others stay as they
        # are listed, suite by suite, for results are written by suite.
        long = [pair for pair in costs if (pair[0] or 0.0) > SHORT]
        long.sort(key=lambda pair: -pair[0])
        rest = [pair for pair in costs if not (pair[0] or 0.0) > SHORT]
        self._left = collections.deque(long + rest)
        self._known = sum(cost for cost, _ in costs if cost is not None)
        self._unknown = sum(cost is None for cost, _ in costs)
        self._most = most
        self._done = self._took = 0

    def __len__(self):
        return len(self._left)

    def learn(self, captures, took):
        """So many captures took so many seconds."""
        self._done += captures
        self._took += took

    def take(self, workers):
        """Units of the next task, for so many workers."""
        target = self._target(workers)
        units, takes = [], 0.0
        while self._left and len(units) < self._most:
            cost, unit = self._left[0]
            takes += self._mean() if cost is None else cost
            if units and takes > target:
                break
            self._left.popleft()
            units.append(unit)
            if cost is None:
                self._unknown -= 1
            else:
                self._known -= cost
        return units

    def _mean(self):
        return self._took / self._done if self._done else SHORT / FIRST

    def _target(self, workers):
        if self._unknown and not self._done:
            return SHORT
        left = self._known + self._unknown * self._mean()
        # The driver hands out one task after the other: with more workers than it can serve, the
        # square root is where handing out and the last task take least together.
        driver = min(DRIVER * workers, (DRIVER * left) ** 0.5)
        return min(LONG, max(SHORT, driver, left / (2 * workers)))
