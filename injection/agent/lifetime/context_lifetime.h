// SPDX-License-Identifier: Apache-2.0
//
// What the agent does when contexts come and go.
#pragma once

#include "injection/agent/counting/parts.h"

namespace coalcheck::agent {

// Told of a context's creation behind it and of its destruction before it, by the thread that makes
// the call; the context need not be current.
class ContextLifetime {
 public:
  explicit ContextLifetime(Parts& parts) : parts_(parts) {}

  // With the context current, counting is prepared now, so that the first counted launch does not
  // pay for it; else at that launch.
  void Created(ContextHandle context, const recording::Device& device, bool is_current);
  // Closes what is open in it. Where counting on its device was set up through this context, no
  // context of the device can count any more.
  void Ends(ContextHandle context);

 private:
  // No context of the device counts any more; takes counting down where that is safe.
  void CloseDevice(DeviceIndex device, ContextHandle counts_through);

  Parts& parts_;
};

}  // namespace coalcheck::agent
