// SPDX-License-Identifier: Apache-2.0
//
// Bounds that hold for every row, whatever the kernel did. They are wide on purpose: an odd count
// is for the report to show.
#include "libcoalcheck/recording/possible_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "libcoalcheck/base/units.h"

namespace coalcheck::recording {
namespace {

// A lane's 16 bytes lie in one sector, and in two at the most wherever they begin.
constexpr std::uint64_t kMostSectorsPerRequest = std::uint64_t{2} * kWarpSize;
// A GPU of 10^12 requests a second would count for a day; sums of many windows stay in 64 bits.
constexpr std::uint64_t kMostOfAWindow = std::uint64_t{1} << 56U;

class Rows {
 public:
  Rows(const std::vector<std::string>& counters, std::uint64_t most)
      : most_(most),
        requests_(Find(counters, kRequests)),
        async_requests_(Find(counters, kAsyncRequests)),
        sectors_(Find(counters, kSectors)),
        ideal_(Find(counters, kIdealSectors)) {
    for (const std::string_view name :
         {kRequests, kLanes, kAsyncRequests, kAsyncLanes, kSectors, kIdealSectors, kCacheLines}) {
      if (const Column column = Find(counters, name)) sums_.push_back({*column});
    }
  }

  std::string WhyImpossible(const CountRow& row) {
    for (Sum& sum : sums_) {
      const std::uint64_t value = row.values[sum.column];
      if (value > most_ - sum.value) return "more than a window can count";
      sum.value += value;
    }
    if (!sectors_) return {};
    const std::uint64_t sectors = row.values[*sectors_];
    if (ideal_ && row.values[*ideal_] > sectors) {
      return fmt::format("{} ideal sectors of {} touched", row.values[*ideal_], sectors);
    }
    if (!requests_ || !async_requests_) return {};
    const std::uint64_t requests =
        (Requests(row.values[*requests_]) + Requests(row.values[*async_requests_])).count();
    // Sums may be so large that a product is none any more.
    const bool is_part = sectors % kMostSectorsPerRequest != 0;
    if (sectors / kMostSectorsPerRequest + (is_part ? 1 : 0) > requests) {
      return fmt::format("{} sectors of {} requests", sectors, requests);
    }
    return {};
  }

 private:
  using Column = std::optional<std::size_t>;
  struct Sum {
    std::size_t column = 0;
    std::uint64_t value = 0;  // at most most_
  };

  static Column Find(const std::vector<std::string>& counters, std::string_view name) {
    const auto found = std::ranges::find(counters, name);
    if (found == counters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - counters.begin());
  }

  const std::uint64_t most_;
  const Column requests_, async_requests_, sectors_, ideal_;
  std::vector<Sum> sums_;
};

}  // namespace

std::string WhyImpossible(const Window& window, const std::vector<std::string>& counters) {
  Rows rows(counters, window.sum_of > 0 ? kMostOfASum : kMostOfAWindow);
  for (const FunctionCounts& function : window.functions) {
    for (const CountRow& row : function.rows) {
      const std::string why = rows.WhyImpossible(row);
      if (why.empty()) continue;
      return fmt::format("\"rows\" are impossible at pc {}: {}", row.pc.value(), why);
    }
  }
  return {};
}

}  // namespace coalcheck::recording
