// SPDX-License-Identifier: Apache-2.0
//
// Evaluates expressions by their definition, apart from the code under test.
#include "tests/unit/address/fixtures.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace coalcheck::address {
namespace {

std::string ReadFile(const std::string& name) {
  std::ifstream stream(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::uint64_t EvaluateSum(const AddressExpression& address, const Sum& sum, const Values& values);

std::uint64_t EvaluateFactor(const AddressExpression& address, const Factor& factor,
                             const Values& values) {
  switch (factor.kind) {
    case FactorKind::kThreadIdx:
      return values.thread[factor.number];
    case FactorKind::kBlockIdx:
      return values.block[factor.number];
    case FactorKind::kBlockDim:
      return values.block_size[factor.number];
    case FactorKind::kGridDim:
      return values.grid_size[factor.number];
    case FactorKind::kParameter:
      return values.parameters.at(factor.number);
    case FactorKind::kBits: {
      const Bits& bits = address.bits.at(factor.number);
      const auto value = static_cast<std::uint32_t>(EvaluateSum(address, bits.of, values));
      return (value >> bits.shifted_right) & bits.mask;
    }
    default:
      return (values.others + factor.number * 97 + factor.pc.value() * 31) % 1009;
  }
}

std::uint64_t EvaluateSum(const AddressExpression& address, const Sum& sum, const Values& values) {
  auto result = static_cast<std::uint64_t>(sum.constant);
  for (const Term& term : sum.terms) {
    auto product = static_cast<std::uint64_t>(term.coefficient);
    for (const Factor& factor : term.factors) product *= EvaluateFactor(address, factor, values);
    result += product;
  }
  return result;
}

bool IsClosed(const Sum& sum) {
  for (const Term& term : sum.terms) {
    for (const Factor& factor : term.factors) {
      const bool opaque = factor.kind == FactorKind::kRounds ||
                          factor.kind == FactorKind::kUniform || factor.kind == FactorKind::kRow ||
                          factor.kind == FactorKind::kOfRun ||
                          factor.kind == FactorKind::kUnknown || factor.kind == FactorKind::kLoaded;
      if (opaque || factor.byte != 0) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> FixtureArchitectures() {
  std::vector<std::uint32_t> architectures;
  std::istringstream list(COALCHECK_ADDRESS_SMS);
  for (std::string sm; std::getline(list, sm, ',');) {
    architectures.push_back(static_cast<std::uint32_t>(std::stoul(sm)));
  }
  return architectures;
}

std::vector<ExplainedAccess> ExplainFixture(std::uint32_t sm, const std::string& kernel) {
  static std::map<std::uint32_t, std::string> cubins;
  std::string& cubin = cubins[sm];
  if (cubin.empty()) {
    cubin = ReadFile(std::string(COALCHECK_ADDRESS_DIR) + "/addresses_" + std::to_string(sm) +
                     ".cubin");
  }
  return ExplainAddresses(cubin, kernel);
}

std::uint64_t Evaluate(const AddressExpression& address, const Values& values) {
  return EvaluateSum(address, address.sum, values);
}

bool HasClosedBits(const AddressExpression& address) {
  return std::all_of(address.bits.begin(), address.bits.end(),
                     [](const Bits& bits) { return IsClosed(bits.of); });
}

bool IsClosed(const AddressExpression& address) {
  return HasClosedBits(address) && IsClosed(address.sum);
}

}  // namespace coalcheck::address
