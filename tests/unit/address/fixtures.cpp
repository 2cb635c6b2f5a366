// SPDX-License-Identifier: Apache-2.0
//
// Reads each file once.
#include "tests/unit/address/fixtures.h"

#include <map>
#include <string>

#include "tests/support/files.h"

namespace coalcheck::address {

std::vector<std::uint32_t> FixtureArchitectures() {
  std::vector<std::uint32_t> architectures;
  for (const std::string& sm : support::PartsOf(COALCHECK_ADDRESS_SMS)) {
    architectures.push_back(static_cast<std::uint32_t>(std::stoul(sm)));
  }
  return architectures;
}

const ptx::Module& FixturePtx(std::uint32_t sm) {
  static std::map<std::uint32_t, std::string> texts;
  static std::map<std::uint32_t, ptx::Module> modules;
  const auto known = modules.find(sm);
  if (known != modules.end()) return known->second;
  texts[sm] = support::FileText(std::string(COALCHECK_ADDRESS_DIR) + "/addresses_" +
                                std::to_string(sm) + ".ptx");
  return modules.emplace(sm, ptx::Module(texts[sm])).first->second;
}

}  // namespace coalcheck::address
