// SPDX-License-Identifier: Apache-2.0
//
// The kernels of fixtures/ as compiled for each architecture.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace coalcheck::machine_code {

// "75", "80", …
inline std::vector<std::string> Architectures() {
  std::vector<std::string> architectures;
  std::istringstream list(COALCHECK_WAITING_SMS);
  for (std::string sm; std::getline(list, sm, ',');) architectures.push_back(sm);
  return architectures;
}

inline std::string ReadFixture(const std::string& name) {
  std::ifstream stream(std::string(COALCHECK_WAITING_DIR) + "/" + name, std::ios::binary);
  EXPECT_TRUE(stream.good()) << "cannot read " << name;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace coalcheck::machine_code
