// SPDX-License-Identifier: Apache-2.0
//
// Every option that COALCHECK_OPTIONS and the command line take.
#include "libcoalcheck/options/option_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "libcoalcheck/options/option_values.h"

namespace coalcheck::options {
namespace {

Failure Refrain(std::string_view, std::string_view, AgentOptions& options) {
  options.report = false;
  return std::nullopt;
}

constexpr OptionSpec kTable[] = {
    {"sampling", "auto|first|all|every:N", "auto",
     "which launches are counted: auto, the first of each kernel and more within the budget; "
     "first, all or every:N, of each kernel, grid and block",
     Scope::kAgent, Set<&AgentOptions::sampling>},
    {"budget", "N%", "1%",
     "the share of the program's time that --sampling auto may spend beyond the first launch of "
     "each kernel",
     Scope::kAgent, Set<&AgentOptions::budget>},
    {"window-limit", "MS", "5000",
     "--sampling auto counts no launch that is expected to take longer; where a kernel's first "
     "launch may, it is timed and a later one counted; 0: count nothing",
     Scope::kAgent, Set<&AgentOptions::window_limit>},
    {"rank-share", "on|off", "on",
     "in a job of many ranks, --sampling auto counts each shape of a kernel but its first on two "
     "ranks only, so that together they cover more; off: on all ranks",
     Scope::kAgent, Set<&AgentOptions::rank_share>},
    {"metrics", "full|minimal", "full",
     "full counts requests, lanes, sectors, ideal sectors and lines; minimal counts sectors and "
     "ideal sectors",
     Scope::kAgent, Set<&AgentOptions::metrics>},
    {"recording", "FOLDER", "",
     "keep the recording there; %p is the process id, %r the rank in a job (without one the "
     "process "
     "id), %h the host, %q{VAR} an environment variable",
     Scope::kAgent, Set<&AgentOptions::recording>},
    {"no-report", "", "", "do not report when the program ends", Scope::kAgent, Refrain},
    {"kernel", "NAME", "",
     "check only this kernel, or all of a namespace; * and ? as in file names, or regex:…; "
     "repeatable",
     Scope::kAgent, Set<&AgentOptions::filters, &Filters::kernel>},
    {"kernel-exclude", "NAME", "", "never count this kernel; NAME as for --kernel; repeatable",
     Scope::kAgent, Set<&AgentOptions::filters, &Filters::kernel_exclude>},
    {"nvtx-include", "RANGE", "",
     "check only launches made in this NVTX range: NAME, DOMAIN@NAME, OUTER/INNER, regex:…; "
     "repeatable",
     Scope::kAgent, Set<&AgentOptions::filters, &Filters::nvtx_include>},
    {"nvtx-exclude", "RANGE", "", "check no launches made in this range; repeatable", Scope::kAgent,
     Set<&AgentOptions::filters, &Filters::nvtx_exclude>},
    {"launch-skip", "N", "0",
     "leave out the first N launches that the filters select; kernel:N, the first N of each kernel",
     Scope::kAgent,
     Set<&AgentOptions::filters, &Filters::launches, &selection::LaunchFilter::skip>},
    {"launch-count", "N", "", "then check only N launches; kernel:N, N of each kernel",
     Scope::kAgent,
     Set<&AgentOptions::filters, &Filters::launches, &selection::LaunchFilter::count>},
    {"profile-from-start", "on|off", "on", "off: check nothing before cudaProfilerStart",
     Scope::kAgent, Set<&AgentOptions::profile_from_start>},
    {"waiting-kernels", "watch|skip|window", "watch",
     "kernels whose code may wait for other work: watch two launches and then count, never count "
     "(skip), or count at once (window)",
     Scope::kAgent, Set<&AgentOptions::waiting_kernels>},
    {"watch-deadline", "MS", "50",
     "how long a watched launch may hold the program; a kernel that takes longer is never counted",
     Scope::kAgent, Set<&AgentOptions::watch_deadline>},
    {"collection", "windows|resident", "windows",
     "resident: count every launch, always, for programs that are never idle", Scope::kAgent,
     Set<&AgentOptions::collection>},
    {"cost", "auto|off|on", "off",
     "sample what warps wait for, to rank findings by cost: auto, where that is permitted; on, and "
     "say at once where it is not",
     Scope::kAgent, Set<&AgentOptions::pc_sampling, &PcSamplingOptions::mode>},
    {"cost-period", "N", "18",
     "2^N clock cycles between two samples of a multiprocessor, N from 5 to 31", Scope::kAgent,
     Set<&AgentOptions::pc_sampling, &PcSamplingOptions::period>},
    {"cost-memory", "SIZE", "32M", "memory for samples that have not been read yet", Scope::kAgent,
     Set<&AgentOptions::pc_sampling, &PcSamplingOptions::memory>},
    {"record-arguments", "on|off", "on",
     "keep the values that launches pass to their kernels; off: none are read", Scope::kAgent,
     Set<&AgentOptions::record_arguments>},
    {"record-sources", "on|off", "on",
     "keep the source text that the program hands over, such as the Python package does with cells "
     "and JIT functions; at most 4 MiB",
     Scope::kAgent, Set<&AgentOptions::record_sources>},
    {"recording-limit", "SIZE", "4G", "stop recording at this size; K, M and G are powers of 1024",
     Scope::kAgent, Set<&AgentOptions::recording_limit>},
    {"release", "never|after-sampling", "never",
     "after-sampling: release CUPTI for other tools once nothing was left to count for two seconds",
     Scope::kAgent, Set<&AgentOptions::release>},
    {"open-deadline", "MS", "100",
     "how long a launch may wait for its context to be idle before it goes uncounted",
     Scope::kAgent, Set<&AgentOptions::open_deadline>},
    {"close-deadline", "MS", "60000",
     "how long a counted launch may hold the program; then the program goes on, and its counts are "
     "taken later; at most 1000 where the kernel's code may wait for other work",
     Scope::kAgent, Set<&AgentOptions::close_deadline>},
    {"graph-deadline", "MS", "5000",
     "how long counting waits for the first launch of a captured graph", Scope::kAgent,
     Set<&AgentOptions::graph_deadline>},
    {"format", "FORMAT[=FILE]", "text", "how the report is written, and where: {forms}; repeatable",
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
    {"max-wasted-share", "PERCENT", "", "an access is a finding only if it wastes a larger share",
     Scope::kReport},
    {"max-sectors-per-request", "N", "",
     "an access is a finding only if it touches more sectors per request, or exceeds "
     "--max-wasted-share",
     Scope::kReport},
    {"min-requests", "N", "",
     "an access is a finding only from this many requests per launch checked", Scope::kReport},
    {"min-wasted-bytes", "N", "",
     "an access is a finding only from this many wasted bytes per launch checked", Scope::kReport},
    {"min-cost", "PERCENT", "",
     "an access is a finding only if this share of the program's samples waits for its wasted "
     "sectors",
     Scope::kReport},
    {"min-launches", "N", "", "the run is clean only if this many launches were checked",
     Scope::kReport},
    {"min-ranks", "N|N%", "100%",
     "exit with 4 where fewer ranks of a job have a recording, unless there are findings",
     Scope::kReport},
    {"config", "FILE|none", "coalcheck.toml at or above the source root",
     "the project's thresholds, rules and suppressions; options win over it", Scope::kReport},
    {"today", "YYYY-MM-DD", "the clock's", "the day that decides which suppressions have expired",
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
     "take the sources here for those that were compiled, though their times or sizes differ, as "
     "in another clone: names kernels' parameters",
     Scope::kReport},
    {"color", "auto|always|never", "auto", "colour in the text report", Scope::kReport},
    {"verbosity", "quiet|normal|verbose", "normal",
     "of the text report: quiet, a line for each finding and the summary; verbose, instructions "
     "and clean accesses too",
     Scope::kReport},
    {"cpu-limit", "SECONDS", "300",
     "end with 5 where making the report takes more CPU time, as of input that is made to; 0: no "
     "limit",
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

std::string DefaultOf(std::string_view name) {
  return std::string(FindOption(name)->default_value);
}

double DefaultNumberOf(std::string_view name) { return std::stod(DefaultOf(name)); }

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
