// SPDX-License-Identifier: Apache-2.0
//
// Folds the instantiations of a kernel template, which differ in name and not in line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// "ns::copy" of "void ns::copy<float, 4>(float const*, int)": a function's name without its
// template arguments, parameters and return type.
std::string BaseName(std::string_view demangled);

// The places of `accesses`: findings first, each group by falling number of wasted sectors.
std::vector<Place> FoldInstantiations(const std::vector<Access>& accesses);

struct Coverage {
  Launches checked;
  Launches all;
};
// Over the kernels whose counts the place sums.
Coverage CoverageOf(const Report& report, const Place& place);

}  // namespace coalcheck::findings
