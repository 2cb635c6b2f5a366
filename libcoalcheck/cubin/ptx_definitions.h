// SPDX-License-Identifier: Apache-2.0
//
// Where the PTX text of a cubin computes the addresses that its memory instructions use.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/ptx_text.h"

namespace coalcheck::cubin {

// "%rd7" of "ld.global.f32 %f1, [%rd7+4];": the register that the global address is made of; empty
// when there is none.
std::string_view AddressRegister(std::string_view instruction);

class PtxDefinitions {
 public:
  // `text` has to outlive this. Looks at each of its lines once.
  explicit PtxDefinitions(const PtxText& text);

  // The last line before `line` that writes the address register of the instruction there; 0 when
  // there is none. It may be in a function before.
  std::uint32_t OfAddress(std::uint32_t line) const;

 private:
  const PtxText& text_;
  std::vector<std::pair<std::string_view, std::uint32_t>> writes_;  // register and line, sorted
};

}  // namespace coalcheck::cubin
