// SPDX-License-Identifier: Apache-2.0
//
// What one SASS instruction word says about global memory, without a disassembler.
#pragma once

#include <cstdint>
#include <optional>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/access_kind.h"
#include "libcoalcheck/cubin/architecture.h"

namespace coalcheck::cubin {

inline constexpr std::uint32_t kSassWordSize = 16;

struct SassAccess {
  AccessKind kind = AccessKind::kLoad;
  Bytes width;           // per lane; 0 if the size field holds an unknown value
  bool generic = false;  // the address decides whether it is global
  friend bool operator==(const SassAccess&, const SassAccess&) = default;
};

// Decodes the 128-bit instruction `low`, `high` of architecture `sm`; empty when it is no access to
// global memory. docs/cubins.md has the table and how it was proven.
std::optional<SassAccess> DecodeSass(std::uint64_t low, std::uint64_t high, std::uint32_t sm);

// Whether the instruction loads from or stores to local memory, where spilled registers and indexed
// arrays of a thread are; empty when it does neither. `low` as above.
std::optional<AccessKind> DecodeLocalAccess(std::uint64_t low);

// Whether the instruction has the tensor memory accelerator copy to, from or into sums in global
// memory, which sm_90 and newer have; empty when it does not, as when it only prefetches.
std::optional<AccessKind> DecodeBulkCopy(std::uint64_t low, std::uint64_t high, std::uint32_t sm);

}  // namespace coalcheck::cubin
