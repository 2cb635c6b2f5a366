// SPDX-License-Identifier: Apache-2.0
//
// A program that asks for several reports hands over the same source each time.
#include "injection/agent/session/source_book.h"

#include <string>
#include <utility>

#include "libcoalcheck/recording/json_line.h"

namespace coalcheck::agent {

void SourceBook::Add(recording::Source source) {
  if (forked_ || source.file.empty() || source.first_line == 0) return;
  const std::size_t size = source.size();
  const bool fits_alone = size <= recording::kMostSourceText;
  const std::string line = fits_alone ? recording::ToJsonLine(source) : std::string();
  const CubinId id = HashCubin(line);
  const MutexLock lock(mutex_);
  if (known_.contains(id)) return;
  const bool fits = fits_alone && line.size() <= recording::kMaxLineBytes &&
                    held_ + size <= recording::kMostSourceText &&
                    known_.size() < recording::kMostSources;
  if (!fits) {
    ++left_out_;
    return;
  }
  known_.insert(id);
  held_ += size;
  waiting_.push_back(std::move(source));
}

std::vector<recording::Source> SourceBook::Take() {
  const MutexLock lock(mutex_);
  return std::exchange(waiting_, {});
}

}  // namespace coalcheck::agent
