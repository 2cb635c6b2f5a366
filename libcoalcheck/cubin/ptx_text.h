// SPDX-License-Identifier: Apache-2.0
//
// The PTX text that a cubin carries, by line, and what a PTX memory instruction says of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::cubin {

// The content of a `.nv_debug_ptx_txt` section: lines that end in NUL.
class PtxText {
 public:
  explicit PtxText(std::string_view content);
  // The 1-based `line` without blanks around it; empty when there is none.
  std::string_view Line(std::uint32_t line) const;
  // Which run of lines without an empty one between them `line` belongs to; 0 for no line. The
  // debug directives of the original text are emptied here, so all lines of a block have the same
  // source location.
  std::uint32_t Block(std::uint32_t line) const;
  std::string_view content() const { return content_; }
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }

 private:
  std::string_view content_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> blocks_;
};

struct PtxAccess {
  AccessKind kind = AccessKind::kLoad;
  Bytes width;           // per lane; 0 when the instruction does not say
  bool generic = false;  // no state space is named
  friend bool operator==(const PtxAccess&, const PtxAccess&) = default;
};

// Reads `ld.global.nc.v4.f32 {…}, [%rd1];` and the like, with or without a predicate; empty for
// anything but an access to global or generic memory.
std::optional<PtxAccess> ReadPtxAccess(std::string_view instruction);

// The same for an access whose operands do not say what each lane asks for: wmma.load and
// wmma.store, which a warp executes as one, and multimem, which goes to the memory of several GPUs.
std::optional<AccessKind> ReadSpecialAccess(std::string_view instruction);
inline constexpr const char* kSpecialAccess = "wmma and multimem instructions are not followed";

// Of `cp.async.bulk` and its like: what it does to global memory; empty where that is nothing.
std::optional<AccessKind> ReadBulkCopy(std::string_view instruction);

}  // namespace coalcheck::cubin
