// SPDX-License-Identifier: Apache-2.0
//
// Explains the addresses in arbitrary bytes: as a cubin, and as the code of one made around them.
// What it says has to be the same twice, and putting it into words and lanes must end.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/address/explain.h"
#include "libcoalcheck/address/words.h"
#include "libcoalcheck/machine_code/waiting_signs.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/wrap_code.h"

namespace {

using namespace coalcheck;
using namespace coalcheck::address;

void Explain(std::string_view cubin, std::string_view kernel) {
  const std::vector<ExplainedAccess> once = ExplainAddresses(cubin, kernel);
  const std::vector<ExplainedAccess> twice = ExplainAddresses(cubin, kernel);
  Require(once.size() == twice.size());
  Names names;
  names.parameter_types = ParameterTypes(kernel);
  names.load = [](PcOffset pc) { return fmt::format("{}", pc.value()); };
  for (std::size_t i = 0; i < once.size() && i < 64; ++i) {
    const AddressExpression& address = once[i].address;
    Require(address.sum == twice[i].address.sum && address.lanes == twice[i].address.lanes);
    Require(Describe(address, names) == Describe(twice[i].address, names));
    DescribeLanes(address, Bytes(4), names);
    if (const auto offsets = LaneOffsets(address, {32, 2, 1}, 1)) {
      Require(offsets->size() == kWarpSize && offsets->front() == 0);
      const auto step = StepInX(address);
      Require(!step || !step->bytes || (*offsets)[1] == *step->bytes);
    }
    if (address.lanes != LaneDependence::kNotKnown) {
      Require(ConstantDistance(address, address) == 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view kernel : machine_code::KernelNames(bytes)) Explain(bytes, kernel);
  for (const std::uint32_t sm : {75U, 90U, 120U}) Explain(fuzz::Wrap(bytes, sm), "k");
  return 0;
}
