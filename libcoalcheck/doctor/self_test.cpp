// SPDX-License-Identifier: Apache-2.0
//
// The self-test's outcome: how it ended, what the agent said, and whether each count is the sector
// model's.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "libcoalcheck/base/cupti_errors.h"
#include "libcoalcheck/doctor/checks.h"
#include "libcoalcheck/doctor/kernels.h"

namespace coalcheck::doctor {
namespace {

// The last number in words like "cuptiSubscribe: CUPTI_ERROR_… (39)" that has an explanation; 0
// when there is none.
int CuptiErrorIn(std::string_view text) {
  int explained = 0;
  for (std::size_t open = text.find('(', std::min(text.find("cupti"), text.size()));
       open != std::string_view::npos; open = text.find('(', open + 1)) {
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + open + 1, end, number);
    const bool whole = error == std::errc() && rest != end && *rest == ')';
    if (whole && !ExplainCuptiError(number).empty()) explained = number;
  }
  return explained;
}

std::string Name(const SelfTestCounts& counts) {
  return fmt::format("{} of {}", counts.is_store ? "store" : "load", counts.kernel);
}

bool IsSameAccess(const SelfTestCounts& a, const SelfTestCounts& b) {
  return a.kernel == b.kernel && a.is_store == b.is_store;
}

// What is wrong with the counts; empty when nothing is.
std::string WrongCounts(const std::vector<SelfTestCounts>& counted) {
  for (const SelfTestCounts& expected : ExpectedCounts()) {
    const auto same = [&](const SelfTestCounts& one) { return IsSameAccess(one, expected); };
    if (std::ranges::count_if(counted, same) != 1) {
      return fmt::format("the {} was not counted once", Name(expected));
    }
    const SelfTestCounts& found = *std::ranges::find_if(counted, same);
    if (found.requests != expected.requests || found.sectors != expected.sectors ||
        found.ideal_sectors != expected.ideal_sectors) {
      return fmt::format(
          "the {} has {} requests, {} sectors, {} of them ideal; it makes {}, {} and {}",
          Name(expected), found.requests, found.sectors, found.ideal_sectors, expected.requests,
          expected.sectors, expected.ideal_sectors);
    }
  }
  if (counted.size() != ExpectedCounts().size()) return "there are counts of other accesses";
  return {};
}

// Why it failed; empty when it did not.
std::string Failure(const SelfTestFacts& test) {
  if (test.timed_out) {
    return fmt::format("it did not end in {} s and was killed", test.deadline_seconds);
  }
  if (!test.failure.empty()) return test.failure;
  if (test.signal != 0) return fmt::format("it ended with signal {}", test.signal);
  if (test.exit_code != 0) return fmt::format("it ended with exit code {}", test.exit_code);
  if (!test.unreadable.empty()) return test.unreadable;
  return WrongCounts(test.counts);
}

std::vector<std::string> Remedies(int cupti_error, const Facts& facts) {
  if (cupti_error == kCuptiInsufficientPrivileges) return PermissionRemedies(facts.surroundings);
  const std::string_view explained = ExplainCuptiError(cupti_error);
  if (explained.empty()) return {};
  return {fmt::format("CUPTI's error {}: {}", cupti_error, explained)};
}

}  // namespace

Engine JudgeSelfTest(const SelfTestFacts& test, const Facts& facts) {
  Engine engine{"sass_metrics_windows", test.gpu, {}, EngineState::kFails, Failure(test), {}};
  const auto gpu = std::ranges::find(facts.driver.gpus, test.gpu, &Gpu::ordinal);
  if (gpu != facts.driver.gpus.end()) engine.gpu_name = gpu->name;
  if (!engine.message.empty()) {
    if (!test.agent_said.empty()) engine.message += "; the library said: " + test.agent_said;
    engine.remedies = Remedies(CuptiErrorIn(test.agent_said), facts);
    return engine;
  }
  engine.state = EngineState::kWorks;
  engine.message = "a coalesced load counts 4 sectors a request, a strided one 32, as they should";
  if (!std::ranges::all_of(test.counts, &SelfTestCounts::has_line)) {
    engine.message += "; but not with their source lines";
  }
  return engine;
}

}  // namespace coalcheck::doctor
