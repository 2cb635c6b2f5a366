// SPDX-License-Identifier: Apache-2.0
//
// Which kernels access one array, so that a move of its data is not said as if one kernel had it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/findings/explaining/explanations.h"
#include "libcoalcheck/findings/kernel_moves.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::findings {

class ArrayUsers {
 public:
  // An access of the array that a parameter of the kernel points to, counted from 0.
  void Note(const std::string& kernel, const ptx::Function& function,
            const address::LaunchValues& launch, std::uint32_t parameter);
  void Note(const std::string& kernel, const Explanations& explanations,
            std::optional<std::uint32_t> parameter);
  // Fills in KernelMove::other_kernels. Of moves that bring about as much as the best, those that
  // no other kernel has to follow come first.
  void Finish(std::vector<KernelMoves>& all) const;

 private:
  std::vector<std::string> OthersOf(const std::string& kernel, const moves::Move& move) const;

  // Where its pointers point to, by kernel and parameter.
  std::map<std::string, std::map<std::uint32_t, std::uint64_t>> places_;
};

}  // namespace coalcheck::findings
