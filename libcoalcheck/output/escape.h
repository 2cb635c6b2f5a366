// SPDX-License-Identifier: Apache-2.0
//
// Foreign text made harmless for the form it goes into. Names come out of recordings and cubins,
// and may hold anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {

// The longest piece of foreign text that a form for machines takes over. Template instantiations
// have names of several thousand bytes; nobody reads them there.
inline constexpr std::size_t kMostForeignBytes = 1000;

inline std::string Cut(std::string_view text, std::size_t most = kMostForeignBytes) {
  return words::Cut(text, most);
}

// Each function makes text printable, as words::Printable does, and escapes the characters that
// begin or end a part of its form.
std::string EscapeHtml(std::string_view text);      // for elements, and attributes in double quotes
std::string EscapeMarkdown(std::string_view text);  // for a cell of a table
std::string EscapeGithubMessage(std::string_view text);   // of a workflow command
std::string EscapeGithubProperty(std::string_view text);  // of a workflow command
// For a message in SARIF, where "[text](place)" is a link.
std::string EscapeSarifMessage(std::string_view text);

// A path as the path of a URI, whatever its bytes; "/" separates.
std::string UriPath(std::string_view path);

}  // namespace coalcheck::output
