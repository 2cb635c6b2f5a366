# SPDX-License-Identifier: Apache-2.0
"""Shows on a machine with two GPUs what of jobs of several ranks can be shown nowhere else, as a table.

Trainings over two ranks and a gather over two and four, started by torchrun and, where there is one, by mpirun: each natively
and watched. A row that cannot be made does not stop the others. The exit code is 1 where a row is not as it has to be.
"""

import argparse
import concurrent.futures
import filecmp
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[2] / "build" / "default"
TRAININGS = ("data", "tensor", "pipeline")
EVERY_SHAPE = "--sampling auto --budget 100% --kernel gather_by_index"
SHAPES = 9  # of gather.py, the first one included


class Failed(Exception):
    """A row is not as it has to be, and why."""


def demand(condition, why):
    if not condition:
        raise Failed(why)


def torchrun(ranks, program, *words):
    return [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", ranks, HERE / program, *words]


def mpirun(ranks, program, *words):
    return ["mpirun", "--oversubscribe", "-n", ranks, sys.executable, HERE / program, *words]


def printed(done):
    """What the ranks printed, in no order."""
    return sorted(line for line in done.stdout.splitlines() if line.startswith("rank "))


class Check:
    """The command, the library, a folder, and a log of all that was run."""

    def __init__(self, arguments, folder):
        self.command, self.agent, self.folder = arguments.command.absolute(), arguments.agent.absolute(), folder
        self.log = open(arguments.log, "w", encoding="utf-8")  # pylint: disable=consider-using-with  # to the end
        self.end = time.monotonic() + arguments.seconds
        self.native = {}
        self.failed = []

    def run(self, words, most_seconds=60, **variables):
        """Runs it in a process group of its own; what is left of that at the deadline is killed."""
        environment = {**os.environ, "TRITON_CACHE_DIR": str(self.folder / "triton"), "PYTHONDONTWRITEBYTECODE": "1",
                       "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **variables}
        words, begin = [str(word) for word in words], time.monotonic()
        with subprocess.Popen(words, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=max(1, min(most_seconds, self.end - begin)))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                err += "\nkilled at its deadline"
        print(f"$ {shlex.join(words)}  # {variables}\n{out}{err}\n# exit code {process.returncode}, "
              f"{time.monotonic() - begin:.1f} s\n", file=self.log, flush=True)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def run_natively(self):
        """All at a time: nothing of them is timed or counted."""
        jobs = {**{kind: torchrun(2, "training.py", kind) for kind in TRAININGS},
                "gather": torchrun(2, "gather.py"), "gather by four": torchrun(4, "gather.py")}
        with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
            begun = {name: pool.submit(self.run, words, 90) for name, words in jobs.items()}
        self.native = {name: printed(one.result()) for name, one in begun.items()}

    def watch(self, name, words, options=""):
        """The folder with a recording of each rank, and what the job was."""
        recordings = self.folder / name
        done = self.run(words, CUDA_INJECTION64_PATH=str(self.agent),
                        COALCHECK_OPTIONS=f"--no-report --recording {recordings}/%r.rec {options}")
        return recordings, done

    def compare(self, name, done):
        demand(done.returncode == 0, f"the watched job ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        demand(self.native[name], "the native job printed nothing")
        demand(printed(done) == self.native[name], f"other outputs than natively: {printed(done)}, {self.native[name]}")

    def merge(self, target, *recordings):
        done = self.run([self.command, "merge", target, *recordings])
        demand(done.returncode == 0, f"merge ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        return target

    def report(self, recording, *options):
        """Its JSON, its text, and its exit code."""
        words = [self.command, "report", "--source-root", HERE, *options]
        made, shown = self.run([*words, "--format", "json", recording]), self.run([*words, recording])
        demand(made.stdout.startswith("{"), f"no report: {made.stderr.strip()[-300:]}")
        return json.loads(made.stdout), shown.stdout + shown.stderr, shown.returncode

    def row(self, name, make):
        """A row of the table, whatever comes of it."""
        try:
            demand(time.monotonic() < self.end - 5, "not run: the time was up")
            good, shown = True, make(self)
        except Failed as why:
            good, shown = False, why
        except Exception as error:  # pylint: disable=broad-exception-caught  # it is one row, whatever is thrown
            good, shown = False, f"{type(error).__name__}: {error}"
        self.failed += [] if good else [name]
        for stream in (sys.stdout, self.log):
            print(f"{'ok  ' if good else 'FAIL'}  {name}: {str(shown).strip()[:500]}", file=stream, flush=True)


def line_with(text, part):
    """The line of a report that says this."""
    found = next((line for line in text.splitlines() if part in line), None)
    demand(found, f"the report does not say '{part}': {text.strip()[-300:]}")
    return found.removeprefix("coalcheck: ")


def one_report(report, text, ranks):
    demand(report["job"] and report["job"]["ranks_recorded"] == ranks, f"ranks: {report['job']}")
    demand(report["summary"]["launches_checked"] > 0, "no launch was checked")
    return f"{line_with(text, f'{ranks} of {ranks} ranks recorded')}; {line_with(text, 'ranks compared in')}"


def under_the_launcher(check):
    """coalcheck torchrun …: one report at its end."""
    made = check.folder / "launched.json"
    done = check.run([check.command, "run", "--library", check.agent, "--format", "text", "--format", f"json={made}", "--exit-zero",
                      *torchrun(2, "training.py", "data")])
    check.compare("data", done)
    return one_report(json.loads(made.read_text()), done.stderr, 2)


def training(kind):
    def make(check):
        recordings, done = check.watch(kind, torchrun(2, "training.py", kind))
        check.compare(kind, done)
        report, text, _ = check.report(check.merge(check.folder / f"{kind}.merged", recordings))
        return one_report(report, text, 2)
    return make


def differing(check):
    """Two ranks with other data; their recordings serve the next rows, too."""
    recordings, done = check.watch("gather", torchrun(2, "gather.py"), EVERY_SHAPE)
    check.compare("gather", done)
    report, text, _ = check.report(check.merge(check.folder / "gather.merged", recordings))
    one_report(report, text, 2)
    first = report["job"]["differences"][0]
    demand((first["least"]["rank"], first["most"]["rank"]) == (0, 1), f"rank 1 counts no more than rank 0: {first}")
    return line_with(text, "sectors a request differ over 2 processes")


def files_of(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def merged_twice(check):
    """Each rank as a node of its own, then the nodes in the other order."""
    recordings, whole = check.folder / "gather", check.folder / "gather.merged"
    nodes = [check.merge(check.folder / f"node{rank}", recordings / f"{rank}.rec") for rank in (0, 1)]
    tree = check.merge(check.folder / "tree", *reversed(nodes))
    demand(files_of(tree) == files_of(whole), f"other files: {files_of(tree)}, {files_of(whole)}")
    _, other, broken = filecmp.cmpfiles(tree, whole, files_of(whole), shallow=False)
    demand(not other + broken, f"other bytes: {other + broken}")
    return f"the same bytes in {len(files_of(whole))} files as in one step"


def too_few_ranks(check):
    """Of the least strict judgement, since a finding would win over exit code 4."""
    codes = []
    for options in ([], ["--min-ranks", "50%"], ["--min-ranks", "1"]):
        _, text, code = check.report(check.folder / "gather" / "0.rec", "--min-wasted-share", "100", *options)
        codes.append(code)
        missing = line_with(text, "rank 1 is missing")
    demand(codes == [4, 0, 0], f"exit codes {codes}, not 4, 0, 0")
    return f"exit code 4, and 0 with --min-ranks 50% and 1: {missing}"


def killed(check):
    recordings, done = check.watch("killed", torchrun(2, "gather.py", "killed", check.folder), EVERY_SHAPE)
    demand(done.returncode != 0, "torchrun did not see that a rank was killed")
    report, text, _ = check.report(check.merge(check.folder / "killed.merged", recordings))
    one_report(report, text, 2)
    demand(report["summary"]["launches_checked"] == 2 * SHAPES - 1, f"{report['summary']['launches_checked']} launches checked")
    return line_with(text, "of rank 1: ended without finishing its recording")


def spread(share, checked):
    """Four ranks, two on each GPU: the first shape is counted on all, each further one on two or on all."""
    def make(check):
        name = f"share {share}"
        recordings, done = check.watch(name.replace(" ", "-"), torchrun(4, "gather.py"), f"{EVERY_SHAPE} --rank-share {share}")
        check.compare("gather by four", done)
        report, text, _ = check.report(check.merge(check.folder / f"{name}.merged", recordings))
        said = one_report(report, text, 4)
        counted = report["summary"]["launches_checked"]
        demand(counted == checked, f"{counted} of {report['summary']['launches']} launches checked, not {checked}: {text[-300:]}")
        demand(report["job"]["shapes_compared"] == SHAPES, said)
        return f"{counted} of {report['summary']['launches']} launches checked; {line_with(text, 'rank 1 not like the other 3')}"
    return make


def by_mpirun(check):
    if not shutil.which("mpirun"):
        return "not shown: there is no mpirun here"
    recordings, done = check.watch("mpirun", mpirun(2, "gather.py"), EVERY_SHAPE)
    check.compare("gather", done)
    report, text, _ = check.report(check.merge(check.folder / "mpirun.merged", recordings))
    return f"{one_report(report, text, 2)}; {line_with(text, 'sectors a request differ over 2 processes')}"


ROWS = {"data-parallel training, coalcheck torchrun": under_the_launcher,
        "tensor-parallel training": training("tensor"),
        "two ranks of which one has other data": differing,
        "merged for each node and once more": merged_twice,
        "a rank that is missing": too_few_ranks,
        "a rank that is killed": killed,
        "four ranks, --rank-share on": spread("on", 4 + 2 * (SHAPES - 1)),
        "four ranks, --rank-share off": spread("off", 4 * SHAPES),
        "two ranks of mpirun": by_mpirun,
        "pipeline-parallel training": training("pipeline"),
        "data-parallel training, variables": training("data")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", type=pathlib.Path, default=BUILD / "bin" / "coalcheck", help="default: of build/default")
    parser.add_argument("--agent", type=pathlib.Path, default=BUILD / "lib" / "libcoalcheck.so", help="default: of build/default")
    parser.add_argument("--log", default=os.devnull, metavar="FILE", help="all that was run, and what it said")
    parser.add_argument("--seconds", type=float, default=600, help="in all (default: 600); rows that do not fit are failures")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coalcheck-ranks-") as scratch:
        check = Check(arguments, pathlib.Path(scratch))
        check.run_natively()
        for name, make in ROWS.items():
            check.row(name, make)
        print("not as it has to be:", ", ".join(check.failed) or "nothing")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
