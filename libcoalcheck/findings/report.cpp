// SPDX-License-Identifier: Apache-2.0
//
// The words of the report's enumerations, and what is asked of its places.
#include "libcoalcheck/findings/report.h"

#include <algorithm>

namespace coalcheck::findings {

std::string_view ToString(PredictedWord word) {
  switch (word) {
    case PredictedWord::kWasteful:
      return "wasteful";
    case PredictedWord::kClean:
      return "clean";
    case PredictedWord::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view ToString(UnattributedCause cause) {
  switch (cause) {
    case UnattributedCause::kCubinUnknown:
      return "its cubin was not seen loading";
    case UnattributedCause::kCubinMissing:
      return "its cubin is not in the recording";
    case UnattributedCause::kCubinAltered:
      return "its cubin was altered after it was recorded";
    case UnattributedCause::kCubinUnreadable:
      return "its cubin cannot be read";
    case UnattributedCause::kFunctionNotInCubin:
      return "its cubin does not hold the function";
    case UnattributedCause::kNoGlobalAccess:
      return "the instruction is no known global access";
  }
  return "unknown";
}

bool IsUnknown(const Report& report, const Place& place) {
  return std::ranges::any_of(
      place.accesses, [&](std::size_t number) { return report.accesses[number].is_unknown(); });
}

}  // namespace coalcheck::findings
