// SPDX-License-Identifier: Apache-2.0
//
// Compiled cubins for the tests, and a view of them in which every instruction counts as an access,
// so that the line tables can be compared as a whole.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/elf.h"

namespace coalcheck::cubin {

// Why there are no fixtures; empty when there are.
std::string WhyNoFixtures();
// "75", "80", …: the architectures there are fixtures for.
std::vector<std::string> FixtureArchitectures();
// The content of the fixture `name`; fails the test when it cannot be read.
std::string ReadFixture(const std::string& name);
std::string FixturePath(const std::string& name);
// The absolute path of a fixture's source.
std::string FixtureSource(const std::string& name);
// The content of any file, empty when it cannot be read.
std::optional<std::string> ReadWhole(const std::string& path);

// Every instruction of a cubin with its source frames and PTX.
struct AllInstructions {
  explicit AllInstructions(std::string content);

  std::string bytes;
  std::vector<Function> functions;
  std::deque<std::string> paths;
};

}  // namespace coalcheck::cubin
