// SPDX-License-Identifier: Apache-2.0
//
// The recording of this process: made when there is first something to record, written as things
// happen, so that whatever ends the process loses nothing that was complete.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "injection/agent/shapes/launch_book.h"
#include "injection/agent/windows/closed_window.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/options/agent_options.h"
#include "libcoalcheck/recording/losses.h"
#include "libcoalcheck/recording/writer.h"

namespace coalcheck::agent {

// Any thread. When a write fails, that is said once and counted as a loss; nothing else happens.
class Session {
 public:
  Session(const options::AgentOptions& options, recording::Header header);

  // Makes the folder and writes the header. False: it could not be made, which was said.
  bool Begin();
  bool begun() const { return writer() != nullptr; }
  const std::string& folder() const { return writer()->folder(); }
  // Of this process in a job.
  const recording::JobMembership& job() const { return header_.job; }
  // The folder is the agent's own and goes when the report has been made.
  bool temporary() const { return temporary_; }
  // True in the process that began the recording, not in one forked from it.
  bool IsOurProcess() const;

  void Write(const recording::Record& record);
  // Takes the arguments out of `closed`.
  void WriteWindow(ClosedWindow& closed, ContextId context, DeviceIndex device);
  void WriteSamples(const recording::PcSamples& samples);
  // Whether a module with this cubin was seen loading.
  bool KnowsCubin(CubinId id) const;
  struct StoredCubin {
    CubinId id;
    std::string path;  // empty: it could not be stored
  };
  // Stores the cubin and notes that `context` loaded it.
  StoredCubin AddModule(ContextId context, std::string_view cubin);
  // Adds `count` to what was lost for this reason and writes the sum.
  void WriteLoss(std::string_view what, std::string_view detail, std::uint64_t count);
  // The recording has reached the size it may have.
  bool Full() const { return full_.load(std::memory_order_relaxed); }
  void WriteProgress(const recording::Progress& progress);
  // And what launches outside windows were called with; before the end as far as that has grown.
  void WriteTallies(LaunchBook& book, bool is_end);
  void End(std::string_view reason);

 private:
  recording::Writer* writer() const { return writer_.load(std::memory_order_acquire); }
  void WriteLastLosses();
  std::string Folder() const;
  std::optional<CubinId> CubinOfCrc(std::uint32_t crc) const;
  bool Check(bool written);
  bool StoreCubin(CubinId id, std::string_view cubin);
  // False, said once, when `size` more bytes would exceed the limit.
  bool HasRoomFor(Bytes size);

  const options::AgentOptions options_;
  recording::Header header_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool temporary_ = false;
  std::unique_ptr<recording::Writer> own_writer_;
  // Set once, when the recording has begun: other threads may ask meanwhile.
  std::atomic<recording::Writer*> writer_{nullptr};
  std::atomic<bool> write_failed_{false};
  std::atomic<bool> full_{false};
  Mutex losses_mutex_;
  using LossKey = std::pair<std::string, std::string>;
  std::map<LossKey, std::uint64_t> losses_ COALCHECK_GUARDED_BY(losses_mutex_);
  std::set<LossKey> losses_to_write_ COALCHECK_GUARDED_BY(losses_mutex_);
  mutable Mutex modules_mutex_;
  // Low half of the identity → identity; empty when two cubins share it.
  std::map<std::uint32_t, std::optional<CubinId>> cubins_ COALCHECK_GUARDED_BY(modules_mutex_);
  std::set<CubinId> stored_ COALCHECK_GUARDED_BY(modules_mutex_);
};

}  // namespace coalcheck::agent
