// SPDX-License-Identifier: Apache-2.0
//
// What is done at an entry or exit of each driver function that is listened to; which function has
// which handler stands in driver_callbacks.cpp.
#pragma once

#include <cupti.h>

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

// What stream 0 means to a call; both streams have explicit handles too. A `_ptsz` twin is the same
// call with the thread's own default stream; its parameters have the same layout.
enum class DefaultStream { kLegacy, kPerThread };

// One entry or exit.
struct HeardCall {
  const Listener& listener;
  DefaultStream default_stream;
  const CUpti_CallbackData& data;
};

void OnLaunchKernel(const HeardCall& call);
void OnLaunchCooperative(const HeardCall& call);
void OnLaunchEx(const HeardCall& call);
void OnBeginCapture(const HeardCall& call);
void OnEndCapture(const HeardCall& call);
void OnInstantiate(const HeardCall& call);
void OnInstantiateWithFlags(const HeardCall& call);
void OnInstantiateWithParams(const HeardCall& call);
void OnGraphUpload(const HeardCall& call);
void OnExecUpdate(const HeardCall& call);
// Of a call that changes one of its nodes, and no kernel.
void OnExecChange(const HeardCall& call);
void OnExecGetFlags(const HeardCall& call);
void OnExecDestroy(const HeardCall& call);
void OnGraphLaunch(const HeardCall& call);
void OnGraphDestroy(const HeardCall& call);
void OnProfilerStart(const HeardCall& call);
void OnProfilerStop(const HeardCall& call);
// Of a call that returns when the device has done its work.
void OnSynchronise(const HeardCall& call);
// Of a call that may load or unload code.
void OnCodeChange(const HeardCall& call);

}  // namespace coalcheck::cupti
