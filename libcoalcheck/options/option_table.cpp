// SPDX-License-Identifier: Apache-2.0
//
// Every option that COALCHECK_OPTIONS and the command line take.
#include "libcoalcheck/options/option_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace coalcheck::options {
namespace {

constexpr OptionSpec kTable[] = {
    {"sampling", "auto|first|all|every:N", "auto",
     "which launches are counted: auto, the first of each kernel and more within the budget; or of "
     "each kernel + grid + block the first, all, every Nth",
     Scope::kAgent},
    {"budget", "N%", "1%",
     "of the program's time that --sampling auto may take for more than the first of each kernel",
     Scope::kAgent},
    {"window-limit", "MS", "5000",
     "the longest that a window may be expected to take under --sampling auto; a first launch that "
     "may take longer is timed before one is counted; 0: count nothing",
     Scope::kAgent},
    {"rank-share", "on|off", "on",
     "in a job of many ranks, under --sampling auto: a shape that is not the first of its kernel "
     "is "
     "counted on two ranks, so that together they cover more; off: on all",
     Scope::kAgent},
    {"metrics", "full|minimal", "full",
     "full counts requests, lanes, sectors, ideal sectors and lines; minimal only the sector pair",
     Scope::kAgent},
    {"recording", "FOLDER", "",
     "keep the recording there; %p is the process id, %r the rank in a job (without one the "
     "process "
     "id), %h the host, %q{VAR} an environment variable",
     Scope::kAgent},
    {"no-report", "", "", "do not report when the program ends", Scope::kAgent},
    {"kernel", "NAME", "",
     "check only this kernel, or all of a namespace; * and ? as in file names, or regex:…; "
     "repeatable",
     Scope::kAgent},
    {"kernel-exclude", "NAME", "", "never hold this kernel in a window; as --kernel; repeatable",
     Scope::kAgent},
    {"nvtx-include", "RANGE", "",
     "check only launches made in this NVTX range: NAME, DOMAIN@NAME, OUTER/INNER, regex:…; "
     "repeatable",
     Scope::kAgent},
    {"nvtx-exclude", "RANGE", "", "check no launches made in this range; repeatable",
     Scope::kAgent},
    {"launch-skip", "N", "0",
     "leave out the first N launches that the filters select; kernel:N, the first N of each kernel",
     Scope::kAgent},
    {"launch-count", "N", "", "and check only the next N; kernel:N, of each kernel", Scope::kAgent},
    {"profile-from-start", "on|off", "on", "off: check nothing before cudaProfilerStart",
     Scope::kAgent},
    {"waiting-kernels", "watch|skip|window", "watch",
     "kernels whose code may wait for other work: watch the first two, skip them, or dare",
     Scope::kAgent},
    {"watch-deadline", "MS", "50",
     "how long the watched launch of such a kernel may hold the program before it is given up",
     Scope::kAgent},
    {"collection", "windows|resident", "windows",
     "resident: count every launch, always, for programs that are never idle", Scope::kAgent},
    {"cost", "auto|off|on", "off",
     "sample what warps wait for, to rank by cost: auto, where that is permitted; on says so at "
     "once where it is not",
     Scope::kAgent},
    {"cost-period", "N", "18",
     "2^N clock cycles between two samples of a multiprocessor, N from 5 to 31", Scope::kAgent},
    {"cost-memory", "SIZE", "32M", "the most memory for samples that were not read yet",
     Scope::kAgent},
    {"record-arguments", "on|off", "on",
     "keep the values that counted launches pass to their kernels; off: none are read",
     Scope::kAgent},
    {"record-sources", "on|off", "on",
     "keep the source text that the program hands over, such as the Python package does with cells "
     "and JIT functions; at most 4 MiB",
     Scope::kAgent},
    {"recording-limit", "SIZE", "4G", "stop recording at this size; K, M and G are powers of 1024",
     Scope::kAgent},
    {"release", "never|after-sampling", "never",
     "after-sampling: give CUPTI back when nothing new came for two seconds", Scope::kAgent},
    {"open-deadline", "MS", "100",
     "how long a launch may wait for its context to be idle before it goes uncounted",
     Scope::kAgent},
    {"close-deadline", "MS", "60000",
     "how long a counted launch may hold the program before it goes on and is closed later; at "
     "most "
     "1000 where the kernel's code may wait for other work",
     Scope::kAgent},
    {"graph-deadline", "MS", "5000",
     "how long counting waits for the first launch of a captured graph", Scope::kAgent},
    {"format", "FORMAT[=FILE]", "text",
     "how the report is written, and where: text, json, sarif, github, junit, gitlab, markdown, "
     "html, callgrind, folded; repeatable",
     Scope::kReport},
    {"output", "FILE", "",
     "write the report there; - is standard output; one for each format without a file (short: -o)",
     Scope::kReport},
    {"min-wasted-share", "PERCENT", "10",
     "the wasted share from which an access is a finding; one without waste never is",
     Scope::kReport},
    {"scope", "user|all", "user",
     "user: judge accesses whose line lies under the source root, and sum up library code; all: "
     "judge all",
     Scope::kReport},
    {"max-wasted-share", "PERCENT", "", "only what wastes a larger share is a finding",
     Scope::kReport},
    {"max-sectors-per-request", "N", "",
     "only what touches more sectors per request, or exceeds --max-wasted-share, is a finding",
     Scope::kReport},
    {"min-requests", "N", "", "no finding below so many requests per launch checked",
     Scope::kReport},
    {"min-wasted-bytes", "N", "", "no finding below so many wasted bytes per launch checked",
     Scope::kReport},
    {"min-cost", "PERCENT", "",
     "no finding whose wasted sectors a smaller part of the program's samples waits for",
     Scope::kReport},
    {"min-launches", "N", "", "clean only when so many launches were checked", Scope::kReport},
    {"min-ranks", "N|N%", "100%",
     "exit with 4 where fewer ranks of a job have a recording, unless there are findings",
     Scope::kReport},
    {"config", "FILE|none", "coalcheck.toml at or above the source root",
     "the project's thresholds, rules and suppressions; options win over it", Scope::kReport},
    {"today", "YYYY-MM-DD", "the clock's", "the day that suppressions are held against",
     Scope::kReport},
    {"allow-unavailable", "", "",
     "exit with 0, and a notice, where this machine cannot collect (instead of 4)", Scope::kReport},
    {"require-end", "", "",
     "exit with 4 where a recording has no end, as of a program that was killed, unless there are "
     "findings",
     Scope::kReport},
    {"baseline", "FILE", "",
     "findings that are known: only new and worse ones count (coalcheck baseline write makes it)",
     Scope::kReport},
    {"group-by", "none|range|rank", "none",
     "range: the findings of each NVTX range by themselves; rank: what each rank counted",
     Scope::kReport},
    {"print-limit", "N", "", "print at most N findings", Scope::kReport},
    {"source-root", "FOLDER", "git top level, else the working directory",
     "the folder of your own sources: the line shown is the innermost one under it; "
     "repeatable: the last is the root, those before it are yours, too",
     Scope::kReport},
    {"path-map", "OLD=NEW", "", "replace the start of compiled-in paths; repeatable",
     Scope::kReport},
    {"same-sources", "", "",
     "the sources here are those that were compiled, though their times or sizes differ, as in "
     "another clone: kernels' parameters get their names",
     Scope::kReport},
    {"color", "auto|always|never", "auto", "colour in the text report", Scope::kReport},
    {"verbosity", "quiet|normal|verbose", "normal",
     "of the text report: quiet, a line for each finding and the last line; verbose, instructions "
     "and clean accesses, too",
     Scope::kReport},
    {"exit-zero", "", "", "exit with 0 whatever was found: only report", Scope::kReport},
    {"library", "FILE", "beside the command or in ../lib", "the libcoalcheck.so to load",
     Scope::kLauncher},
    {"children-deadline", "MS", "2000",
     "how long to wait after the program's end for processes of it that still record",
     Scope::kLauncher},
    {"quiet", "", "", "show no status line on the terminal", Scope::kLauncher},
};

}  // namespace

std::span<const OptionSpec> OptionTable() { return kTable; }

const OptionSpec* FindOption(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &OptionSpec::name);
  return found == std::end(kTable) ? nullptr : found;
}

std::string_view InsteadOf(std::string_view name) {
  constexpr std::string_view kVerdict =
      "coalcheck APP and coalcheck verdict RECORDING end with the verdict; with the bare "
      "variable the program's own exit code stays";
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"exitcode", kVerdict},
      {"exit-code", kVerdict},
      {"error-exitcode", kVerdict},
      {"error-exit-code", kVerdict},
      // Nsight Compute's names.
      {"nvtx",
       "NVTX ranges are seen without one; --nvtx-include and --nvtx-exclude select by them"},
      {"kernel-name", "it is --kernel, which takes a name, a pattern or regex:…"},
      {"launch-skip-before-match", "--launch-skip counts launches that the other filters select"},
  };
  const auto* found = std::ranges::find(kOthers, name, [](const auto& one) { return one.first; });
  return found == std::end(kOthers) ? std::string_view() : found->second;
}

}  // namespace coalcheck::options
