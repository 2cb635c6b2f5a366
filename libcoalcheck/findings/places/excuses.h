// SPDX-License-Identifier: Apache-2.0
//
// Takes findings out of the verdict without taking them out of the report.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// Excuses the findings among the accesses of `place`.
void ExcusePlace(const Excuse& excuse, Place& place, std::vector<Access>& accesses);

// After that: findings stand first again, and the groups of ranges excuse the same accesses.
void SettleExcuses(Report& report);

// Places in scope that have an excuse of that kind.
std::uint64_t Excused(const Report& report, Excuse::By by);

}  // namespace coalcheck::findings
