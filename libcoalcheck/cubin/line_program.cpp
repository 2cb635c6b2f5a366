// SPDX-License-Identifier: Apache-2.0
//
// The DWARF 2 line-number machine, with NVIDIA's extended operation for inlined rows.
#include "libcoalcheck/cubin/line_program.h"

#include <optional>

#include "libcoalcheck/cubin/byte_reader.h"

namespace coalcheck::cubin {
namespace {

// A byte of the table can be a row, and two a name, which take twenty times as much to keep. The
// largest functions have some hundred thousand rows, and units some thousand files.
constexpr std::size_t kMostRows = 1U << 22U;   // of a sequence
constexpr std::size_t kMostNames = 1U << 20U;  // of a unit's folders, and of its files

Error Contradiction() { return {"a line table contradicts itself"}; }
Error TooMuch() { return {"a line table names more rows or files than any compiler writes"}; }

enum StandardOp : std::uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kSetColumn = 5,
  kNegateStatement = 6,
  kBasicBlock = 7,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};

enum ExtendedOp : std::uint8_t {
  kEndSequence = 1,
  kSetAddress = 2,
  kDefineFile = 3,
  kInlinedCall = 0x90,  // NVIDIA: the next rows belong to a function inlined at row `context`
};

struct Prologue {
  std::uint8_t min_instruction_length = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::uint8_t opcode_base = 10;
  std::vector<std::uint8_t> operand_counts;  // of standard operations, from 1
  std::vector<std::string_view> directories;
  std::vector<LineFile> files;
};

LineFile ReadFile(ByteReader& reader, std::string_view name, const Prologue& prologue) {
  const std::uint64_t directory = reader.Uleb();
  LineFile file;
  file.name = name;
  file.time = reader.Uleb();
  file.size = reader.Uleb();
  const bool known = directory >= 1 && directory <= prologue.directories.size();
  if (known && !name.starts_with('/')) file.directory = prologue.directories[directory - 1];
  return file;
}

Result<Prologue> ReadPrologue(ByteReader reader) {
  Prologue prologue;
  prologue.min_instruction_length = reader.U8();
  reader.U8();  // default_is_stmt
  prologue.line_base = static_cast<std::int8_t>(reader.U8());
  prologue.line_range = reader.U8();
  prologue.opcode_base = reader.U8();
  for (int i = 1; i < prologue.opcode_base; ++i) prologue.operand_counts.push_back(reader.U8());
  while (true) {
    const std::string_view directory = reader.CString();
    if (directory.empty()) break;
    prologue.directories.push_back(directory);
    if (prologue.directories.size() > kMostNames) return TooMuch();
  }
  while (true) {
    const std::string_view name = reader.CString();
    if (name.empty()) break;
    prologue.files.push_back(ReadFile(reader, name, prologue));
    if (prologue.files.size() > kMostNames) return TooMuch();
  }
  if (!reader.ok() || prologue.line_range == 0 || prologue.opcode_base == 0) return Contradiction();
  return prologue;
}

// Runs one unit's program.
class LineMachine {
 public:
  LineMachine(Prologue prologue, std::uint64_t offset,
              const std::function<void(const LineSequence&)>& visit)
      : prologue_(std::move(prologue)), offset_(offset), visit_(visit) {}

  // `program` starts at offset `offset` of the section. An error when it cannot be followed.
  std::optional<Error> Run(std::string_view program) {
    ByteReader reader(program);
    while (!reader.AtEnd() && reader.ok()) {
      const std::uint8_t op = reader.U8();
      if (op >= prologue_.opcode_base) {
        Special(op);
      } else if (op == kExtended) {
        Extended(reader);
      } else {
        Standard(op, reader);
      }
      if (rows_.size() > kMostRows || prologue_.files.size() > kMostNames) return TooMuch();
    }
    return reader.ok() ? std::nullopt : std::optional(Contradiction());
  }

 private:
  void Special(std::uint8_t op) {
    const unsigned adjusted = op - prologue_.opcode_base;
    Advance(adjusted / prologue_.line_range);
    AddToLine(prologue_.line_base + static_cast<int>(adjusted % prologue_.line_range));
    rows_.push_back(row_);
  }

