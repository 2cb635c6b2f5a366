// SPDX-License-Identifier: Apache-2.0
//
// Why a launch made no recording, as far as can be seen from outside the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::cli {

// Why exec(2) gave `error` (an errno value) for `program`.
std::string WhyNotExecuted(const std::string& program, int error);

// Whether the content of an ELF file names a dynamic linker. True for other files: a script does
// not say how its interpreter is linked.
bool IsDynamic(std::string_view elf);

// The likely reasons why no process of `program` made a recording, a sentence each.
std::vector<std::string> WhyNoRecording(const std::string& program);

}  // namespace coalcheck::cli
