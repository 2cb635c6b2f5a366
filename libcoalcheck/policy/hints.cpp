// SPDX-License-Identifier: Apache-2.0
//
// Holds each kind of selector by itself against the names that were seen.
#include "libcoalcheck/policy/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/options/nearest.h"
#include "libcoalcheck/selection/kernel_pattern.h"

namespace coalcheck::policy {
namespace {

using findings::Report;

// The most names that are listed; each is compared with the pattern that was written.
constexpr std::size_t kMostHints = 50;
constexpr std::size_t kMostSeen = 10'000;
constexpr std::size_t kMostOfName = 500;  // bytes of it in a sentence

// Empty where a member of `wanted` fits a member of `seen`, as `fits` says.
template <typename List, typename Seen, typename Fits, typename NameOf>
std::string Hint(std::string_view what, const List& wanted, const Seen& seen, Fits fits,
                 NameOf name_of) {
  if (wanted.empty()) return {};
  std::set<std::string> names;
  for (const auto& each : seen) {
    if (std::ranges::any_of(wanted, [&](const auto& one) { return fits(one, each); })) return {};
    names.insert(name_of(each));
  }
  const std::string& text = wanted.front().text();
  const std::vector<std::string> known(names.begin(), names.end());
  std::vector<std::string> nearest = options::NearestFew(text, known);
  for (std::string& name : nearest) name = words::Cut(name, kMostOfName);
  return fmt::format("; no {} is '{}'{}{}", what, words::Cut(text, kMostOfName),
                     known.empty() ? "" : ", seen were ", fmt::join(nearest, ", "));
}

}  // namespace

struct Hints::Seen {
  explicit Seen(const Report& report);

  std::set<std::string> files;      // as shown
  std::set<std::string> kernels;    // readable
  std::set<std::string> functions;  // readable
  std::set<OpenRange> ranges;
};

Hints::Seen::Seen(const Report& report) {
  for (const findings::Access& access : report.accesses) {
    if (!access.in_scope) continue;
    if (access.shown) files.insert(words::PathShown(report, access.shown->file));
    kernels.insert(Demangle(access.kernel));
    for (const findings::Frame& frame : access.chain) {
      functions.insert(Demangle(frame.function));
    }
  }
  for (const std::vector<OpenRange>& set : report.range_sets) {
    ranges.insert(set.begin(), set.end());
  }
}

Hints::Hints(const Report& report) : report_(report) {}
Hints::~Hints() = default;

std::string Hints::For(const Selector& selector) {
  if (seen_ == nullptr) seen_ = std::make_unique<const Seen>(report_);
  const Seen& seen = *seen_;
  const auto sizes = {seen.files.size(), seen.kernels.size(), seen.functions.size()};
  if (++given_ > kMostHints || std::max(sizes) > kMostSeen) return {};
  const auto matches = [this](const auto& pattern, const std::string& name) {
    return work_.SpendOn(pattern, name.size()) && pattern.Matches(name);
  };
  const auto itself = [](const std::string& name) { return name; };
  const auto qualified = [](const std::string& name) { return selection::QualifiedName(name); };
  std::string hint = Hint("file", selector.files, seen.files, matches, itself);
  if (hint.empty()) hint = Hint("kernel", selector.kernels, seen.kernels, matches, qualified);
  if (hint.empty()) hint = Hint("function", selector.functions, seen.functions, matches, qualified);
  if (work_.is_spent()) return {};
  if (!hint.empty()) return hint;
  // A filter may need several ranges together: the sets decide, the names are hints.
  const bool in_some = std::ranges::any_of(report_.range_sets, [&](const auto& open) {
    return std::ranges::any_of(selector.ranges, [&](const auto& filter) {
      return work_.SpendOnRanges(filter, open) && filter.Matches(open);
    });
  });
  if (in_some || work_.is_spent()) return {};
  return Hint(
      "range", selector.ranges, seen.ranges, [](const auto&, const OpenRange&) { return false; },
      [](const OpenRange& range) { return range.name; });
}

}  // namespace coalcheck::policy
