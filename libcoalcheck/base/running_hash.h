// SPDX-License-Identifier: Apache-2.0
//
// XXH3-64 of bytes that come piece by piece.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace coalcheck {

class RunningHash {
 public:
  RunningHash();
  ~RunningHash();

  void Add(std::string_view bytes) noexcept;
  // Of all that was added so far.
  std::uint64_t value() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace coalcheck
