// SPDX-License-Identifier: Apache-2.0
//
// A launch that somebody describes by hand: "transpose: grid=128x512 block=32x8 height=4096".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/prediction/known_launches.h"

namespace coalcheck::prediction {

// Error: what is wrong with the words.
Result<NamedLaunch> ReadLaunchWords(std::string_view text);

// "block=32x8 height=4096", of a kernel that is known. Error: what is wrong with the words.
Result<KnownLaunch> ReadLaunch(std::string_view words);

// What a launch by hand calls the parameter with that number, counted from 0: its name in the
// source, or "arg4" where it is not known or means something else.
std::string WordOf(std::uint32_t parameter, const std::vector<std::string>& names);

// "32x8". Error: what is wrong.
Result<address::Extent> ReadExtent(std::string_view text);

}  // namespace coalcheck::prediction
