// SPDX-License-Identifier: Apache-2.0
//
// Names and units of the thresholds.
#include "libcoalcheck/policy/rules.h"

#include <algorithm>
#include <iterator>

namespace coalcheck::policy {
namespace {

struct Row {
  std::string_view name;
  std::string_view unit;
  double most;
};

constexpr double kMostCount = 1e18;

// In the order of the enumeration.
constexpr Row kRows[kKeys] = {
    {"min-wasted-share", " %", 100},
    {"min-requests", " per launch", kMostCount},
    {"min-wasted-bytes", " bytes per launch", kMostCount},
    {"min-cost", " %", 100},
    {"max-wasted-share", " %", 100},
    {"max-sectors-per-request", "", kMostCount},
};

const Row& RowOf(Key key) { return kRows[static_cast<std::size_t>(key)]; }

}  // namespace

std::string_view ToString(Key key) { return RowOf(key).name; }
std::string_view UnitOf(Key key) { return RowOf(key).unit; }
double MostOf(Key key) { return RowOf(key).most; }

}  // namespace coalcheck::policy
