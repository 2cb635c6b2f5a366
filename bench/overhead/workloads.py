# SPDX-License-Identifier: Apache-2.0
"""The rows of the table: what is run, in which variants, and what is claimed of them."""
import dataclasses
from pathlib import Path

from overhead import claims
from overhead.variants import NATIVE, NCU_METRICS, Variant

DEFAULT = Variant("coalcheck", "coalcheck")
SAMPLED = Variant("coalcheck --cost on", "coalcheck", ("--cost", "on"))
ALL_CODE = Variant("coalcheck --scope all", "coalcheck", ("--scope", "all"))
ALL_CODE_COST = Variant("coalcheck --scope all --cost on", "coalcheck", ("--scope", "all", "--cost", "on"))
NO_REPORT = Variant("coalcheck --no-report", "coalcheck", ("--no-report",))
ALL = Variant("coalcheck --sampling all", "coalcheck", ("--sampling", "all"))
ALL_MINIMAL = Variant("coalcheck --sampling all --metrics minimal", "coalcheck",
                      ("--sampling", "all", "--metrics", "minimal"))
IN_RANGE = Variant("coalcheck --nvtx-include measured", "coalcheck", ("--nvtx-include", "measured"))
NO_ARGUMENTS = Variant("coalcheck --record-arguments off", "coalcheck", ("--record-arguments", "off"))
NOTHING = Variant("coalcheck, nothing selected", "coalcheck", ("--no-report", "--kernel", "no such kernel"),
                  counts=False)
BARE_LAUNCHES = Variant("bare CUPTI callbacks", "bare", ("launches",))
BARE_CONFIG = Variant("bare CUPTI, SASS metrics set up", "bare", ("config",))
BARE_WINDOWS = Variant("bare CUPTI, first launches counted", "bare", ("windows",))
NCU = Variant("ncu, two sector metrics", "ncu", ("--metrics", ",".join(NCU_METRICS)), rounds=3)
NCU_ONCE = dataclasses.replace(NCU, rounds=1)
SOURCE_COUNTERS = Variant("ncu, SourceCounters", "ncu", ("--section", "SourceCounters"), rounds=1)
# The one peer with figures of its own: it injects CUPTI, too, and serialises every launch under its SASS metrics.
PEER_SASS = Variant("gpufl, SASS metrics", "gpufl", ("--passes=SassMetrics",), rounds=3)
PEER_SAMPLING = Variant("gpufl, PC sampling", "gpufl", ("--passes=PcSampling",), rounds=3)
MEMCHECK = Variant("compute-sanitizer memcheck", "compute-sanitizer", ("--tool", "memcheck"), rounds=3)


@dataclasses.dataclass(frozen=True)
class Row:
    """One workload. `program` is a path in the build or a script beside this folder; {count} in `words` is
    how often it repeats itself. `time` is the figure of the program that matters, and its heading."""
    key: str
    title: str
    program: str
    words: tuple
    count: int
    quick_count: int
    variants: tuple
    claims: tuple
    time: tuple = ("kernel_ms", "kernels, ms")
    note: str = ""
    only_when_named: bool = False
    rounds: int = 5  # more where single runs say little and are short

    def command(self, setup):
        count = str(self.quick_count if setup.quick else self.count)
        words = [word.format(count=count) for word in self.words]
        if self.program.endswith(".py"):
            return [setup.python, str(Path(__file__).resolve().parents[1] / self.program), *words]
        return [str(setup.build / self.program), *words]


FASTEST = "A launch is the mean of the fastest tenth of blocks of 200: others use the CPUs of lent machines, too."


def against_ncu(variant, text, limit, yardsticks):
    """The variant is that many times cheaper than each yardstick, in kernel time and in all."""
    return tuple(claims.times_cheaper(f"{text} than {yardstick.name}, {what}", variant.name, yardstick.name, key, limit)
                 for yardstick in yardsticks for key, what in (("kernel_ms", "kernel time"), ("seconds", "in all")))


