// SPDX-License-Identifier: Apache-2.0
//
// Looks for signs of waiting, and for accesses, in arbitrary bytes: as a cubin, and as the code of
// one made around them, so that most inputs reach the decoder.
#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/machine_code/access_rounds.h"
#include "libcoalcheck/machine_code/module_facts.h"
#include "libcoalcheck/machine_code/waiting_signs.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/wrap_code.h"

namespace {

using namespace coalcheck::machine_code;
using coalcheck::Require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view kernel : KernelNames(bytes)) {
    Require(FindWaitingSigns(bytes, kernel) == FindWaitingSigns(bytes, kernel));
    const auto rounds = CountAccessRounds(bytes, kernel);
    Require(!rounds || rounds->accesses >= 0);
  }
  Require(FindWaitingSigns(bytes, "no such kernel") == WaitingSigns{WaitingSign::kUnreadable});
  for (const std::uint32_t sm : {75U, 90U, 120U}) {
    const std::string cubin = coalcheck::fuzz::Wrap(bytes, sm);
    const auto rounds = CountAccessRounds(cubin, "k");
    Require(!rounds || rounds->accesses >= 0);
    const WaitingSigns signs = FindWaitingSigns(cubin, "k");
    Require(bytes.size() >= 16 || !signs.Has(WaitingSign::kStrongLoad));
  }
  return 0;
}
