// SPDX-License-Identifier: Apache-2.0
//
// Why a launch came to nothing, as far as can be seen from outside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::cli {

// Why exec(2) gave `error` (an errno value) for `program`.
std::string WhyNotExecuted(const std::string& program, int error);

// Whether the content of an ELF file names a dynamic linker. True for what is no ELF file: a script
// says nothing of its interpreter's interpreter.
bool IsDynamic(std::string_view elf);

// What is likely when no process of `program` made a recording, each a sentence.
std::vector<std::string> WhyNoRecording(const std::string& program);

}  // namespace coalcheck::cli
