// SPDX-License-Identifier: Apache-2.0
//
// replay [RECORDING [EXIT_CODE]]: leaves a copy of the recording where the agent would have written
// one. replay --print: prints what the agent would have been asked, and where.
#include <coalcheck.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

// The value of --recording as coalcheck run writes it: a folder with "%p" for the process.
std::filesystem::path RecordingFolder(const std::string& options) {
  const std::string mark = "--recording=";
  const std::size_t start = options.find(mark) + mark.size();
  std::string folder = options.substr(start, options.find_first_of(" '", start) - start);
  return folder.replace(folder.find("%p"), 2, "1");
}

}  // namespace

int main(int argc, char** argv) {
  const char* options = std::getenv("COALCHECK_OPTIONS");
  coalcheck_push("replay");  // does nothing where no agent is loaded
  if (options != nullptr && argc > 1 && std::string(argv[1]) == "--print") {
    std::cout << options << '\n' << std::filesystem::current_path().string() << '\n';
  } else if (options != nullptr && argc > 1) {
    std::filesystem::copy(argv[1], RecordingFolder(options),
                          std::filesystem::copy_options::recursive);
  }
  coalcheck_pop();
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
