// SPDX-License-Identifier: Apache-2.0
//
// The help of an option of the table.
#pragma once

#include <string>

#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {

// Its help, with the forms of the report where the table says {forms}, and its default in brackets.
std::string HelpOf(const options::OptionSpec& spec);

}  // namespace coalcheck::cli
