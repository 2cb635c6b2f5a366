// SPDX-License-Identifier: Apache-2.0
//
// Puts what the machine code says of a function's addresses into the words of the patterns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "libcoalcheck/address/explain.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

// One function's accesses, explained once and asked about often.
class AddressFacts {
 public:
  // Both of one function, by ascending pc.
  AddressFacts(std::span<const cubin::GlobalAccess> accesses,
               std::vector<address::ExplainedAccess> explained);

  // Nothing for a pc without an access. Without the block's shape the lanes' rows are not known,
  // and with them no step between lanes.
  patterns::AddressFact Of(PcOffset pc, const std::optional<recording::Dim3>& block) const;

  // The address itself; null for a pc without an access.
  const address::AddressExpression* ExpressionAt(PcOffset pc) const;

 private:
  struct Access {
    PcOffset pc;
    cubin::AccessKind kind = cubin::AccessKind::kLoad;
    Bytes width;
    address::AddressExpression address;
  };
  std::optional<std::vector<patterns::Sibling>> SiblingsOf(const Access& access) const;

  std::vector<Access> accesses_;
};

}  // namespace coalcheck::findings
