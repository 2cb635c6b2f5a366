// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a project file, a baseline and a line of source: no crash, an error that is said, and a
// baseline that is read is written as it is read back.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/policy/project_file.h"
#include "libcoalcheck/policy/source_comment.h"
#include "tests/fuzz/require.h"

using namespace coalcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto project = policy::ReadProjectFile(bytes, "x");
  Require(project.ok() || !project.error().empty());
  const auto comment = policy::ReadSourceComment(bytes.substr(0, bytes.find('\n')));
  Require(comment.ok() || !comment.error().empty());
  const auto baseline = comparison::ReadBaseline(bytes, "x");
  if (!baseline.ok()) {
    Require(!baseline.error().empty());
    return 0;
  }
  const std::string written = comparison::WriteBaseline(baseline.value());
  const auto again = comparison::ReadBaseline(written, "x");
  Require(again.ok() && again.value().findings.size() == baseline.value().findings.size());
  return 0;
}
