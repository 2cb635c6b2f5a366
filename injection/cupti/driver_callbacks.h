// SPDX-License-Identifier: Apache-2.0
//
// The driver functions that are listened to, each with its handler.
#pragma once

#include <cupti.h>

#include <span>

#include "injection/cupti/call_handlers.h"

namespace coalcheck::cupti {

struct DriverCallback {
  CUpti_CallbackId id;
  void (*handle)(const HeardCall& call);
  DefaultStream default_stream = DefaultStream::kLegacy;
};

// Each function once.
std::span<const DriverCallback> DriverCallbacks();
// Null for a function that is not among them.
const DriverCallback* FindDriverCallback(CUpti_CallbackId id);

}  // namespace coalcheck::cupti
