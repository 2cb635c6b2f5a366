// SPDX-License-Identifier: Apache-2.0
//
// What the agent writes when the process ends, or when the program asks for it before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "injection/agent/counting/parts.h"

namespace coalcheck::agent {

// Any thread but where a member says otherwise.
class RunEnd {
 public:
  // What other parts know of their own losses by the end.
  struct Losses {
    std::uint64_t captured_nodes_discarded = 0;
  };

  explicit RunEnd(Parts& parts) : parts_(parts) {}

  // Some NVTX ranges are seen by nobody here, and why; also said on stderr when asked for. At the
  // start, from one thread.
  void RangesNotSeen(const std::string& why, bool say);
  // How many driver functions CUPTI does not know. At the start, from one thread.
  void CallbacksUnknown(std::uint64_t functions) { unknown_callbacks_ = functions; }
  // Writes what is known so far: tallies, and windows that can be closed without waiting.
  void Flush();
  // The two halves of the end, from one thread: closes what can be closed without waiting; then
  // nothing is measured any more, and the recording is completed.
  void CloseContexts();
  void CompleteRecording(std::string_view how, const Losses& losses);

 private:
  void WriteLosses(const Losses& losses);
  void WriteCost();
  // That the program has handed over since the last time.
  void WriteSources();

  Parts& parts_;
  std::vector<std::string> ranges_not_seen_;
  std::uint64_t unknown_callbacks_ = 0;
};

}  // namespace coalcheck::agent
