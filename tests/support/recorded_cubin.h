// SPDX-License-Identifier: Apache-2.0
//
// Code that was recorded on a GPU.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/files.h"

namespace coalcheck::support {

// The cubin of a sample's recording; of several, any.
inline std::string RecordedCubin(const std::string& sample) {
  const auto folder =
      std::filesystem::path(COALCHECK_SOURCE_DIR) / "tests" / "recordings" / sample / "cubins";
  return FileText(std::filesystem::directory_iterator(folder)->path());
}

}  // namespace coalcheck::support
