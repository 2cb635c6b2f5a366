// SPDX-License-Identifier: Apache-2.0
//
// The compiled fixtures, and addresses put into numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/address/explain.h"

namespace coalcheck::address {

// Architectures that fixtures were compiled for; none without nvcc.
std::vector<std::uint32_t> FixtureArchitectures();
// The explained accesses of one kernel of addresses.cu.
std::vector<ExplainedAccess> ExplainFixture(std::uint32_t sm, const std::string& kernel);

// What the factors of an expression are worth for one thread.
struct Values {
  std::uint32_t thread[3];
  std::uint32_t block[3];
  std::uint32_t block_size[3];
  std::uint32_t grid_size[3];
  std::map<std::uint32_t, std::uint64_t> parameters;  // by number
  std::uint64_t others = 0;  // a seed for what is only known to be the same for all lanes
};

// The address, modulo 2^64.
std::uint64_t Evaluate(const AddressExpression& address, const Values& values);
// Whether it is made of indices, parameters and nothing else.
bool IsClosed(const AddressExpression& address);
// Whether the numbers of which it takes bits are.
bool HasClosedBits(const AddressExpression& address);

}  // namespace coalcheck::address
