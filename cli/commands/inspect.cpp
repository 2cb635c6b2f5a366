// SPDX-License-Identifier: Apache-2.0
//
// Reads a file, takes it apart image by image and hands each access to a writer.
#include "cli/commands/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/disk_source_text.h"
#include "cli/base/foreign_file.h"
#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/inspect/report.h"
#include "cli/report/program_files.h"
#include "cli/report/report_options.h"
#include "cli/report/source_root.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_checks.h"
#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/parameter_types.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/cubin/accesses_by_line.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/fatbin.h"
#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::cli {
namespace {

// Accesses of a function whose addresses are put into words; compilers make some thousands.
constexpr std::size_t kMostExplained = 100'000;

// Of all images. Each takes a line of some hundred bytes.
constexpr std::size_t kMostListed = 1'500'000;
constexpr std::size_t kMostSkipped = 1000;

// Goes through the images of one file.
class Inspection {
 public:
  Inspection(const InspectOptions& options, InspectWriter& writer)
      : options_(options),
        scope_{ResolveSourceRoot(options.source_root), {}},
        writer_(writer),
        sources_({scope_.root}) {}

  void Image(cubin::ProgramImage image) {
    if (!image.skipped_reason.empty()) return Skip(image.sm, image.skipped_reason);
    absl::StatusOr<cubin::Cubin> cubin = cubin::Cubin::Parse(std::move(image.cubin));
    if (!cubin.ok()) return Skip(image.sm, std::string(cubin.status().message()));
    std::vector<const cubin::Function*> matching;
    for (const cubin::Function& function : cubin->functions()) {
      if (!Matches(function)) continue;
      matching.push_back(&function);
      listed_ += function.accesses.size();
    }
    if (listed_ > kMostListed) {
      return Skip(cubin->sm(),
                  "its accesses and those before are more than 1 500 000: use --kernel");
    }
    any_image_ = true;
    modules_.Turn(nullptr);
    writer_.BeginImage(cubin->sm());
    machine_code::WaitingSignFinder waiting(cubin->bytes());
    for (const cubin::Function* function : matching) InspectFunction(waiting, *function);
    writer_.EndImage();
  }

  // Says of how many images nothing was said.
  void End() {
    if (skipped_ > kMostSkipped) {
      writer_.Skipped(0, fmt::format("{} more images were not looked at", skipped_ - kMostSkipped));
    }
    writer_.End();
  }

  bool any_image() const { return any_image_; }
  bool any_match() const { return any_match_; }

 private:
  void Skip(std::uint32_t sm, const std::string& why) {
    if (++skipped_ <= kMostSkipped) writer_.Skipped(sm, why);
  }

  void InspectFunction(machine_code::WaitingSignFinder& waiting, const cubin::Function& function) {
    any_match_ = true;
    if (function.accesses.empty() && function.bulk.empty()) return;
    cubin::Function without_ptx;  // its accesses are listed without their addresses
    without_ptx.name = function.name;
    const bool has_room = formula_work_left_ > 0 && function.accesses.size() <= kMostExplained;
    const address::AccessFormulas formulas(has_room ? function : without_ptx, modules_);
    formula_work_left_ -= std::min(formulas.work(), formula_work_left_);
    const address::FormulaNames names = NamesIn(function);
    const machine_code::WaitingSigns signs =
        function.is_kernel ? waiting.Find(function.name) : machine_code::WaitingSigns();
    std::map<std::uint32_t, PcOffset> machine_code;  // the first that a PTX instruction became
    for (const cubin::GlobalAccess& access : function.accesses) {
      machine_code.try_emplace(formulas.InstructionAt(access.pc), access.pc);
    }
    writer_.BeginFunction(function, signs);
    for (const cubin::GlobalAccess& access : function.accesses) {
      const std::vector<cubin::SourceFrame> frames = FramesOf(access);
      address::LanePart lanes = formulas.LanesOf(formulas.InstructionAt(access.pc));
      std::vector<PcOffset> loads;
      for (const std::uint32_t load : lanes.loads) {
        const auto found = machine_code.find(load);
        if (found != machine_code.end()) loads.push_back(found->second);
      }
      writer_.Access({function, access, frames, cubin::LineShown(frames, scope_), std::move(lanes),
                      std::move(loads), formulas.WordsAt(access.pc, names),
                      formulas.LaneWordsAt(access.pc, access.width, names)});
    }
    for (const cubin::UncountedAccess& copy : function.bulk) {
      const std::vector<cubin::SourceFrame> frames = FramesOf(copy);
      writer_.BulkCopy({function, copy.pc, copy.kind, cubin::LineShown(frames, scope_)});
    }
  }

