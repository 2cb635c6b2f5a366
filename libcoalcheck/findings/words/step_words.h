// SPDX-License-Identifier: Apache-2.0
//
// How far apart neighbouring threads are, with the numbers of a launch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::findings {

// "neighbouring threads are height = 4096 floats (16 KiB) apart". `elements`: what those of the
// array are called; `launch`: null where its values are not known. Empty where there is no one
// step, or it is 0.
std::string StepWords(const address::FunctionFormulas& formulas, const address::LanePart& lanes,
                      Bytes width, std::string_view elements, const address::FormulaNames& names,
                      const address::LaunchValues* launch);

// "16 KiB", "120 bytes", "1 byte".
std::string SizeWords(std::uint64_t bytes);

}  // namespace coalcheck::findings
