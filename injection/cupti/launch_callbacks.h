// SPDX-License-Identifier: Apache-2.0
//
// Driver API callbacks: launches, captures, graphs, and the calls after which work has ended.
#pragma once

#include <cupti.h>

#include <span>

#include "injection/agent/agent.h"
#include "injection/cupti/cupti_library.h"
#include "injection/cupti/driver_device.h"

namespace coalcheck::cupti {

// What callbacks have at hand.
struct Listener {
  const Functions& functions;
  const DriverDevice& device;
  agent::Agent& agent;
};

// The driver functions that are listened to, beside CodeCallbacks().
std::span<const CUpti_CallbackId> DriverCallbacks();

// Handles one entry or exit of such a function.
void OnDriverCall(const Listener& listener, CUpti_CallbackId id, const CUpti_CallbackData& data);

}  // namespace coalcheck::cupti
