// SPDX-License-Identifier: Apache-2.0
//
// Reads every instruction of a cubin that can touch global memory, with its kind, its width and the
// source lines it came from. The bytes are not trusted.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/access_kind.h"

namespace coalcheck::cubin {

// One step of an inline chain: `line` of `file`, inside `function`. The views live as long as the
// Cubin does.
struct SourceFrame {
  std::string_view function;  // mangled
  std::string_view file;      // as compiled, absolute as a rule
  std::uint32_t line = 0;     // 1-based
  friend bool operator==(const SourceFrame&, const SourceFrame&) = default;
};

struct GlobalAccess {
  PcOffset pc;
  AccessKind kind = AccessKind::kLoad;
  Bytes width;           // per lane: 1, 2, 4, 8, 16 (32 from sm_100)
  bool generic = false;  // LD/ST/ATOM: global only when the address says so
  // Innermost first, the kernel's own line last; empty without line information.
  std::vector<SourceFrame> frames;
  std::string_view ptx;        // the PTX instruction, empty when unknown
  std::uint32_t ptx_line = 0;  // its 1-based line in the PTX text, 0 when unknown
};

// An instruction that accesses global memory and whose sectors are not counted.
struct UncountedAccess {
  PcOffset pc;
  AccessKind kind = AccessKind::kLoad;
  std::vector<SourceFrame> frames;  // as a GlobalAccess's
};

struct Function {
  std::string_view name;  // mangled, as ShortName keeps it
  bool is_kernel = false;
  bool has_lines = false;
  // The PTX that its accesses' ptx_line counts the lines of, which end at NUL; empty when unknown.
  std::string_view ptx_text;
  std::vector<GlobalAccess> accesses;  // ascending pc
  // LDL or STL, loads and stores: a spilled register, or an array of a thread that lives in memory.
  std::vector<UncountedAccess> local;  // ascending pc
  // Loads, stores and reductions that the tensor memory accelerator makes.
  std::vector<UncountedAccess> bulk;  // ascending pc
};

class Cubin {
 public:
  // Reads `bytes` (copied or shared as the implementation likes). Errors: kInvalidArgument when it
  // is no cubin or its structure contradicts itself.
  static absl::StatusOr<Cubin> Parse(std::string bytes);

  // The same for a file of PTX text; its accesses are PTX instructions.
  static absl::StatusOr<Cubin> ParsePtx(std::string text);
  // For bytes that are a cubin or a file of PTX.
  static absl::StatusOr<Cubin> ParseCode(std::string bytes);

  Cubin(Cubin&&) noexcept;
  Cubin& operator=(Cubin&&) noexcept;
  ~Cubin();

  std::uint32_t sm() const;  // 90 for sm_90
  // What Parse was given.
  std::string_view bytes() const;
  std::span<const Function> functions() const;
  // Null if no function has that name.
  const Function* FindFunction(std::string_view mangled_name) const;
  // The access at `pc`, null when that instruction is not a global access.
  static const GlobalAccess* FindAccess(const Function& function, PcOffset pc);

 private:
  struct State;
  explicit Cubin(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace coalcheck::cubin
