// SPDX-License-Identifier: Apache-2.0
//
// Parses the words of COALCHECK_OPTIONS against the option table.
#include "libcoalcheck/options/agent_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "libcoalcheck/options/nearest.h"
#include "libcoalcheck/options/option_table.h"
#include "libcoalcheck/options/split.h"

namespace coalcheck::options {
namespace {

using Failure = std::optional<Error>;

Failure SetMilliseconds(std::string_view name, std::string_view text,
                        std::chrono::milliseconds& target) {
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    return Error{fmt::format("--{} takes a whole number of milliseconds, not '{}'", name, text)};
  }
  target = std::chrono::milliseconds(value);
  return std::nullopt;
}

template <typename Choice>
struct Named {
  std::string_view name;
  Choice choice;
};

constexpr Named<Metrics> kMetrics[] = {{"full", Metrics::kFull}, {"minimal", Metrics::kMinimal}};
constexpr Named<WaitingKernels> kWaitingKernels[] = {{"watch", WaitingKernels::kWatch},
                                                     {"skip", WaitingKernels::kSkip},
                                                     {"window", WaitingKernels::kWindow}};
constexpr Named<Collection> kCollections[] = {{"windows", Collection::kWindows},
                                              {"resident", Collection::kResident}};
constexpr Named<Release> kReleases[] = {{"never", Release::kNever},
                                        {"after-sampling", Release::kAfterSampling}};

constexpr Named<CostMode> kCostModes[] = {
    {"auto", CostMode::kAuto}, {"off", CostMode::kOff}, {"on", CostMode::kOn}};
constexpr Named<bool> kOnOff[] = {{"on", true}, {"off", false}};

// "a, b or c" of "a|b|c".
std::string InWords(std::string_view choices) {
  std::string words;
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t end = std::min(choices.find('|', at), choices.size());
    const bool is_last = end == choices.size();
    if (at > 0) words += is_last ? " or " : ", ";
    words += choices.substr(at, end - at);
    at = end + 1;
  }
  return words;
}

template <typename Choice, std::size_t kCount>
Failure SetChoice(std::string_view name, std::string_view text,
                  const Named<Choice> (&choices)[kCount], Choice& target) {
  for (const auto& each : choices) {
    if (each.name != text) continue;
    target = each.choice;
    return std::nullopt;
  }
  return Error{
      fmt::format("--{} takes {}, not '{}'", name, InWords(FindOption(name)->value), text)};
}

Failure SetSize(std::string_view name, std::string_view text, Bytes& target) {
  constexpr std::string_view kUnits = "KMG";
  std::uint64_t value = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), text_end, value);
  const std::size_t unit = end + 1 == text_end ? kUnits.find(*end) : std::string_view::npos;
  const std::size_t shift = unit == std::string_view::npos ? 0 : 10 * (unit + 1);
  const bool complete = end == text_end || unit != std::string_view::npos;
  if (code != std::errc() || !complete || value == 0 || value > (~std::uint64_t{0} >> shift)) {
    return Error{fmt::format("--{} takes a size such as 500M, not '{}'", name, text)};
  }
  target = Bytes(value << shift);
  return std::nullopt;
}

Failure AddKernel(std::string_view name, std::string_view text,
                  std::vector<selection::KernelPattern>& target) {
  Result<selection::KernelPattern> parsed = selection::KernelPattern::Parse(text);
  if (!parsed.ok()) return Error{fmt::format("--{}: {}", name, parsed.error())};
  target.push_back(std::move(parsed).value());
  return std::nullopt;
}

Failure AddRange(std::string_view name, std::string_view text,
                 std::vector<selection::RangeFilter>& target) {
  Result<selection::RangeFilter> parsed = selection::RangeFilter::Parse(text);
  if (!parsed.ok()) return Error{fmt::format("--{}: {}", name, parsed.error())};
  target.push_back(std::move(parsed).value());
  return std::nullopt;
}

template <typename Target>
Failure SetParsed(std::string_view name, auto parsed, Target& target) {
  if (!parsed.ok()) return Error{fmt::format("--{}: {}", name, parsed.error())};
  target = std::move(parsed).value();
  return std::nullopt;
}

Failure SetSampling(std::string_view text, selection::Sampling& target) {
  Result<selection::Sampling> parsed = selection::ParseSampling(text);
  if (!parsed.ok()) return Error{"--sampling: " + parsed.error()};
  target = parsed.value();
  return std::nullopt;
}

