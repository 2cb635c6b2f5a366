// SPDX-License-Identifier: Apache-2.0
//
// What the source calls a kernel's parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/source_text.h"

namespace coalcheck::findings {

// What the compiler made of a kernel's parameters.
struct CompiledParameters {
  std::vector<std::string> types;    // as demangled; empty when they are not known
  std::vector<std::uint32_t> bytes;  // of each
};

// A place in the body of a function.
struct PlaceInBody {
  std::string_view file;
  std::uint32_t line = 0;
};

// The names of the parameters of the function `name` (without namespaces and template arguments)
// around `place`. Empty where no signature is found there, or its types are not those that were
// compiled: it may be another overload, or the source may have changed.
std::vector<std::string> ParameterNames(cubin::SourceText& sources, const PlaceInBody& place,
                                        std::string_view name, const CompiledParameters& compiled);

// The line in which the definition of that function around `place` has its name; empty where none
// is found.
std::optional<std::uint32_t> DefinitionLine(cubin::SourceText& sources, const PlaceInBody& place,
                                            std::string_view name);

}  // namespace coalcheck::findings
