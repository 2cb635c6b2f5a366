// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a mangled name: bounded text, whatever its parts refer to.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/base/itanium_name.h"
#include "tests/fuzz/require.h"

using coalcheck::Require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  const auto text = coalcheck::ReadItaniumName(name);
  Require(!text || text->size() <= 16384);
  Require(coalcheck::Demangle(name).size() < 100000);
  return 0;
}
