// SPDX-License-Identifier: Apache-2.0
//
// Looks a form up.
#include "libcoalcheck/output/forms/forms.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace coalcheck::output {

static_assert(std::ranges::all_of(kForms, [](const Form& row) {
  return &row - kForms == static_cast<std::ptrdiff_t>(row.format);
}));

const Form& FormOf(Format format) { return kForms[static_cast<std::size_t>(format)]; }

std::string_view ToString(Format format) { return FormOf(format).name; }

std::optional<Format> FormatFromString(std::string_view name) {
  const Form* found = std::ranges::find(kForms, name, &Form::name);
  return found == std::end(kForms) ? std::nullopt : std::optional(found->format);
}

std::vector<Format> AllFormats() {
  std::vector<Format> all;
  for (const Form& form : kForms) all.push_back(form.format);
  return all;
}

std::string Written(Format format, const FormInput& input) {
  std::ostringstream out;
  FormOf(format).write(input, out);
  return std::move(out).str();
}

}  // namespace coalcheck::output
