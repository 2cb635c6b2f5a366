// SPDX-License-Identifier: Apache-2.0
//
// Driver API callbacks: launches, captures, graphs, and the calls after which work has ended.
#pragma once

#include <cupti.h>

#include <span>

#include "injection/agent/agent.h"

namespace coalcheck::cupti {

// The driver functions that are listened to, beside CodeCallbacks().
std::span<const CUpti_CallbackId> DriverCallbacks();

// Handles one entry or exit of such a function.
void OnDriverCall(agent::Agent& agent, CUpti_CallbackId id, const CUpti_CallbackData& data);

}  // namespace coalcheck::cupti
