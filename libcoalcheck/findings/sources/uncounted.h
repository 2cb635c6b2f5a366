// SPDX-License-Identifier: Apache-2.0
//
// What is predicted of instructions of the PTX, as part of the accesses that they became.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "libcoalcheck/findings/explaining/predicted_launches.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// `instructions`: the accesses that each instruction of the PTX is in. An access is predicted in
// launches in which all of its instructions are; one that shares an instruction never is.
void AddUncounted(const std::vector<PredictedGroup>& groups,
                  const std::map<std::uint32_t, std::set<std::size_t>>& instructions,
                  std::vector<Access>& accesses);

}  // namespace coalcheck::findings
