// SPDX-License-Identifier: Apache-2.0
//
// The kernels of fixtures/ as compiled for each architecture.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/files.h"

namespace coalcheck::machine_code {

// "75", "80", …
inline std::vector<std::string> Architectures() { return support::PartsOf(COALCHECK_WAITING_SMS); }

inline std::string ReadFixture(const std::string& name) {
  std::string text = support::FileText(std::string(COALCHECK_WAITING_DIR) + "/" + name);
  EXPECT_FALSE(text.empty()) << "cannot read " << name;
  return text;
}

}  // namespace coalcheck::machine_code
