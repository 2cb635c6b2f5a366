// SPDX-License-Identifier: Apache-2.0
//
// Parses the words of COALCHECK_OPTIONS against the option table.
#include "libcoalcheck/options/agent_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "libcoalcheck/options/nearest.h"
#include "libcoalcheck/options/option_table.h"
#include "libcoalcheck/options/option_values.h"
#include "libcoalcheck/options/split.h"

namespace coalcheck::options {
namespace {

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
  if (spec->set != nullptr) return spec->set(name, value, options);
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

AgentOptions::AgentOptions() {
  for (const OptionSpec& spec : OptionTable()) {
    if (spec.set != nullptr && !spec.default_value.empty()) {
      spec.set(spec.name, spec.default_value, *this);
    }
  }
}

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
