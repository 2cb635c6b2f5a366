// SPDX-License-Identifier: Apache-2.0
//
// Fills in the forms of the report, which the table does not know.
#include "cli/syntax/option_help.h"

#include <fmt/format.h>

#include "libcoalcheck/output/forms/forms.h"

namespace coalcheck::cli {

std::string HelpOf(const options::OptionSpec& spec) {
  constexpr std::string_view kMark = "{forms}";
  std::string help(spec.help);
  if (const std::size_t at = help.find(kMark); at != std::string::npos) {
    std::string names;
    for (const output::Form& form : output::kForms) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", form.name);
    }
    help.replace(at, kMark.size(), names);
  }
  if (!spec.default_value.empty()) help += fmt::format(" [{}]", spec.default_value);
  return help;
}

}  // namespace coalcheck::cli
