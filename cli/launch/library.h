// SPDX-License-Identifier: Apache-2.0
//
// Finds the libcoalcheck.so that belongs to this command, and tells it from other files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cli {

inline constexpr std::string_view kLibraryName = "libcoalcheck.so";

// Where the library of the command at `executable` may be, the likeliest first.
std::vector<std::string> LibraryPlaces(const std::string& executable);

// The first of `places` that can be read, as an absolute path; empty when there is none.
std::string FirstReadable(const std::vector<std::string>& places);

// Whether CUDA could call `file`: an ELF shared library that exports InitializeInjection. Reads it
// and loads nothing.
bool IsInjectionLibrary(const std::string& file);

// The library's absolute path: `named` if that is not empty, else the one beside this command.
// Error: it is in none of the places, cannot be read, or is no such library.
Result<std::string> FindLibrary(const std::string& named);

}  // namespace coalcheck::cli
