# SPDX-License-Identifier: Apache-2.0
"""Compares the costs that coalcheck promises with the measured ones, in words."""
import dataclasses
import math
import statistics
import typing


class NotMeasured(Exception):
    """The figures that a claim needs are not there; the message says why."""


@dataclasses.dataclass
class Result:
    """All runs of one variant of one workload; `problem` says why there are fewer than `wanted`."""
    runs: list = dataclasses.field(default_factory=list)
    wanted: int = 0
    problem: str = ""
    left: dict = dataclasses.field(default_factory=dict)  # see variants.left_behind

    def series(self, key):
        """The values of one figure, round by round: of the whole program, or one that it printed."""
        if not self.runs:
            raise NotMeasured(self.problem or "not measured")
        if key in ("seconds", "peak_mib"):
            return [getattr(run, key) for run in self.runs]
        values = [run.values[key] for run in self.runs if key in run.values]
        if not values:
            raise NotMeasured(f"no {key} was printed")
        return values

    def median(self, key):
        return statistics.median(self.series(key))


NATIVE = "native"


def result_of(results, name):
    if name not in results:
        raise NotMeasured("not measured")
    return results[name]


def differences(results, name, key, over=NATIVE):
    """What a variant adds to `over`'s run of the same round, round by round: they ran one soon after the other."""
    return [mine - other for mine, other in
            zip(result_of(results, name).series(key), result_of(results, over).series(key))]


def added(results, name, key):
    """The median of what a variant adds."""
    return statistics.median(differences(results, name, key))


def interval(values):
    """(low, high) that holds the true median with 95 % confidence, whatever the distribution: two order statistics.

    Of five values it is all of them, and 94 %; of fewer it says little, and is all of them, too.
    """
    ordered, count = sorted(values), len(values)
    left_out, chance = 0, 0.5 ** count  # that all values lie above the median
    while 2 * (chance + math.comb(count, left_out + 1) * 0.5 ** count) <= 0.05:
        left_out += 1
        chance += math.comb(count, left_out) * 0.5 ** count
    return ordered[left_out], ordered[count - 1 - left_out]


@dataclasses.dataclass(frozen=True)
class Claim:
    """A promise about one number. `measure(results)` gives (value, its interval or None), or raises NotMeasured.

    `limit` None is no promise: the number is shown. `at_least` turns the limit round.
    """
    text: str
    measure: typing.Callable
    limit: typing.Optional[float] = None
    unit: str = ""
    at_least: bool = False

    def measured(self, results):
        """(what was measured, the verdict), in words."""
        try:
            value, sure = self.measure(results)
        except NotMeasured as reason:
            return "–", str(reason)
        shown = amount(value, self.unit, signed=not self.at_least)
        if sure is not None:
            shown += f" ({amount(sure[0], '', signed=True)} to {amount(sure[1], '', signed=True)})"
        return shown, self.verdict(value, sure or (value, value))

    def verdict(self, value, sure):
        if self.limit is None:
            return "no claim"
        if sure[0] <= self.limit < sure[1]:
            return "not decided: the limit is inside what is likely"
        gap = self.limit - value if self.at_least else value - self.limit
        return "met" if gap <= 0 else f"**missed by {amount(gap, self.unit)}**"


def difference(results, name, key, share, over=NATIVE):
    """(what the variant adds, its interval), times `share`."""
    values = [share * value for value in differences(results, name, key, over)]
    return statistics.median(values), interval(values)


def amount(value, unit, signed=False):
    """Three significant digits: 12.3, 0.0123, 1234."""
    if math.isinf(value):
        return "no cost to compare with"
    digits = 3 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:{'+' if signed else ''}.{min(digits, 4)}f} {unit}".strip()


def adds_at_most(text, name, key, limit, unit):
    """The variant adds no more than `limit`, in the figure's own unit."""
    return Claim(text, lambda results: difference(results, name, key, 1), limit, unit)


def adds_percent(text, name, key, limit):
    """The variant adds no more than `limit` percent of the native median; None only shows it."""
    def measure(results):
        return difference(results, name, key, 100 / result_of(results, NATIVE).median(key))
    return Claim(text, measure, limit, "%")


def adds_each(text, name, limit, over=NATIVE):
    """The variant adds no more than `limit` µs to a launch, over another one; None only shows it."""
    return Claim(text, lambda results: difference(results, name, "launch_us", 1, over), limit, "µs")


def times_cheaper(text, name, other, key, limit):
    """What `other` adds is at least `limit` times what the variant adds."""
    def measure(results):
        mine, theirs = added(results, name, key), added(results, other, key)
        if theirs <= 0:
            raise NotMeasured(f"{other} added nothing")
        return (theirs / mine if mine > 0 else math.inf), None
    return Claim(text, measure, limit, "×", at_least=True)


@dataclasses.dataclass(frozen=True)
class EqualCounts:
    """Two tools counted the same launches, sectors and ideal sectors."""
    text: str
    name: str
    other: str
    keys: tuple = ("launches", "sectors", "ideal_sectors")

    def measured(self, results):
        sides = []
        try:
            for name in (self.name, self.other):
                result = result_of(results, name)
                result.series("seconds")
                if any(key not in result.left for key in self.keys):
                    raise NotMeasured(f"no counts of {name}: {result.left.get('problem', 'it gave none')}")
                sides.append([result.left[key] for key in self.keys])
        except NotMeasured as reason:
            return "–", str(reason)
        if sides[0] == sides[1]:
            return ", ".join(f"{value} {key}" for key, value in zip(self.keys, sides[0])), "met"
        return "; ".join(f"{key} {mine} and {theirs}" for key, mine, theirs in zip(self.keys, *sides)), "**missed**"


@dataclasses.dataclass(frozen=True)
class EqualFigure:
    """A figure that the program prints is the same in every run of every variant."""
    text: str
    key: str

    def measured(self, results):
        values = set()
        try:
            for result in results.values():
                if result.runs:
                    values |= set(result.series(self.key))
        except NotMeasured as reason:
            return "–", str(reason)
        if not values:
            return "–", "not measured"
        if len(values) == 1:
            return "one value in all runs", "met"
        return f"{len(values)} values", "**missed**"
