# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a watched run, in sentences; none when it is as it has to be."""
import re

_RESIDENT = re.compile(r"resident KB: start (\d+) .*end (\d+)")


def behaviour(case, native, watched):
    """The program must not notice that it is watched."""
    if watched.stacks:
        return ["hung"]
    problems = []
    if watched.status != native.status:
        problems.append(f"ended with {watched.status}, natively with {native.status}")
    if watched.stdout != native.stdout:
        problems.append("changed output: " + _difference(native.stdout, watched.stdout))
    if case.most_growth_mb is not None:
        problems += _growth(case, watched)
    return problems


def _growth(case, watched):
    found = _RESIDENT.search(watched.stderr)
    if not found:
        return ["the program did not say how much memory it used"]
    grown = (int(found[2]) - int(found[1])) / 1024
    return [f"grew by {grown:.0f} MB"] if grown > case.most_growth_mb else []


def _difference(native, watched):
    for ours, theirs in zip(watched.split(b"\n"), native.split(b"\n")):
        if ours != theirs:
            return f"'{ours.decode(errors='replace')[:80]}' for '{theirs.decode(errors='replace')[:80]}'"
    return f"{len(watched)} bytes for {len(native)}"


def recording(case, recorded):
    """The recording must be complete, and hold what the table promises."""
    problems = [] if case.torn else list(recorded.problems)
    if len(recorded.folders) != case.recordings:
        problems.append(f"{len(recorded.folders)} recordings, not {case.recordings}")
    if recorded.empty:
        problems.append(f"{len(recorded.empty)} recordings without a launch were left behind")
    if len(recorded.windows) < case.windows:
        problems.append(f"{len(recorded.windows)} windows, fewer than {case.windows}")
    if case.end != "any":
        problems += [f"the end is '{end}', not '{case.end}'" for end in recorded.ends if end != case.end]
    return problems + _losses(case, recorded) + (_tallies(case, recorded) if case.tallies else [])


def ends_as_seen_by_launcher(case, recorded):
    """`coalcheck run` adds how its own process ended, which is the case's exit where that is the only one.

    Of a child that the program itself waits for, nobody else learns the exit: its recording has its own end.
    """
    problems = []
    if recorded.unexplained or (case.recordings == 1 and not recorded.process_ends):
        problems.append(f"{max(1, len(recorded.unexplained))} recordings do not say how their process ended")
    if case.recordings == 1 and recorded.process_ends and recorded.process_ends[-1] != case.exit:
        problems.append(f"its recording says that it ended with {recorded.process_ends[-1]}, not {case.exit}")
    return problems


# What was not sampled is missing from the cost and from no count.
_OF_SAMPLES = ("no_pc_sampling", "pc_samples_lost")


def _losses(case, recorded):
    problems = [f"{what} is not named as lost" for what in case.losses if what not in recorded.losses]
    for what, count in recorded.losses.items():
        if what not in case.losses and what not in case.may_lose and what not in _OF_SAMPLES:
            problems.append(f"lost: {what} ({count})")
    return problems


def _counted_besides(part, recorded):
    return [f"{tally['kernel']} was counted, too" for tally in recorded.tallies.values()
            if tally["counted"] and part not in tally["kernel"]]


def _tallies(case, recorded):
    problems = []
    for tally in recorded.tallies.values():
        sum_of_parts = tally["counted"] + sum(one["launches"] for one in tally["skipped"])
        if sum_of_parts != tally["launches"]:
            problems.append(f"{tally['kernel']}: {sum_of_parts} of {tally['launches']} launches accounted for")
    skipped = recorded.skipped()
    for name, launches in case.launches_in.items():
        if recorded.launches_in(name) != launches:
            problems.append(f"{recorded.launches_in(name)} launches in range {name}, not {launches}")
    for part, launches in case.counted_of.items():
        if recorded.counted(part) != launches:
            problems.append(f"{recorded.counted(part)} launches of {part} counted, not {launches}")
    problems += _counted_besides(case.counts_only, recorded)
    problems += [f"no launch was skipped for {reason}" for reason in case.skipped if reason not in skipped]
    if "unseen_graph" in recorded.losses:
        return problems  # its launches are in no tally
    expected = dict(case.launches_of)
    if case.launches is not None:
        expected[""] = case.launches
    for part, launches in expected.items():
        if recorded.launches(part) != launches:
            problems.append(f"{recorded.launches(part)} launches{' of ' if part else ''}{part}, not {launches}")
    return problems
