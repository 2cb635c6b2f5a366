// SPDX-License-Identifier: Apache-2.0
//
// Appends records to a recording on disk, from inside the watched process.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/base/result.h"
#include "libcoalcheck/base/running_hash.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// One recording folder, open for appending. Any thread may call any member; lines and cubins are
// each written one at a time. Nothing throws, and nothing here ends the host: a failed write says
// so, the next one is tried again, and it starts on a line of its own.
//
// A process that was forked shares the file with its parent and must not use its copy.
class Writer {
 public:
  // Makes `folder` (mode 0700, its parents as needed), its cubins/ and an empty records.jsonl. The
  // folder may exist, but not with a recording in it.
  static Result<std::unique_ptr<Writer>> Create(const std::string& folder) noexcept;
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Appends one line with one write(2), more only when the system cuts it short. False when it
  // could not be written whole, or is longer than kMaxLineBytes: last_error() says why.
  // An `end` is given what lies before it.
  bool Append(const Record& record) noexcept;
  bool Append(const Window& window) noexcept;
  // A line that is a record of that kind, as ToJsonLine() makes it.
  bool AppendLine(const std::string& line, std::string_view kind) noexcept;

  // Puts `bytes` into cubins/<id>.cubin, under another name until it is whole. True when it is
  // there, also when it was before.
  bool StoreCubin(CubinId id, std::string_view bytes) noexcept;

  // Replaces the file beside the records by `progress`. A failure is ignored.
  void WriteProgress(const Progress& progress) noexcept;

  // Bytes of records and cubins so far.
  Bytes written() const { return Bytes(written_.load(std::memory_order_relaxed)); }

  // Absolute, links resolved: it stays right when the host changes its folder.
  const std::string& folder() const { return folder_; }
  // What the last failure was ("No space left on device"); empty when there was none.
  std::string last_error() const;

 private:
  Writer(std::string folder, int file, dev_t device, ino_t inode);
  bool AppendEnd(const End& end) noexcept;
  bool Put(const std::string& line, std::string_view kind) COALCHECK_REQUIRES(file_mutex_);
  bool StillOurs() const COALCHECK_REQUIRES(file_mutex_);
  bool EnsureOpen() COALCHECK_REQUIRES(file_mutex_);
  bool Fail(const char* doing, int error);

  const std::string folder_;
  std::atomic<std::uint64_t> written_{0};
  const dev_t device_;
  const ino_t inode_;

  mutable Mutex error_mutex_;
  std::string last_error_ COALCHECK_GUARDED_BY(error_mutex_);
  Mutex file_mutex_;
  int file_ COALCHECK_GUARDED_BY(file_mutex_);
  bool torn_ COALCHECK_GUARDED_BY(file_mutex_) = false;  // the last line was cut short
  Contents contents_ COALCHECK_GUARDED_BY(file_mutex_);  // so far, but for the hash
  RunningHash hash_ COALCHECK_GUARDED_BY(file_mutex_);
  Mutex cubin_mutex_;
  std::uint64_t cubin_attempts_ COALCHECK_GUARDED_BY(cubin_mutex_) = 0;
};

}  // namespace coalcheck::recording
