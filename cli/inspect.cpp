// SPDX-License-Identifier: Apache-2.0
//
// Reads a file, takes it apart image by image and hands each access to a writer.
#include "cli/inspect.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/disk_source_text.h"
#include "cli/inspect_report.h"
#include "cli/source_root.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/fatbin.h"
#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::cli {
namespace {

std::optional<std::string> ReadFile(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return bytes;
}

// Goes through the images of one file.
class Inspection {
 public:
  Inspection(const InspectOptions& options, InspectWriter& writer)
      : options_(options), scope_{ResolveSourceRoot(options.source_root)}, writer_(writer) {}

  void Image(cubin::ProgramImage image) {
    if (!image.skipped_reason.empty()) return writer_.Skipped(image.sm, image.skipped_reason);
    const std::string bytes = image.cubin;
    absl::StatusOr<cubin::Cubin> cubin = cubin::Cubin::Parse(std::move(image.cubin));
    if (!cubin.ok()) return writer_.Skipped(image.sm, std::string(cubin.status().message()));
    any_image_ = true;
    writer_.BeginImage(cubin->sm());
    for (const cubin::Function& function : cubin->functions()) InspectFunction(bytes, function);
    writer_.EndImage();
  }

  bool any_image() const { return any_image_; }
  bool any_match() const { return any_match_; }

 private:
  void InspectFunction(std::string_view bytes, const cubin::Function& function) {
    if (!Matches(function)) return;
    any_match_ = true;
    if (function.accesses.empty()) return;
    const machine_code::WaitingSigns signs =
        function.is_kernel ? machine_code::FindWaitingSigns(bytes, function.name)
                           : machine_code::WaitingSigns();
    writer_.BeginFunction(function, signs);
    for (const cubin::GlobalAccess& access : function.accesses) {
      const std::vector<cubin::SourceFrame> frames =
          cubin::DropImpossibleFrames(access.frames, sources_);
      writer_.Access({function, access, frames, cubin::LineShown(frames, scope_)});
    }
  }

  bool Matches(const cubin::Function& function) const {
    return options_.kernel.empty() ||
           function.name.find(options_.kernel) != std::string_view::npos ||
           Demangle(function.name).find(options_.kernel) != std::string::npos;
  }

  const InspectOptions& options_;
  cubin::SourceScope scope_;
  InspectWriter& writer_;
  DiskSourceText sources_;
  bool any_image_ = false;
  bool any_match_ = false;
};

std::unique_ptr<InspectWriter> MakeWriter(const InspectOptions& options, std::ostream& out) {
  if (options.format == "json") return MakeJsonInspectWriter(out, options.file);
  return MakeTextInspectWriter(out, ResolveSourceRoot(options.source_root));
}

}  // namespace

int Inspect(const InspectOptions& options, std::ostream& out, std::ostream& err) {
  std::optional<std::string> bytes = ReadFile(options.file);
  if (!bytes) {
    err << "coalcheck: cannot read " << options.file << '\n';
    return kUsage;
  }
  const std::string_view magic = std::string_view(*bytes).substr(0, 4);
  const bool known = magic == "\177ELF" || magic == "\x50\xed\x55\xba";
  if (!known) {
    err << "coalcheck: " << options.file << ": no cubin and no program, but "
        << cubin::DescribeContent(*bytes) << '\n';
    return kUsage;
  }
  const std::unique_ptr<InspectWriter> writer = MakeWriter(options, out);
  Inspection inspection(options, *writer);
  const absl::Status status = cubin::VisitProgramImages(
      *bytes, [&](cubin::ProgramImage image) { inspection.Image(std::move(image)); });
  if (!status.ok()) {
    err << "coalcheck: " << options.file << ": " << status.message() << '\n';
    return kUsage;
  }
  writer->End();
  if (!inspection.any_image()) {
    err << "coalcheck: " << options.file << ": no image that can be read without a GPU\n";
    return kNothingChecked;
  }
  if (!inspection.any_match()) {
    err << "coalcheck: " << options.file << ": no function matches " << options.kernel << '\n';
    return options.kernel.empty() ? kClean : kNothingChecked;
  }
  return kClean;
}

void AddInspectCommand(CLI::App& app, SetExitCode set_exit_code) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect", "List every global access of a cubin or program; no GPU needed");
  command->add_option("file", options->file, "A cubin, fat binary, object file or program")
      ->required();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--source-root", options->source_root,
                      "Folder of your own sources (default: the git top level, else this folder)");
  command->add_option("--kernel", options->kernel, "Only functions whose name contains this");
  command->callback([options, set_exit_code = std::move(set_exit_code)] {
    set_exit_code(Inspect(*options, std::cout, std::cerr));
  });
}

}  // namespace coalcheck::cli
