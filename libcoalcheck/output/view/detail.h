// SPDX-License-Identifier: Apache-2.0
//
// The sentences on a finding, each with its subject.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coalcheck::output {

enum class About : std::uint8_t {
  kKernel,       // the kernel, and how often it was launched
  kCounts,       // what a request touches
  kEstimate,     // what all launches waste
  kCost,         // the waits for it
  kBaseline,     // how it stands against it
  kInlined,      // how it came to be there
  kMadeFrom,     // of which Python a compiler made it
  kAddress,      // of which form the address is
  kPattern,      // by which pattern it wastes
  kPatternNote,  // what else is to be known of that
  kChange,       // what to do, and what not
  kNeeds,        // what the change takes
  kAssumed,      // for which launches it was predicted
};

// The sentence is printable, and has no indentation.
struct Detail {
  About about = About::kKernel;
  std::string text;
};
using Details = std::vector<Detail>;

// Nothing to say is no detail.
inline void Add(About about, std::string text, Details& details) {
  if (!text.empty()) details.push_back({about, std::move(text)});
}

// As the text report sets them, a line each.
std::string Lines(const Details& details);
std::string LinesAbout(About about, const Details& details);

}  // namespace coalcheck::output
