// SPDX-License-Identifier: Apache-2.0
//
// The style and the script of the HTML report, which are in every page.
#pragma once

#include <string_view>

namespace coalcheck::output {

std::string_view ReportStyle();
std::string_view ReportScript();

}  // namespace coalcheck::output
