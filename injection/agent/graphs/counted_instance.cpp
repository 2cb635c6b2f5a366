// SPDX-License-Identifier: Apache-2.0
//
// Each handle is taken before it is destroyed, so that two threads do not both do it.
#include "injection/agent/graphs/counted_instance.h"

#include "injection/agent/base/thread_state.h"

namespace coalcheck::agent {

bool CountedInstance::Make(Device& device) {
  ThisThread().makes_instance = true;
  exec_ = device.MakeInstance(copy_).value_or(GraphExecHandle(0));
  ThisThread().makes_instance = false;
  return get() != GraphExecHandle(0);
}

void CountedInstance::DiscardInstance(Device& device) {
  if (get() == GraphExecHandle(0)) return;
  const GraphExecHandle exec = exec_.exchange(GraphExecHandle(0));
  if (exec != GraphExecHandle(0)) device.DestroyInstance(exec);
}

void CountedInstance::Discard(Device& device) {
  DiscardInstance(device);
  if (!has_copy()) return;
  const GraphHandle copy = copy_.exchange(GraphHandle(0));
  if (copy != GraphHandle(0)) device.DestroyGraph(copy);
}

}  // namespace coalcheck::agent