def transpose(key, count, quick_count, limit, more_variants=(), yardsticks=(), more_words=(), **more):
    size = f", {more_words[1]} × {more_words[1]} floats" if more_words else ""
    return Row(key, f"naive transpose{size}, {count} launches", "samples/transpose_naive",
               ("--launches", "{count}", *more_words), count, quick_count, (NATIVE, BARE_WINDOWS, DEFAULT, *more_variants),
               (claims.adds_percent(f"at most +{limit} %", DEFAULT.name, "kernel_ms", limit),
                claims.adds_percent(f"{BARE_WINDOWS.name}, for comparison", BARE_WINDOWS.name, "kernel_ms", None),
                *against_ncu(DEFAULT, "at least 20 times cheaper", 20, yardsticks)), **more)


def sgemm(count, quick_count, limit, peers=(), note=""):
    return Row(f"sgemm-{count}", f"cuBLAS SGEMM 2048 × {count}", "bench/sgemm", ("{count}",), count, quick_count,
               (NATIVE, BARE_WINDOWS, NOTHING, DEFAULT, *peers),
               (claims.adds_percent(f"at most +{limit} %", DEFAULT.name, "kernel_ms", limit),
                claims.adds_percent(f"{BARE_WINDOWS.name}, for comparison", BARE_WINDOWS.name, "kernel_ms", None)),
               note=note)


def mlp(key, title, more_words, chosen, **more):
    return Row(key, title, "programs/torch_mlp.py", ("{count}", *more_words), 300, 30, chosen,
               (claims.adds_percent("the last 200 steps: at most +1 %", DEFAULT.name, "steady_ms", 1),
                claims.adds_percent("whole program: at most +10 %", DEFAULT.name, "seconds", 10),
                *((claims.adds_percent(f"the last 200 steps, {BARE_WINDOWS.name}, for comparison", BARE_WINDOWS.name,
                                       "steady_ms", None),) if BARE_WINDOWS in chosen else ()),
                claims.EqualFigure("the same weights, bit by bit", "checksum")),
               time=("steady_ms", "last 200 steps, ms"), **more)


