// SPDX-License-Identifier: Apache-2.0
//
// Strings of any bytes as JSON strings, and back: a path or an argument need not be UTF-8, the
// recording must be, and nothing may be lost between the two.
#pragma once

#include <string>
#include <string_view>

namespace coalcheck::recording {

// Appends `bytes` to `out` as a quoted JSON string. UTF-8 stays as it is; control characters, `"`
// and `\` are escaped. A byte 0xNN that is not part of valid UTF-8 becomes the private-use
// character U+EFNN; so does each byte of a character U+EF80…U+EFFF, so that decoding is
// unambiguous.
void AppendJsonString(std::string& out, std::string_view bytes);

// The bytes that AppendJsonString() was given, from the characters of the parsed JSON string:
// characters U+EF80…U+EFFF become one byte each.
std::string RestoreBytes(std::string_view characters);

}  // namespace coalcheck::recording
