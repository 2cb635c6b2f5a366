// SPDX-License-Identifier: Apache-2.0
//
// The folder in which every process of one launch makes its recording.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::cli {

// A recording in the folder, as far as its files show while it is written.
struct SessionRecording {
  std::string folder;
  pid_t pid = 0;  // from its name, PID or PID.N
  int attempt = 1;
};

class SessionFolder {
 public:
  // `wanted` is what --recording says, %p, %h and %q{VAR} expanded; empty: a temporary folder. One
  // that holds recordings already is not used again: the session lies in `wanted`.2 and so on.
  static Result<SessionFolder> Make(const std::string& wanted);

  const std::string& path() const { return path_; }  // absolute
  // Whether another folder, or a link, is where this one was: nothing in it is looked at.
  bool IsReplaced() const;
  // The folder that was wanted and not used, as it holds recordings already. Empty: it was used.
  const std::string& taken() const { return taken_; }
  bool temporary() const { return temporary_; }

  // Those begun so far, by process, in the order they were begun; also where records are lost.
  std::vector<SessionRecording> Recordings() const;
  // Whether the process has a recording here without its end. (Where the agent has written an end,
  // the process is about to end.)
  bool IsRecording(pid_t pid) const;
  // The progress of all recordings together; empty when none has written any.
  std::optional<recording::Progress> Progress() const;

  // Writes into the recordings of `end.pid` that have no such record yet how that process ended:
  // the last one ended so, those before it went on as another program.
  void NoteEnd(const recording::ProcessEnd& end) const;

  // Removes the folder with its content, if it is temporary.
  void Remove() const;
  // Removes the folder if it is empty, temporary or not.
  void Discard() const;
  // For a session without recordings. A folder that is kept gets a file with the reason, which
  // `coalcheck report` prints; a temporary one is removed.
  void LeaveNote(const std::vector<std::string>& why) const;

 private:
  SessionFolder(std::string path, std::string taken, bool temporary);

  // Those of one process, found by their names: a session may hold thousands.
  std::vector<SessionRecording> RecordingsOf(pid_t pid) const;

  std::string path_;
  std::string taken_;
  bool temporary_;
  std::pair<dev_t, ino_t> number_;  // of the folder itself
  std::shared_ptr<DIR> open_;       // holds it, so that no other gets its number
};

}  // namespace coalcheck::cli
