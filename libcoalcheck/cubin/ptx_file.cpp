// SPDX-License-Identifier: Apache-2.0
//
// Finds the accesses of each function and the lines they were made of.
#include "libcoalcheck/cubin/ptx_file.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/cubin/ptx_lines.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::cubin {
namespace {

// Where a file's header has to be found.
constexpr std::size_t kHeaderBytes = 64 << 10;
constexpr std::string_view kTarget = ".target sm_";

std::uint32_t TargetOf(std::string_view text) {
  const std::size_t at = text.substr(0, kHeaderBytes).find(kTarget);
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = text.substr(at + kTarget.size(), 4);
  std::uint32_t sm = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), sm);
  return sm;
}

// What the frames of all accesses may take, their names included: reports copy them. Real texts
// stay far below.
constexpr std::size_t kFrameBytesOfByte = 256;
constexpr std::size_t kMostFrameBytes = std::size_t{128} << 20U;

std::size_t BytesOf(const std::vector<SourceFrame>& frames) {
  std::size_t bytes = 0;
  for (const SourceFrame& one : frames) {
    bytes += sizeof(one) + one.file.size() + one.function.size();
  }
  return bytes;
}

class FunctionReader {
 public:
  FunctionReader(std::string_view text, const ptx::Module& module, const PtxLines& lines)
      : text_(text),
        module_(module),
        lines_(lines),
        frame_bytes_left_(std::min(text.size() * kFrameBytesOfByte, kMostFrameBytes)) {}

  absl::StatusOr<Function> Read(const ptx::Module::Entry& entry) {
    const ptx::Function code = module_.Read(entry);
    if (!code.is_complete) {
      return absl::InvalidArgumentError(
          absl::StrCat("PTX text that is cut off, in ", Demangle(entry.name)));
    }
    Function function;
    function.name = entry.name;
    function.is_kernel = entry.is_kernel;
    function.has_lines = lines_.has_lines();
    function.ptx_text = text_;
    for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
      const ptx::Instruction& one = code.instructions[i];
      const PcOffset pc(static_cast<std::uint32_t>(i * kSassWordSize));
      std::vector<SourceFrame>* frames = nullptr;
      if (const std::optional<AccessKind> copy = ReadBulkCopy(one.text)) {
        frames = &function.bulk.emplace_back(UncountedAccess{pc, *copy, {}}).frames;
      } else if (std::optional<GlobalAccess> access = AccessOf(code, one)) {
        access->pc = pc;
        frames = &function.accesses.emplace_back(*std::move(access)).frames;
      } else {
        continue;
      }
      *frames = lines_.FramesOf(one.line, entry.first_line, entry.name);
      const std::size_t bytes = BytesOf(*frames);
      if (bytes > frame_bytes_left_) {
        return absl::InvalidArgumentError("PTX text whose lines name more than it can hold");
      }
      frame_bytes_left_ -= bytes;
    }
    return function;
  }

 private:
  std::optional<GlobalAccess> AccessOf(const ptx::Function& code,
                                       const ptx::Instruction& one) const {
    GlobalAccess access;
    if (const std::optional<PtxAccess> said =
            ptx::IsGlobalAccess(one) ? ReadPtxAccess(one.text) : std::nullopt) {
      access.kind = said->kind;
      access.generic = said->generic;
      const bool is_copy = said->kind == AccessKind::kAsyncCopy;
      access.width = is_copy ? Bytes(ptx::WidthOf(code, one)) : said->width;
    } else if (const std::optional<AccessKind> special = ReadSpecialAccess(one.text)) {
      access.kind = *special;
    } else {
      return std::nullopt;
    }
    access.ptx = StatementAt(one.text);
    access.ptx_line = one.line;
    return access;
  }

  // With its operands: two loads of one line are two.
  std::string_view StatementAt(std::string_view opcode) const {
    constexpr std::size_t kLongest = 256;  // bytes
    const auto begin = static_cast<std::size_t>(opcode.data() - text_.data());
    const std::string_view statement = text_.substr(begin, kLongest);
    return statement.substr(0, statement.find(';') + 1);  // npos: none of it
  }

  std::string_view text_;
  const ptx::Module& module_;
  const PtxLines& lines_;
  std::size_t frame_bytes_left_;
};

}  // namespace

bool IsPtxText(std::string_view bytes) {
  const std::string_view header = bytes.substr(0, kHeaderBytes);
  return header.find('\0') == std::string_view::npos &&
         header.find(".version") != std::string_view::npos && TargetOf(bytes) != 0;
}

absl::StatusOr<PtxFile> ReadPtxFile(std::string_view text, std::deque<std::string>& names) {
  const ptx::Module module(text);
  const PtxLines lines(text, names);
  PtxFile file{TargetOf(text), {}};
  if (module.functions().empty()) {
    return absl::InvalidArgumentError("PTX text without a function");
  }
  FunctionReader reader(text, module, lines);
  std::set<std::string_view> defined;
  for (const ptx::Module::Entry& entry : module.functions()) {
    if (entry.name.empty()) return absl::InvalidArgumentError("PTX text with a nameless function");
    if (!defined.insert(entry.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("PTX text with two functions ", Demangle(entry.name)));
    }
    absl::StatusOr<Function> function = reader.Read(entry);
    if (!function.ok()) return function.status();
    file.functions.push_back(*std::move(function));
  }
  if (lines.unknown_file() != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("PTX text that is cut off: it does not name its file ", lines.unknown_file()));
  }
  if (module.is_cut()) {
    return absl::InvalidArgumentError(
        "PTX text that is cut off: it ends within brackets, a comment or a string, or code stands "
        "behind a directive of lines or of the version");
  }
  return file;
}

}  // namespace coalcheck::cubin
