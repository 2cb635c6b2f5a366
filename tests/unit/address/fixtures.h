// SPDX-License-Identifier: Apache-2.0
//
// The compiled fixtures.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::address {

// Architectures that fixtures were compiled for; none without nvcc.
std::vector<std::uint32_t> FixtureArchitectures();
// addresses.cu as PTX; lives for good.
const ptx::Module& FixturePtx(std::uint32_t sm);

}  // namespace coalcheck::address
