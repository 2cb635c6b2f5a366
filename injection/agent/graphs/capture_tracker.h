// SPDX-License-Identifier: Apache-2.0
//
// Follows stream captures: which streams capture, and where the launches that became nodes of a
// graph were made.
#pragma once

#include <cstdint>

#include "injection/agent/counting/parts.h"
#include "injection/agent/graphs/captured_nodes.h"

namespace coalcheck::agent {

// Told of each cuStreamBeginCapture and cuStreamEndCapture by the thread that makes the call:
// Begins before the driver does it, Began and Ended after it. Any thread.
class CaptureTracker {
 public:
  explicit CaptureTracker(Parts& parts) : parts_(parts) {}

  void Begins(ContextHandle context, StreamHandle stream);
  void Began(StreamHandle stream, bool succeeded);
  // `succeeded` is false when the call failed; the capture may have ended all the same.
  void Ended(StreamHandle stream, bool succeeded);

  // Whether a launch into the stream becomes a node of a graph.
  bool IsCapturing(StreamHandle stream) const {
    return parts_.captures.any() && parts_.device.IsCapturing(stream);
  }
  // A launch into a capturing stream has succeeded. Its kernel belongs to the ranges and the
  // context of the capture, wherever the graph is launched.
  void LaunchCaptured(const ContextWatch& watch, StreamHandle stream);
  Capturing WhereCaptured(const CapturedNode& node) const { return nodes_.Of(node); }
  void GraphDestroyed(GraphHandle graph) { nodes_.Discard(graph); }
  // Captured launches of which it is not known any more where they were made.
  std::uint64_t discarded() const { return nodes_.discarded(); }

 private:
  Parts& parts_;
  CapturedNodes nodes_;
};

}  // namespace coalcheck::agent
