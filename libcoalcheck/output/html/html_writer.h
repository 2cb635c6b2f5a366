// SPDX-License-Identifier: Apache-2.0
//
// The report as one HTML page that works without network and can be read without scripts.
#pragma once

#include <ostream>

#include "libcoalcheck/output/form.h"

namespace coalcheck::output {

void WriteHtml(const FormInput& input, std::ostream& out);

}  // namespace coalcheck::output