  template <typename Access>
  std::vector<cubin::SourceFrame> FramesOf(const Access& access) {
    std::vector<cubin::SourceFrame> tidied = access.frames;
    for (cubin::SourceFrame& frame : tidied) frame.file = Tidied(frame.file);
    return cubin::DropImpossibleFrames(tidied, sources_);
  }

  // Loads are called by their line, where there is one.
  address::FormulaNames NamesIn(const cubin::Function& function) {
    address::FormulaNames names;
    if (function.is_kernel)
      names.parameter_types = address::ParameterTypes(Demangle(function.name));
    const auto by_line = std::make_shared<const cubin::AccessesByLine>(function);
    names.line = [this, by_line](std::uint32_t ptx_line) {
      const cubin::GlobalAccess* access = by_line->First(ptx_line);
      if (access == nullptr) return fmt::format("line {} of the PTX", ptx_line);
      const std::vector<cubin::SourceFrame> frames = FramesOf(*access);
      const cubin::SourceFrame* shown = cubin::LineShown(frames, scope_);
      return shown == nullptr ? fmt::format("line {} of the PTX", ptx_line)
                              : fmt::format("line {}", shown->line);
    };
    return names;
  }

  // `file` itself, or a view of a text that lives as long as this object.
  std::string_view Tidied(std::string_view file) {
    const bool is_tidy = file.find("//") == std::string_view::npos &&
                         file.find("/./") == std::string_view::npos && !file.starts_with("./");
    return is_tidy ? file : *tidied_.insert(cubin::TidyPath(file)).first;
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
  address::PtxModules modules_;  // of the image
  std::set<std::string> tidied_;
  // The terms that formulas of addresses may have in all images together: some seconds of work.
  std::uint64_t formula_work_left_ = 20'000'000;
  std::size_t skipped_ = 0;  // images
  std::size_t listed_ = 0;   // accesses, of images with too many accesses too
  bool any_image_ = false;
  bool any_match_ = false;
};

std::unique_ptr<InspectWriter> MakeWriter(const InspectOptions& options, std::ostream& out) {
  if (options.format == "json") return MakeJsonInspectWriter(out, options.file);
  return MakeTextInspectWriter(out, ResolveSourceRoot(options.source_root));
}

}  // namespace

int Inspect(const InspectOptions& options, std::ostream& out, std::ostream& err) {
  const auto file = MapFile(options.file, kMaxProgramBytes);
  if (!file.ok()) {
    Say(err, std::string(file.status().message()));
    return kUsage;
  }
  const std::string_view bytes = (*file)->bytes();
  if (!cubin::MayHoldImages(bytes)) {
    Say(err, fmt::format("{}: neither a cubin nor a program, but {}", options.file,
                         cubin::DescribeContent(bytes)));
    return kUsage;
  }
  const std::unique_ptr<InspectWriter> writer = MakeWriter(options, out);
  Inspection inspection(options, *writer);
  const absl::Status status = cubin::VisitProgramImages(
      bytes, [&](cubin::ProgramImage image) { inspection.Image(std::move(image)); });
  if (!status.ok()) {
    Say(err, fmt::format("{}: {}", options.file, std::string(status.message())));
    return kUsage;
  }
  inspection.End();
  if (!inspection.any_image()) {
    Say(err, options.file + ": no image that can be read without a GPU");
    return kNothingChecked;
  }
  if (!inspection.any_match()) {
    Say(err, fmt::format("{}: no function matches {}", options.file, options.kernel));
    return options.kernel.empty() ? kClean : kNothingChecked;
  }
  return kClean;
}

void AddInspectCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<InspectOptions>();
  Command command = coalcheck.AddCommand(
      "inspect", "List every global access of a cubin or program; no GPU needed");
  command.Add("file", &options->file, "A cubin, fat binary, object file or program")
      .Required()
      .Takes("CUBIN|PROGRAM");
  command.Add("--format", &options->format, "how the list is written [text]")
      .Takes("text|json")
      .Checked(OneOf({"text", "json"}));
  command
      .Add("--source-root", &options->source_root,
           "Folder of your own sources (default: the git top level, else this folder)")
      .Takes("FOLDER")
      .Checked(RefuseAllButFolder);
  command.Add("--kernel", &options->kernel, "Only functions whose name contains this")
      .Takes("NAME");
  AddCpuLimit(command);
  command.Footer(
      "Exit codes: 0 it is listed, 2 usage or no such content, 3 no image can be read without a\n"
      "GPU, or no function matches --kernel.");
  command.OnParsed([options, set_exit_code = std::move(set_exit_code)] {
    set_exit_code(Inspect(*options, std::cout, std::cerr));
  });
}

}  // namespace coalcheck::cli
