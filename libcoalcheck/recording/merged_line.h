// SPDX-License-Identifier: Apache-2.0
//
// A record that only merged recordings have, as a line; docs/recording-format.md names its fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libcoalcheck/recording/merged_records.h"

namespace coalcheck::recording {

// A complete JSON object and a '\n'.
std::string ToJsonLine(const MergedRecord& record);

// "rank": the field `record` of its line.
std::string_view KindOf(const MergedRecord& record);

// "GPU-" and 32 digits in groups; the other way round empty where it is none.
std::string ToText(const GpuUuid& uuid);
std::optional<GpuUuid> UuidFromText(std::string_view text);

// "cut_short", as records name it.
std::string_view NameOf(LineLoss loss);

}  // namespace coalcheck::recording
