// SPDX-License-Identifier: Apache-2.0
//
// From left to right, once: inserted text is not replaced again.
#include "libcoalcheck/options/placeholders.h"

namespace coalcheck::options {

std::string ExpandPlaceholders(std::string_view text, const Placeholders& placeholders) {
  constexpr std::string_view kVariable = "%q{";
  std::string expanded;
  while (!text.empty()) {
    const std::string_view two = text.substr(0, 2);
    const std::size_t brace = text.starts_with(kVariable) ? text.find('}') : std::string_view::npos;
    std::size_t taken = 2;
    if (brace != std::string_view::npos) {
      const std::string_view name = text.substr(kVariable.size(), brace - kVariable.size());
      expanded += placeholders.variable(std::string(name));
      taken = brace + 1;
    } else if (two == "%p") {
      expanded += std::to_string(placeholders.pid);
    } else if (two == "%r") {
      expanded += std::to_string(placeholders.rank.value_or(placeholders.pid));
    } else if (two == "%h") {
      expanded += placeholders.host;
    } else if (two == "%%") {
      expanded += '%';
    } else {
      expanded += text[0];
      taken = 1;
    }
    text.remove_prefix(taken);
  }
  return expanded;
}

}  // namespace coalcheck::options
