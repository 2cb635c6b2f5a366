// SPDX-License-Identifier: Apache-2.0
//
// Where a kernel's parameters lie in the constant bank, from the cubin's attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/elf.h"

namespace coalcheck::address {

struct Parameter {
  std::uint32_t offset = 0;  // from the first one's
  std::uint32_t size = 0;
};

struct Parameters {
  std::uint32_t base = 0;      // in constant bank 0
  std::vector<Parameter> all;  // by number; sizes of 0 for those not listed

  struct Place {
    std::uint32_t number = 0;  // counted from 1
    std::uint32_t byte = 0;    // in it
  };
  std::optional<Place> Find(std::uint32_t bank, std::uint32_t offset) const;
};

// Empty ones for functions that are no kernels.
Parameters ReadParameters(const cubin::ElfFile& elf, std::string_view function);

}  // namespace coalcheck::address