Failure SetAgentOption(std::string_view name, std::string_view value, AgentOptions& options) {
  if (name == "sampling") return SetSampling(value, options.sampling);
  if (name == "metrics") return SetChoice(name, value, kMetrics, options.metrics);
  if (name == "collection") return SetChoice(name, value, kCollections, options.collection);
  if (name == "release") return SetChoice(name, value, kReleases, options.release);
  if (name == "kernel") return AddKernel(name, value, options.filters.kernel);
  if (name == "kernel-exclude") return AddKernel(name, value, options.filters.kernel_exclude);
  if (name == "nvtx-include") return AddRange(name, value, options.filters.nvtx_include);
  if (name == "nvtx-exclude") return AddRange(name, value, options.filters.nvtx_exclude);
  if (name == "launch-skip") {
    return SetParsed(name, selection::ParseLaunchSkip(value), options.filters.launches.skip);
  }
  if (name == "launch-count") {
    return SetParsed(name, selection::ParseLaunchCount(value), options.filters.launches.count);
  }
  if (name == "budget")
    return SetParsed(name, selection::BudgetShare::Parse(value), options.budget);
  if (name == "profile-from-start") {
    return SetChoice(name, value, kOnOff, options.profile_from_start);
  }
  if (name == "cost") return SetChoice(name, value, kCostModes, options.pc_sampling.mode);
  if (name == "cost-period") {
    return SetParsed(name, SamplePeriod::Parse(value), options.pc_sampling.period);
  }
  if (name == "cost-memory") return SetSize(name, value, options.pc_sampling.memory);
  if (name == "recording-limit") return SetSize(name, value, options.recording_limit);
  if (name == "waiting-kernels") {
    return SetChoice(name, value, kWaitingKernels, options.waiting_kernels);
  }
  if (name == "record-arguments") return SetChoice(name, value, kOnOff, options.record_arguments);
  if (name == "rank-share") return SetChoice(name, value, kOnOff, options.rank_share);
  if (name == "record-sources") return SetChoice(name, value, kOnOff, options.record_sources);
  if (name == "window-limit") return SetMilliseconds(name, value, options.window_limit);
  if (name == "watch-deadline") return SetMilliseconds(name, value, options.watch_deadline);
  if (name == "open-deadline") return SetMilliseconds(name, value, options.open_deadline);
  if (name == "close-deadline") return SetMilliseconds(name, value, options.close_deadline);
  if (name == "graph-deadline") return SetMilliseconds(name, value, options.graph_deadline);
  if (name == "recording") options.recording = std::string(value);
  if (name == "no-report") options.report = false;
  return std::nullopt;
}

Error UnknownOption(std::string_view name) {
  if (const std::string_view instead = InsteadOf(name); !instead.empty()) {
    return Error{fmt::format("there is no option --{}: {}", name, instead)};
  }
  std::vector<std::string> names;
  for (const OptionSpec& spec : OptionTable()) names.emplace_back(spec.name);
  const std::string nearest = Nearest(name, names);
  if (nearest.empty()) {
    return Error{fmt::format("there is no option --{}; coalcheck options lists them", name)};
  }
  return Error{fmt::format("there is no option --{}; did you mean --{}?", name, nearest)};
}

// Handles the word at `at`, and the next one where it is its value; moves `at` behind both.
Failure ReadOption(const std::vector<std::string>& words, std::size_t& at, AgentOptions& options) {
  const std::string word = words[at] == "-o" ? "--output" : words[at];
  ++at;
  if (word.size() < 3 || word.substr(0, 2) != "--") {
    return Error{fmt::format("'{}' is not an option; options begin with --", word)};
  }
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
  const OptionSpec* spec = FindOption(name);
  if (spec == nullptr) return UnknownOption(name);

  std::string value;
  if (spec->value.empty()) {
    if (equals != std::string::npos) return Error{fmt::format("--{} takes no value", name)};
  } else if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else if (at < words.size()) {
    value = words[at++];
  }
  if (!spec->value.empty() && value.empty()) {
    return Error{fmt::format("--{} needs a value: {}", name, spec->value)};
  }
  if (spec->scope == Scope::kAgent) return SetAgentOption(name, value, options);
  if (spec->scope == Scope::kLauncher) return std::nullopt;  // not here to act on it
  options.report_arguments.push_back(spec->value.empty() ? "--" + name : "--" + name + "=" + value);
  return std::nullopt;
}

// Where all that is included is excluded, nothing is left.
template <typename Filter>
Failure Contradiction(std::string_view include, const std::vector<Filter>& included,
                      std::string_view exclude, const std::vector<Filter>& excluded) {
  for (const Filter& one : excluded) {
    if (one.text() == "*") return Error{fmt::format("--{} * leaves nothing to check", exclude)};
  }
  const Filter* covering = nullptr;
  for (const Filter& one : included) {
    const auto covers =
        std::ranges::find_if(excluded, [&one](const Filter& filter) { return filter.Covers(one); });
    if (covers == excluded.end()) return std::nullopt;
    if (covering == nullptr) covering = &*covers;
  }
  if (covering == nullptr) return std::nullopt;
  return Error{fmt::format("--{} {} and --{} {} leave nothing to check", include,
                           included.front().text(), exclude, covering->text())};
}

}  // namespace

Result<AgentOptions> ParseAgentOptions(std::string_view line) {
  Result<std::vector<std::string>> words = SplitLikeShell(line);
  if (!words.ok()) return Error{words.error()};
  AgentOptions options;
  for (std::size_t at = 0; at < words.value().size();) {
    if (Failure failure = ReadOption(words.value(), at, options)) return *failure;
  }
  const Filters& filters = options.filters;
  if (Failure failure =
          Contradiction("kernel", filters.kernel, "kernel-exclude", filters.kernel_exclude)) {
    return *failure;
  }
  if (Failure failure = Contradiction("nvtx-include", filters.nvtx_include, "nvtx-exclude",
                                      filters.nvtx_exclude)) {
    return *failure;
  }
  return options;
}

}  // namespace coalcheck::options