ROWS = (
    Row("kernels15", "15 kernels × 20 launches", "bench/workloads", ("kernels15", "{count}"), 20, 2,
        (NATIVE, BARE_WINDOWS, DEFAULT, NO_REPORT, ALL, ALL_MINIMAL, NCU, SOURCE_COUNTERS, MEMCHECK),
        (claims.adds_at_most("default: at most +60 ms of kernel time", DEFAULT.name, "kernel_ms", 60, "ms"),
         claims.adds_at_most(f"{BARE_WINDOWS.name}, for comparison", BARE_WINDOWS.name, "kernel_ms", None, "ms"),
         claims.adds_at_most("default: at most +0.25 s in all", DEFAULT.name, "seconds", 0.25, "s"),
         claims.adds_at_most(f"{BARE_WINDOWS.name}, for comparison", BARE_WINDOWS.name, "seconds", None, "s"),
         *against_ncu(DEFAULT, "default: at least 20 times cheaper", 20, (NCU, SOURCE_COUNTERS)),
         *against_ncu(ALL, "`--sampling all`: at least four times cheaper", 4, (NCU,)),
         claims.EqualCounts(f"`--sampling all` counts what {NCU.name} counts", ALL.name, NCU.name))),
    transpose("transpose-1000", 1000, 100, 2, (SAMPLED, NCU_ONCE), (NCU_ONCE,)),
    transpose("transpose-100000", 100000, 1000, 0.5, more_words=("--n", "2048"),
              note="A quarter of the floats, so that the row takes seconds: what coalcheck adds weighs more. "
                   "Nsight Compute would take half an hour."),
    transpose("transpose-100000-large", 100000, 1000, 0.5, only_when_named=True),
    Row("empty", "200 000 empty launches", "bench/workloads", ("empty", "{count}"), 200000, 2000,
        (NATIVE, BARE_LAUNCHES, BARE_WINDOWS, NOTHING, DEFAULT, SAMPLED),
        (claims.adds_each("at most +0.5 µs each", DEFAULT.name, 0.5),
         claims.adds_each(f"over {BARE_LAUNCHES.name}: at most +0.1 µs each", DEFAULT.name, 0.1, BARE_LAUNCHES.name),
         *(claims.adds_each(f"{variant.name}, for comparison", variant.name, None)
           for variant in (BARE_LAUNCHES, BARE_WINDOWS, NOTHING))),
        time=("launch_us", "launch, µs"), note=FASTEST, rounds=15),
    Row("argument-sets", "100 000 launches of 20 kernels with five sets of arguments each", "bench/workloads",
        ("argument-sets", "{count}"), 100000, 2000, (NATIVE, NO_ARGUMENTS, DEFAULT),
        (claims.adds_each(f"over {NO_ARGUMENTS.name}: at most +0.1 µs each", DEFAULT.name, 0.1, NO_ARGUMENTS.name),
         claims.adds_each("over the native run", DEFAULT.name, None)),
        time=("launch_us", "launch, µs"), note=FASTEST, rounds=25),
    sgemm(100, 10, 10, (PEER_SASS, PEER_SAMPLING),
          "Published for gpufl on a GEMM: +22.3 % with SASS metrics, +24.9 % with PC sampling."),
    sgemm(10000, 100, 0.5),
    mlp("mlp", "PyTorch MLP, 300 steps", (), (NATIVE, BARE_WINDOWS, DEFAULT, SAMPLED, PEER_SAMPLING),
        note="Published for gpufl on PyTorch: +664.7 % with PC sampling.", rounds=12),
    mlp("mlp-large", "PyTorch MLP of batch 8192 and width 4096, 300 steps", ("8192", "4096"), (NATIVE, DEFAULT),
        note="Here the GPU is what takes the time, so that a shared CPU disturbs less.", rounds=6),
    mlp("mlp-small", "PyTorch MLP of batch 128 and width 256, 300 steps", ("128", "256"), (NATIVE, DEFAULT),
        note="The GPU waits for Python here, so that nothing hides what a launch costs.", only_when_named=True),
    Row("torch-copy", "PyTorch, 3000 steps of a transposed copy and a sum", "programs/torch_transposed.py", ("{count}",), 3000, 30,
        (NATIVE, ALL_CODE, ALL_CODE_COST),
        (claims.adds_percent("`--scope all`, the last 2000 steps: at most +1 %", ALL_CODE.name, "steady_ms", 1),
         claims.adds_percent("with `--cost on`: at most +1 %", ALL_CODE_COST.name, "steady_ms", 1),
         claims.EqualFigure("the same result, bit by bit", "checksum")),
        time=("steady_ms", "last 2000 steps, ms"), rounds=7),
    Row("graph", "replay of a CUDA graph of ten kernels × 10 000", "bench/workloads", ("graph", "{count}"), 10000, 100,
        (NATIVE, BARE_LAUNCHES, NOTHING, DEFAULT),
        (claims.adds_percent("with the first, which is counted: at most +1 %", DEFAULT.name, "loop_ms", 1),
         claims.adds_percent("behind the first: at most +1 %", DEFAULT.name, "replays_ms", 1),
         *(claims.adds_percent(f"behind the first, {variant.name}, for comparison", variant.name, "replays_ms", None)
           for variant in (BARE_LAUNCHES, NOTHING))),
        time=("loop_ms", "loop, ms")),
    Row("graph-updated", "the same replay, its instance updated with its own graph after the first launch", "bench/workloads",
        ("graph-updated", "{count}"), 10000, 100, (NATIVE, NOTHING, DEFAULT),
        (claims.adds_percent("at most +1 %", DEFAULT.name, "loop_ms", 1),),
        time=("loop_ms", "loop, ms"), only_when_named=True),
    Row("nvtx", "100 000 launches, 1 % of them in an NVTX range", "bench/workloads", ("nvtx", "{count}"), 100000, 2000,
        (NATIVE, BARE_LAUNCHES, IN_RANGE),
        (claims.adds_percent("at most +0.2 % outside the range", IN_RANGE.name, "outside_ms", 0.2),
         claims.adds_percent(f"{BARE_LAUNCHES.name}, for comparison", BARE_LAUNCHES.name, "outside_ms", None)),
        time=("outside_ms", "outside the range, ms"), rounds=9),
    Row("start-up", "start-up: naive transpose, one launch", "samples/transpose_naive", ("--launches", "{count}"), 1, 1,
        (NATIVE, BARE_LAUNCHES, BARE_CONFIG, NO_REPORT, DEFAULT, SAMPLED),
        (claims.adds_at_most("start-up and report", DEFAULT.name, "seconds", None, "s"),
         claims.adds_at_most("peak resident memory", DEFAULT.name, "peak_mib", None, "MiB"))),
)
