// SPDX-License-Identifier: Apache-2.0
//
// Finds the samples by their folders.
#include "tests/support/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>

namespace coalcheck::support {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError("cannot read " + path.string());
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// What stands between r""" and """: line 1 of the kernels is the rest of the opening line.
absl::StatusOr<std::string> KernelText(const std::string& script) {
  constexpr std::string_view kOpening = "r\"\"\"";
  const std::size_t begin = script.find(kOpening);
  if (begin == std::string::npos) return absl::NotFoundError("no kernel text in the script");
  const std::size_t text = begin + kOpening.size();
  return script.substr(text, script.find("\"\"\"", text) - text);
}

}  // namespace

fs::path Sample::Program() const {
  if (is_python) return folder / (name + ".py");
  return fs::path(COALCHECK_BINARY_DIR) / "samples" / name;
}

std::vector<Sample> AllSamples() {
  std::vector<Sample> samples;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(COALCHECK_SOURCE_DIR) / "samples")) {
    const std::string name = entry.path().filename().string();
    const bool is_python = fs::exists(entry.path() / (name + ".py"));
    if (is_python || fs::exists(entry.path() / (name + ".cu"))) {
      samples.push_back({name, entry.path(), is_python});
    }
  }
  std::ranges::sort(samples, {}, &Sample::name);
  return samples;
}

absl::StatusOr<std::vector<Expectation>> ExpectationsOf(const Sample& sample) {
  std::vector<Expectation> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(sample.folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cu" && extension != ".h" && extension != ".py") continue;
    absl::StatusOr<std::string> text = ReadFile(entry.path());
    if (text.ok() && sample.is_python) text = KernelText(*text);
    if (!text.ok()) return text.status();
    const std::string file = sample.is_python ? std::string()
                                              : fmt::format("samples/{}/{}", sample.name,
                                                            entry.path().filename().string());
    absl::StatusOr<std::vector<Expectation>> some = ParseExpectations(file, *text);
    if (!some.ok()) return some.status();
    std::ranges::move(*some, std::back_inserter(all));
  }
  return all;
}

void ForgetTemporaryFiles(const Sample& sample, std::vector<ObservedAccess>& accesses) {
  if (!sample.is_python) return;
  for (ObservedAccess& access : accesses) access.file.clear();
}

std::string NameOf(const Sample& sample) { return sample.name; }

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

}  // namespace coalcheck::support
