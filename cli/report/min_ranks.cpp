// SPDX-License-Identifier: Apache-2.0
//
// A number, or a share with its sign.
#include "cli/report/min_ranks.h"

#include <fmt/format.h>

#include <cstdint>

#include "cli/syntax/option_checks.h"

namespace coalcheck::cli {
namespace {

bool IsShare(const std::string& text) { return text.ends_with('%'); }

std::string WithoutSign(const std::string& text) { return text.substr(0, text.size() - 1); }

}  // namespace

findings::MinRanks ReadMinRanks(const std::string& text) {
  findings::MinRanks least;
  if (!RefuseAllButRanks(text).empty()) return least;
  if (IsShare(text)) {
    least.share = std::stod(WithoutSign(text)) / 100;
  } else {
    least.ranks = std::stoull(text);
  }
  return least;
}

std::string RefuseAllButRanks(const std::string& text) {
  const bool is_good = IsShare(text) ? RefuseAllButPercent(WithoutSign(text)).empty()
                                     : RefuseAllButCount(text).empty();
  return is_good ? std::string()
                 : fmt::format("takes a number of ranks or a share, 8 or 90%, not '{}'", text);
}

}  // namespace coalcheck::cli