  void Standard(std::uint8_t op, ByteReader& reader) {
    switch (op) {
      case kCopy:
        rows_.push_back(row_);
        break;
      case kAdvancePc:
        Advance(reader.Uleb());
        break;
      case kAdvanceLine:
        AddToLine(reader.Sleb());
        break;
      case kSetFile:
        row_.file = static_cast<std::uint32_t>(reader.Uleb());
        break;
      case kNegateStatement:
      case kBasicBlock:
        break;
      case kConstAddPc:
        Advance((255U - prologue_.opcode_base) / prologue_.line_range);
        break;
      case kFixedAdvancePc:
        row_.address += reader.U16();
        break;
      default:  // kSetColumn and opcodes of later versions: the prologue says how many operands to
                // skip
        for (int i = prologue_.operand_counts[op - 1U]; i > 0; --i) reader.Uleb();
    }
  }

  void Extended(ByteReader& reader) {
    const std::uint64_t length = reader.Uleb();
    const std::size_t start = reader.position();
    ByteReader operands(reader.Bytes(length));
    switch (operands.U8()) {
      case kEndSequence:
        Finish();
        break;
      case kSetAddress:
        if (!rows_.empty()) Finish();
        relocation_offset_ = offset_ + start + 1;
        row_.address = start_ = operands.U64();
        break;
      case kDefineFile: {
        const std::string_view name = operands.CString();
        prologue_.files.push_back(ReadFile(operands, name, prologue_));
        break;
      }
      case kInlinedCall:
        row_.context = static_cast<std::uint32_t>(operands.Uleb());
        row_.function = static_cast<std::uint32_t>(operands.Uleb());
        break;
      default:
        break;
    }
  }

  void Advance(std::uint64_t operations) {
    row_.address += operations * prologue_.min_instruction_length;
  }

  void AddToLine(std::int64_t delta) {
    row_.line = static_cast<std::uint32_t>(row_.line + static_cast<std::uint64_t>(delta));
  }

  void Finish() {
    // Without an address nothing says which function the rows are about.
    if (relocation_offset_ && !rows_.empty()) {
      visit_({*relocation_offset_, start_, row_.address, rows_, prologue_.files, offset_});
    }
    rows_.clear();
    row_ = LineRow();
    relocation_offset_.reset();
  }

  Prologue prologue_;
  std::uint64_t offset_;
  const std::function<void(const LineSequence&)>& visit_;
  LineRow row_;
  std::vector<LineRow> rows_;
  std::optional<std::uint64_t> relocation_offset_;
  std::uint64_t start_ = 0;
};

// One unit: its prologue, then its program, which starts where header_length says: the prologue may
// be padded behind its file table.
std::optional<Error> VisitUnit(std::string_view unit, std::uint64_t offset,
                               const std::function<void(const LineSequence&)>& visit) {
  ByteReader reader(unit);
  // ptxas of CUDA 13.5 writes version 3, which adds standard opcodes alone; of others there are no
  // rows.
  const std::uint16_t version = reader.U16();
  if (version != 2 && version != 3) return std::nullopt;
  const std::uint32_t header_length = reader.U32();
  const std::size_t header_start = reader.position();
  const std::string_view header = reader.Bytes(header_length);
  if (!reader.ok()) return Contradiction();
  Result<Prologue> prologue = ReadPrologue(ByteReader(header));
  if (!prologue.ok()) return Error{prologue.error()};
  const std::size_t program = header_start + header_length;
  return LineMachine(std::move(prologue).value(), offset + program, visit)
      .Run(unit.substr(program));
}

}  // namespace

std::optional<Error> VisitLineSequences(std::string_view section,
                                        const std::function<void(const LineSequence&)>& visit) {
  ByteReader reader(section);
  while (!reader.AtEnd()) {
    const std::uint32_t length = reader.U32();
    const std::size_t offset = reader.position();
    const std::string_view unit = reader.Bytes(length);
    if (!reader.ok()) return Contradiction();
    if (std::optional<Error> error = VisitUnit(unit, offset, visit)) return error;
  }
  return std::nullopt;
}

}  // namespace coalcheck::cubin
