// SPDX-License-Identifier: Apache-2.0
//
// Checks of options' values. They run before CLI11 converts a value, so that messages are the same
// in all commands.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace coalcheck::cli {

// Returns what is wrong, empty when nothing is.
using Check = std::function<std::string(const std::string&)>;

Check OneOf(std::vector<std::string> accepted);
// A whole number from `least` to `most`, of what is named (" of milliseconds").
Check WholeNumber(unsigned least, unsigned most, std::string of);
std::string RefuseAllButPercent(const std::string& text);
std::string RefuseAllButCount(const std::string& text);
std::string RefuseAllButFolder(const std::string& text);
std::string RefuseAllButAmount(const std::string& text);
std::string RefuseAllButDay(const std::string& text);
std::string RefuseAllButMapping(const std::string& text);

std::string RefuseAllButArchitecture(const std::string& text);

// 90 of "sm_90"; 0 of what is no architecture.
std::uint32_t ArchitectureIn(const std::string& text);

}  // namespace coalcheck::cli
