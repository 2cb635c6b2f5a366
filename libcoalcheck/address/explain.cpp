// SPDX-License-Identifier: Apache-2.0
//
// Goes through the accesses of one function in the order of the code.
#include "libcoalcheck/address/explain.h"

#include "libcoalcheck/address/expand.h"
#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::address {
namespace {

AddressExpression ExplainOne(Analysis& analysis, const FunctionCode& code,
                             const Parameters& parameters, std::uint32_t n) {
  if (!code.readable()) return {};
  const std::optional<Polynomial> address = analysis.AddressOf(n);
  if (!address) return {};
  return Expand(analysis, code, parameters, *address, n);
}

}  // namespace

std::vector<ExplainedAccess> ExplainAddresses(const cubin::ElfFile& elf,
                                              std::string_view function) {
  const machine_code::CodeImage image(elf);
  const std::optional<std::size_t> section = image.FindFunction(function);
  if (!section || image.sm() < cubin::kOldestSm) return {};
  const FunctionCode code(image, *section);
  const Parameters parameters = ReadParameters(elf, function);
  Analysis analysis(code);
  std::vector<ExplainedAccess> explained;
  for (std::uint32_t n = 0; n < code.words().size(); ++n) {
    const machine_code::Word& word = code.words()[n];
    if (!cubin::DecodeSass(word.low, word.high, code.sm())) continue;
    const PcOffset pc(static_cast<std::uint32_t>(n * sizeof(machine_code::Word)));
    explained.push_back({pc, ExplainOne(analysis, code, parameters, n)});
  }
  return explained;
}

std::vector<ExplainedAccess> ExplainAddresses(std::string_view cubin, std::string_view function) {
  const Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(cubin);
  if (!elf.ok() || elf.value().machine() != cubin::kMachineCuda) return {};
  return ExplainAddresses(elf.value(), function);
}

}  // namespace coalcheck::address
