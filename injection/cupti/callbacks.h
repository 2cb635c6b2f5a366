// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's callbacks, translated into what the agent hears. No exception leaves a callback.
#pragma once

#include "injection/agent/agent.h"
#include "injection/cupti/cupti_library.h"
#include "injection/cupti/driver_device.h"

namespace coalcheck::cupti {

// The hold on CUPTI that only one client can have.
class Subscription {
 public:
  Subscription() = default;
  explicit Subscription(CUpti_SubscriberHandle subscriber) : subscriber_(subscriber) {}
  bool active() const { return subscriber_ != nullptr; }
  // No callback comes any more.
  void Release(const Functions& functions);

 private:
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

// Subscribes and enables the callbacks. `functions`, `device` and `agent` live as long as the
// process. Error: another client holds CUPTI (named where CUPTI tells), or a call failed.
Result<Subscription> Subscribe(const Functions& functions, const DriverDevice& device,
                               agent::Agent& agent);

}  // namespace coalcheck::cupti
