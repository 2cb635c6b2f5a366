// SPDX-License-Identifier: Apache-2.0
//
// Callbacks that more than one part has to hear of.
#include "injection/agent/agent.h"

#include "injection/agent/sampling/gpu_claim.h"

namespace coalcheck::agent {

void Agent::StreamCreated(ContextHandle context, StreamHandle stream) {
  if (ContextWatch* watch = parts_.contexts.Find(context)) watch->streams().Add(stream);
}

void Agent::StreamEnds(ContextHandle context, StreamHandle stream) {
  parts_.captures.Ended(stream);
  if (ContextWatch* watch = parts_.contexts.Find(context)) watch->streams().Remove(stream);
}

void Agent::ModuleLoaded(ContextHandle context, std::string_view cubin) {
  const ContextWatch* watch = parts_.contexts.Find(context);
  if (watch == nullptr) return;
  const Session::StoredCubin stored = parts_.session.AddModule(watch->id(), cubin);
  const KernelCode::Module module = parts_.code.ModuleLoaded(stored.id, cubin, stored.path);
  for (const auto& [kernel, hazard] : module.warnings) {
    parts_.launch_book.Distrust(kernel, TrustAt(hazard));
  }
  if (module.launches_from_device) {
    parts_.session.WriteLoss(
        recording::loss::kUnseenDeviceLaunches,
        "modules whose kernels launch kernels from the device: those are not seen", 1);
  }
}

void Agent::ModuleUnloads() {
  parts_.launch_book.DiscardHandles();
  parts_.uncounted.DiscardHandles();
  for (ContextWatch* watch : parts_.contexts.All()) watch->loaded_functions().Clear();
}

void Agent::CodeChangeBegins(ContextHandle context) {
  // Sampling begins with a context's first code, where the context was not current when it was
  // made.
  if (!AnnouncedChanges::IsUnderWay() && parts_.sampling.wanted() && context != ContextHandle(0)) {
    if (ContextWatch* watch = parts_.contexts.Find(context)) parts_.sampling.Begin(*watch);
  }
  parts_.announced_changes.Begin();
}

void Agent::Synchronised(ContextHandle context) {
  if (!parts_.windows.AnyOpen()) return;
  ContextWatch* watch = parts_.contexts.Find(context);
  if (watch == nullptr) return;
  if (parts_.resident.is_wanted()) {
    parts_.resident.FlushWhenDue(*watch);
  } else {
    parts_.windows.TryClose(*watch, std::chrono::milliseconds(0));
  }
}

void Agent::Tick() {
  if (parts_.lifecycle.ended() || !parts_.session.begun()) return;
  progress_.Write();
  parts_.sampling.ReadAll();
  progress_.WarnOfLongWindows();
}

void Agent::ProcessEnds(std::string_view how) {
  if (!parts_.session.begun() || !parts_.session.IsOurProcess()) return;
  release_.ForbidReleases();
  end_.CloseContexts();
  progress_.Write();
  graphs_.FoldReplays();
  end_.CompleteRecording(how, {.captured_nodes_discarded = captures_.discarded()});
}

void Agent::Forked() {
  parts_.lifecycle.Forked();
  GpuClaim::Forked();
}

}  // namespace coalcheck::agent
