// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck inspect` for people: one line per access, functions as headings.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cli/base/say.h"
#include "cli/inspect/report.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::cli {
namespace {

std::string_view BaseName(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

class TextWriter : public InspectWriter {
 public:
  TextWriter(std::ostream& out, std::string source_root)
      : out_(out), root_(std::move(source_root)) {}

  void BeginImage(std::uint32_t sm) override {
    image_ = fmt::format("sm_{}", sm);
    ++images_;
  }

  void BeginFunction(const cubin::Function& function, machine_code::WaitingSigns signs) override {
    ++functions_;
    Line(fmt::format("{} {} ({})", function.is_kernel ? "kernel" : "function",
                     Demangle(function.name), image_));
    if (!function.has_lines) out_ << "  no line information: compile with -lineinfo\n";
    const std::string words = Words(signs);
    if (!words.empty()) out_ << "  may wait for other work: " << words << '\n';
    if (signs.Has(machine_code::WaitingSign::kOtherLanes)) {
      out_ << "  its lanes wait for lanes that do not wait for them: while it is counted it may "
              "never end\n";
    }
  }

  void Access(const InspectedAccess& access) override {
    ++accesses_;
    const std::string width = access.access.width == Bytes(0)
                                  ? std::string("?")
                                  : fmt::format("{}", access.access.width.count());
    std::string line = fmt::format("  0x{:04x}  {:<10} {:>2} B", access.access.pc.value(),
                                   ToString(access.access.kind), width);
    if (access.shown != nullptr) {
      line += fmt::format("  {}:{}", RelativeToRoot(access.shown->file), access.shown->line);
    }
    if (access.frames.size() > 1) line += "  (" + Chain(access.frames) + ")";
    Line(line);
    if (!access.address_words.empty()) Line("          " + access.address_words);
    if (!access.lanes_words.empty()) Line("          " + access.lanes_words);
  }

  void BulkCopy(const InspectedBulkCopy& copy) override {
    std::string line = fmt::format("  0x{:04x}  {:<10}  ? B", copy.pc.value(), ToString(copy.kind));
    if (copy.shown != nullptr) {
      line += fmt::format("  {}:{}", RelativeToRoot(copy.shown->file), copy.shown->line);
    }
    Line(line + "  by the tensor memory accelerator: not counted");
  }

  void EndImage() override {}

  void Skipped(std::uint32_t sm, std::string_view reason) override {
    skipped_.push_back(sm == 0 ? fmt::format("skipped: {}", reason)
                               : fmt::format("skipped an image for sm_{}: {}", sm, reason));
  }

  void End() override {
    for (const std::string& line : skipped_) Line(line);
    Say(out_,
        fmt::format("{} in {} of {}", words::Count(accesses_, "global access", "global accesses"),
                    words::Count(functions_, "function", "functions"),
                    words::Count(images_, "image", "images")));
  }

 private:
  // Names of files and functions are as whoever made the code wrote them.
  void Line(std::string_view text) { out_ << words::Printable(text) << '\n'; }

  std::string_view RelativeToRoot(std::string_view file) const {
    const bool under =
        file.size() > root_.size() + 1 && file.starts_with(root_) && file[root_.size()] == '/';
    return under ? file.substr(root_.size() + 1) : file;
  }

  // Signs that a kernel waits for other work.
  static std::string Words(machine_code::WaitingSigns signs) {
    std::string words;
    for (const machine_code::WaitingSign sign : machine_code::kAllWaitingSigns) {
      if (!signs.Has(sign) || sign == machine_code::WaitingSign::kOtherLanes) continue;
      if (!words.empty()) words += ", ";
      words += ToString(sign);
    }
    return words;
  }

  // "load.h:5 <- rows.cuh:20 <- app.cu:8", innermost first.
  static std::string Chain(std::span<const cubin::SourceFrame> frames) {
    std::string chain;
    for (const cubin::SourceFrame& frame : frames) {
      if (!chain.empty()) chain += " <- ";
      chain += fmt::format("{}:{}", BaseName(frame.file), frame.line);
    }
    return chain;
  }

  std::ostream& out_;
  std::string root_;
  std::string image_;
  std::vector<std::string> skipped_;
  std::size_t images_ = 0;
  std::size_t functions_ = 0;
  std::size_t accesses_ = 0;
};

}  // namespace

std::unique_ptr<InspectWriter> MakeTextInspectWriter(std::ostream& out, std::string source_root) {
  return std::make_unique<TextWriter>(out, std::move(source_root));
}

}  // namespace coalcheck::cli
