// SPDX-License-Identifier: Apache-2.0
//
// The report as a compiler would print it: a line of the source, what is wrong with it, a summary.
#pragma once

#include <ostream>

#include "libcoalcheck/output/form.h"

namespace coalcheck::output {

void WriteText(const FormInput& input, std::ostream& out);

}  // namespace coalcheck::output
