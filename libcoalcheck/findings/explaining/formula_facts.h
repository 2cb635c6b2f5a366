// SPDX-License-Identifier: Apache-2.0
//
// What the formula of an address says for every launch, where no launch could be evaluated.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/cubin/access_kind.h"
#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

// What was counted of an instruction of the PTX: of all machine instructions it became.
struct PtxCounts {
  Counts counts;
  Bytes width;  // per lane
  cubin::AccessKind kind = cubin::AccessKind::kLoad;
};
using CountsOfPtx = std::map<std::uint32_t, PtxCounts>;

// Of an instruction that has a formula, in blocks of that shape. `counted`: all accesses of the
// function.
patterns::AddressFact FactOfFormula(const address::AccessFormulas& formulas,
                                    std::uint32_t instruction,
                                    const std::optional<recording::Dim3>& block,
                                    const CountsOfPtx& counted);

}  // namespace coalcheck::findings
