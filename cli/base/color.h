// SPDX-License-Identifier: Apache-2.0
//
// Whether a text is written in colour: --color, and what the environment says where that is auto.
#pragma once

#include <cstdlib>
#include <string_view>

namespace coalcheck::cli {

inline bool WantsColor(std::string_view option, bool to_terminal) {
  if (option != "auto") return option == "always";
  const char* terminal = std::getenv("TERM");
  const bool dumb =
      terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb";
  return to_terminal && !dumb && std::getenv("NO_COLOR") == nullptr;
}

}  // namespace coalcheck::cli
