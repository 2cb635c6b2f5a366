// SPDX-License-Identifier: Apache-2.0
//
// The two comparisons.
#include "tests/support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace coalcheck::support {
namespace {

using Complaints = std::vector<std::string>;

bool IsAbout(const Expectation& expectation, const ObservedAccess& access) {
  const auto in_name = [&](const std::string& part) {
    return access.kernel.find(part) != std::string::npos;
  };
  return expectation.file == access.file && expectation.line == access.line &&
         expectation.kind == access.kind &&
         (expectation.kernels.empty() || std::ranges::any_of(expectation.kernels, in_name));
}

double PerRequest(const ObservedAccess& access, const std::string& key) {
  const std::uint64_t sum = key == "sectors" ? access.sectors
                            : key == "ideal" ? access.ideal_sectors
                            : key == "lines" ? access.lines
                                             : access.lanes;
  return static_cast<double>(sum) /
         static_cast<double>(std::max<std::uint64_t>(access.requests, 1));
}

void CheckOne(const Expectation& expectation, const ObservedAccess& access,
              Complaints& complaints) {
  if (access.requests == 0) complaints.push_back(access.Where() + " made no request");
  if (access.is_finding == expectation.clean) {
    complaints.push_back(
        fmt::format("{} is {}", access.Where(), expectation.clean ? "a finding" : "no finding"));
  }
  if (!expectation.pattern.empty() && access.pattern &&
      !FitsPattern(expectation.pattern, *access.pattern)) {
    complaints.push_back(fmt::format("{} has pattern={} instead of {}", access.Where(),
                                     *access.pattern, expectation.pattern));
  }
  for (const auto& [key, range] : expectation.per_request) {
    const double value = PerRequest(access, key);
    if (range.Contains(value)) continue;
    complaints.push_back(fmt::format("{} has {}={} instead of {}..{}", access.Where(), key, value,
                                     range.low, range.high));
  }
}

void CheckSites(const Expectation& expectation,
                const std::map<std::string, std::uint64_t>& sites_of_kernel,
                Complaints& complaints) {
  if (!expectation.sites) return;
  for (const auto& [kernel, sites] : sites_of_kernel) {
    if (sites == *expectation.sites) continue;
    complaints.push_back(fmt::format("{} has {} sites in {} instead of {}", expectation.Where(),
                                     sites, kernel, *expectation.sites));
  }
}

void CheckSeen(const Expectation& expectation,
               const std::map<std::string, std::uint64_t>& sites_of_kernel,
               Complaints& complaints) {
  if (sites_of_kernel.empty()) complaints.push_back(expectation.Where() + " was not seen");
  for (const std::string& part : expectation.kernels) {
    const bool seen = std::ranges::any_of(sites_of_kernel, [&](const auto& entry) {
      return entry.first.find(part) != std::string::npos;
    });
    if (!seen) complaints.push_back(expectation.Where() + " was not seen in a kernel " + part);
  }
}

// What makes an access the same in a report and in a count; call sites of one line add up.
using Key = std::tuple<std::string, std::uint32_t, std::string, std::string>;
// Requests, lanes, sectors, ideal sectors, lines.
using Sums = std::array<std::uint64_t, 5>;

struct Total {
  Sums sums{};
  std::uint64_t launches = 0;
};

std::map<Key, Total> TotalsOf(const std::vector<ObservedAccess>& accesses) {
  std::map<Key, Total> totals;
  for (const ObservedAccess& a : accesses) {
    Total& total = totals[{a.file, a.line, a.kernel, a.kind}];
    const Sums more = {a.requests, a.lanes, a.sectors, a.ideal_sectors, a.lines};
    for (std::size_t i = 0; i < more.size(); ++i) total.sums[i] += more[i];
    total.launches = a.launches_checked;
  }
  return totals;
}

std::string Words(const Key& key) {
  return fmt::format("{}:{}: {} in {}", std::get<0>(key), std::get<1>(key), std::get<3>(key),
                     std::get<2>(key));
}

std::string Words(const Sums& sums) {
  return fmt::format("{} requests, {} lanes, {} sectors, {} ideal, {} lines", sums[0], sums[1],
                     sums[2], sums[3], sums[4]);
}

}  // namespace

std::vector<std::string> CheckExpectations(const std::vector<Expectation>& expectations,
                                           const std::vector<ObservedAccess>& observed) {
  Complaints complaints;
  for (const Expectation& expectation : expectations) {
    std::map<std::string, std::uint64_t> sites_of_kernel;
    for (const ObservedAccess& access : observed) {
      if (!IsAbout(expectation, access)) continue;
      ++sites_of_kernel[access.kernel];
      CheckOne(expectation, access, complaints);
    }
    CheckSites(expectation, sites_of_kernel, complaints);
    CheckSeen(expectation, sites_of_kernel, complaints);
  }
  for (const ObservedAccess& access : observed) {
    const bool expected = std::ranges::any_of(
        expectations, [&](const Expectation& expectation) { return IsAbout(expectation, access); });
    if (access.is_finding && !expected) {
      complaints.push_back(access.Where() + " is a finding that nobody expects");
    }
  }
  return complaints;
}

std::vector<std::string> CompareWithCount(const std::vector<ObservedAccess>& report,
                                          const std::vector<ObservedAccess>& count) {
  Complaints complaints;
  const std::map<Key, Total> counted = TotalsOf(count);
  std::map<Key, Total> reported = TotalsOf(report);
  for (const auto& [key, one_launch] : counted) {
    const auto found = reported.find(key);
    if (found == reported.end()) {
      complaints.push_back(Words(key) + " is counted and not reported");
      continue;
    }
    const Total& total = found->second;
    Sums wanted = one_launch.sums;
    for (std::uint64_t& sum : wanted) sum *= total.launches;
    if (total.launches == 0 || wanted != total.sums) {
      complaints.push_back(fmt::format("{} is reported with {} in {} launches instead of {}",
                                       Words(key), Words(total.sums), total.launches,
                                       Words(wanted)));
    }
    reported.erase(found);
  }
  for (const auto& [key, total] : reported) {
    complaints.push_back(Words(key) + " is reported and not counted");
  }
  return complaints;
}

}  // namespace coalcheck::support
