// SPDX-License-Identifier: Apache-2.0
//
// The beginning and the end of a context.
#include "injection/agent/lifetime/context_lifetime.h"

namespace coalcheck::agent {

void ContextLifetime::Created(ContextHandle context, const recording::Device& device,
                              bool is_current) {
  Session& session = parts_.session;
  // A context is watched even where nothing is measured any more: its launches may load code while
  // sampling ends elsewhere, and the watch announces that.
  const bool measures = !parts_.lifecycle.stopped();
  if (parts_.lifecycle.released() || (!measures && !session.begun())) return;
  const auto added = parts_.contexts.Add(context, device.device, measures, [&] {
    if (!session.begun() && !session.Begin()) {
      parts_.lifecycle.StopSilently();
      return false;
    }
    if (measures) session.Write(device);
    return true;
  });
  if (!added || !measures || !is_current) return;
  // Prepared without the lock, since callbacks that the preparation causes ask for contexts too;
  // and not beside a capture, which calls that change a context may break. A failure shows again,
  // and is reported, when the first launch wants a window.
  if (added->countable) {
    const SuspendedChange suspended(parts_.announced_changes);
    added->watch->gate().DoAlone(parts_.deadlines.open,
                                 [&] { static_cast<void>(parts_.collector.Prepare(context)); });
  }
  parts_.sampling.Begin(*added->watch);
}

void ContextLifetime::Ends(ContextHandle context) {
  ContextWatch* watch = parts_.contexts.Find(context);
  if (watch == nullptr || parts_.lifecycle.released()) return;
  const SuspendedChange suspended(parts_.announced_changes);
  parts_.windows.CloseOrDiscard(*watch, "a window was still open when its context was destroyed");
  parts_.sampling.End(*watch,
                      "the last samples of a context that was destroyed while it was at work");
  watch->SetUncountable();
  if (parts_.collector.CountsThrough(context)) CloseDevice(watch->device(), context);
  // Removed at once, since the driver destroys the context only later.
  parts_.contexts.Remove(*watch);
}

void ContextLifetime::CloseDevice(DeviceIndex device, ContextHandle counts_through) {
  const Contexts::ClosedDevice closed = parts_.contexts.CloseDevice(device);
  for (ContextWatch* watch : closed.contexts) watch->SetUncountable();
  std::optional<HeldGates> held = parts_.windows.ShutDown(closed.contexts, parts_.deadlines.close);
  if (!held) {
    // Some could not be closed, for example while a stream captures. The loss is recorded.
    for (ContextWatch* watch : closed.contexts) {
      parts_.windows.CloseOrDiscard(*watch,
                                    "a window was still open when counting ended on its device");
    }
    held = parts_.windows.ShutDown(closed.contexts, parts_.deadlines.open);
  }
  if (held && !closed.still_counts) parts_.collector.TakeDown(counts_through);
}

}  // namespace coalcheck::agent
