// SPDX-License-Identifier: Apache-2.0
//
// Holds what was observed against what was expected, and two observations against each other. Each
// returns its complaints, one sentence each; none means that all is well.
#pragma once

#include <string>
#include <vector>

#include "tests/support/expectation.h"
#include "tests/support/observed.h"

namespace coalcheck::support {

// Every expectation was seen and holds, and every finding was expected.
std::vector<std::string> CheckExpectations(const std::vector<Expectation>& expectations,
                                           const std::vector<ObservedAccess>& observed);

// `report` has, line by line, exactly what `count` has for each launch that was checked.
std::vector<std::string> CompareWithCount(const std::vector<ObservedAccess>& report,
                                          const std::vector<ObservedAccess>& count);

}  // namespace coalcheck::support
