// SPDX-License-Identifier: Apache-2.0
//
// The instance of a graph that is launched once in place of the application's own, to be counted.
// An instance that was made while counting is on stays slower for good. So the application's
// instance is made without, and this one is discarded after its launch.
//
//             Copy, when the               Make, in a window for
//             application instantiates     the graph's first launch
//    empty ────────────────────────▶ copied ────────────────────▶ made ──┐ launched, also again
//                                    ▲  │                         │ ▲    │ while the window is open
//                                    │  │                         │ └────┘
//                                    └──┼─────────────────────────┤ DiscardInstance: the launch
//                                       │                         │ failed
//                                       │ Discard: launched       │ Discard: the window was closed,
//                                       │ without a window        │ or the application destroyed
//                                       ▼                         ▼ its instance
//                                     empty: launches are of the application's own instance
#pragma once

#include <atomic>

#include "injection/agent/base/device.h"

namespace coalcheck::agent {

// Made from a copy, as the graph may be gone or changed when its instance is launched. What is left
// when it goes, as at the end of a process, is left to the driver. Any thread; Make and Discard
// with the graph's context current.
class CountedInstance {
 public:
  void Copy(Device& device, GraphHandle graph) {
    copy_ = device.CopyGraph(graph).value_or(GraphHandle(0));
  }
  bool has_copy() const { return copy_.load() != GraphHandle(0); }
  // False: the driver makes none.
  bool Make(Device& device);
  // 0: there is none.
  GraphExecHandle get() const { return exec_; }
  void DiscardInstance(Device& device);
  // Nothing is made any more.
  void Discard(Device& device);

 private:
  std::atomic<GraphHandle> copy_{};
  std::atomic<GraphExecHandle> exec_{};
};

}  // namespace coalcheck::agent
