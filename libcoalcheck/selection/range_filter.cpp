// SPDX-License-Identifier: Apache-2.0
//
// Sorts the open ranges by domain and asks each condition about each domain's stack.
#include "libcoalcheck/selection/range_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libcoalcheck/selection/range_terms.h"

namespace coalcheck::selection {
namespace {

using Stack = std::vector<std::string_view>;

// One stack for each domain that has push/pop ranges open.
std::vector<Stack> Stacks(std::vector<const OpenRange*> ranges) {
  std::erase_if(ranges, [](const OpenRange* range) { return range->kind != RangeKind::kPushPop; });
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const OpenRange* a, const OpenRange* b) { return a->domain < b->domain; });
  std::vector<Stack> stacks;
  for (std::size_t at = 0; at < ranges.size(); ++at) {
    if (at == 0 || ranges[at]->domain != ranges[at - 1]->domain) stacks.emplace_back();
    stacks.back().emplace_back(ranges[at]->name);
  }
  return stacks;
}

bool AnyMatches(std::span<const RangeFilter> filters, std::span<const OpenRange> open) {
  return std::any_of(filters.begin(), filters.end(),
                     [&](const RangeFilter& filter) { return filter.Matches(open); });
}

}  // namespace

Result<RangeFilter> RangeFilter::Parse(std::string_view text) {
  if (text.empty()) {
    return Error{"a range's name is missing; NAME, A/B and DOMAIN@NAME are accepted"};
  }
  if (text.size() > kLongestFilter) {
    return Error{fmt::format("the range is too long; {} characters are accepted", kLongestFilter)};
  }
  RangeFilter filter;
  filter.text_ = std::string(text);
  Result<DomainAndRest> parts = SplitDomain(text);
  if (!parts.ok()) return Error{parts.error()};
  filter.domain_ = parts.value().domain;
  const std::string_view rest = parts.value().rest;
  if (rest.starts_with(kRegexPrefix)) {
    Result<RegularExpression> expression =
        RegularExpression::Parse(rest.substr(kRegexPrefix.size()));
    if (!expression.ok()) return Error{expression.error()};
    filter.expression_ = std::move(expression).value();
    return filter;
  }
  Result<std::vector<RangeTerm>> terms = ParseRangeTerms(rest);
  if (!terms.ok()) return Error{fmt::format("'{}' is no range: {}", text, terms.error())};
  filter.terms_ = std::move(terms).value();
  return filter;
}

bool RangeFilter::IsInDomain(const OpenRange& range) const {
  return !domain_ || domain_->Matches(range.domain);
}

bool RangeFilter::Matches(std::span<const OpenRange> open) const {
  std::vector<const OpenRange*> ranges;
  for (const OpenRange& range : open) {
    if (IsInDomain(range)) ranges.push_back(&range);
  }
  if (ranges.empty()) return false;
  if (expression_) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const OpenRange* range) { return expression_->IsIn(range->name); });
  }
  const std::vector<Stack> stacks = Stacks(ranges);
  return std::all_of(terms_.begin(), terms_.end(), [&](const RangeTerm& term) {
    if (term.is_push_pop) {
      return std::any_of(stacks.begin(), stacks.end(),
                         [&](const Stack& stack) { return term.path.Matches(stack); });
    }
    return std::any_of(ranges.begin(), ranges.end(), [&](const OpenRange* range) {
      return term.path.steps.front().name.Matches(range->name);
    });
  });
}

bool RangeFilter::Mentions(std::string_view name) const {
  if (expression_) return expression_->IsIn(name);
  return std::ranges::any_of(terms_, [name](const RangeTerm& term) {
    return std::ranges::any_of(term.path.steps, [name](const RangeStep& step) {
      return step.kind == RangeStep::Kind::kName && step.name.Matches(name);
    });
  });
}

bool RangeFilter::Covers(const RangeFilter& other) const {
  if (text_ == "*" || text_ == other.text_) return true;
  const bool is_name = !domain_ && !expression_ && terms_.size() == 1 && !terms_[0].is_push_pop;
  if (!is_name) return false;
  // That one range is open is all that it asks.
  return std::ranges::any_of(other.terms_, [this](const RangeTerm& term) {
    return std::ranges::any_of(term.path.steps, [this](const RangeStep& step) {
      return step.kind == RangeStep::Kind::kName &&
             step.name.text() == terms_[0].path.steps.front().name.text();
    });
  });
}

bool RangesSelected(std::span<const RangeFilter> include, std::span<const RangeFilter> exclude,
                    std::span<const OpenRange> open) {
  return (include.empty() || AnyMatches(include, open)) && !AnyMatches(exclude, open);
}

}  // namespace coalcheck::selection
