// SPDX-License-Identifier: Apache-2.0
//
// Walks the fat binaries of a program and unpacks their images. What is compressed with a codec
// that is not known here is named, never guessed.
#include "libcoalcheck/cubin/fatbin.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/archive.h"
#include "libcoalcheck/cubin/byte_reader.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/ptx_file.h"

namespace coalcheck::cubin {
namespace {

constexpr std::string_view kElfMagic = "\177ELF";
constexpr std::string_view kFatbinMagic("\x50\xed\x55\xba", 4);
constexpr std::string_view kLinkedCode = ".nv_fatbin";
constexpr std::string_view kRelocatableCode = "__nv_relfatbin";
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindCubin = 2;
constexpr std::uint16_t kKindLtoIr = 8;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
// Bits seen on images that are stored as they are: 64-bit, debug and host-system marks.
constexpr std::uint64_t kHarmlessFlags = 0x0fff;

struct Entry {
  std::uint16_t kind = 0;
  std::uint32_t compressed_size = 0;
  std::uint32_t sm = 0;
  std::uint64_t flags = 0;
  std::uint64_t uncompressed_size = 0;
  std::string_view payload;
};

bool IsCubin(std::string_view bytes) {
  const Result<ElfFile> elf = ElfFile::Parse(bytes);
  return elf.ok() && elf.value().machine() == kMachineCuda;
}

// The entry at the reader's position, which moves behind it; empty when it does not fit.
std::optional<Entry> ReadEntry(ByteReader& reader) {
  Entry entry;
  const std::size_t start = reader.position();
  entry.kind = reader.U16();
  reader.U16();  // version
  const std::uint32_t header_size = reader.U32();
  const std::uint64_t payload_size = reader.U64();
  entry.compressed_size = reader.U32();
  reader.U32();  // where the options stand
  reader.U32();  // version of the toolkit's format
  entry.sm = reader.U32();
  reader.U64();  // where the name stands, and how long it is
  entry.flags = reader.U64();
  reader.U64();
  entry.uncompressed_size = reader.U64();
  const std::size_t read = reader.position() - start;
  if (!reader.ok() || header_size < read) return std::nullopt;
  reader.Bytes(header_size - read);
  entry.payload = reader.Bytes(payload_size);
  if (!reader.ok()) return std::nullopt;
  return entry;
}

// How many of the bytes the codec reads; 0 where they do not begin with a frame that holds content.
std::size_t SizeOfZstdFrame(std::string_view packed) {
  constexpr std::string_view kFrame("\x28\xb5\x2f\xfd", 4);
  if (!packed.starts_with(kFrame)) return 0;
  const std::size_t size = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  return ZSTD_isError(size) != 0U ? 0 : size;
}

std::optional<std::string> UnpackZstd(std::string_view packed, std::size_t size) {
  std::string unpacked(size, '\0');
  const std::size_t got =
      ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) != 0U || got != size) return std::nullopt;
  return unpacked;
}

std::optional<std::string> UnpackLz4(std::string_view packed, std::size_t size) {
  if (packed.size() > INT_MAX || size > INT_MAX) return std::nullopt;
  std::string unpacked(size, '\0');
  const int got = LZ4_decompress_safe(packed.data(), unpacked.data(),
                                      static_cast<int>(packed.size()), static_cast<int>(size));
  if (got < 0 || static_cast<std::size_t>(got) != size) return std::nullopt;
  return unpacked;
}

// Without machine code.
ProgramImage Skipped(std::uint32_t sm, std::string reason) {
  return {sm, std::string(), std::move(reason), false};
}

// What may be machine code, and cannot be read.
ProgramImage Lost(std::uint32_t sm, std::string reason) {
  return {sm, std::string(), std::move(reason), true};
}

// How many bytes the images of one file may still unpack to.
struct UnpackLimit {
  std::uint64_t of_image = 0;
  std::uint64_t left = 0;
};

ProgramImage UnpackCubin(const Entry& entry, UnpackLimit& limit) {
  const std::uint64_t codec = entry.flags & (kFlagZstd | kFlagLz4);
  if ((entry.flags & ~(kHarmlessFlags | codec)) != 0 || codec == (kFlagZstd | kFlagLz4)) {
    return Lost(entry.sm, absl::StrFormat("a cubin packed in a way that is not known here "
                                          "(flags 0x%x)",
                                          entry.flags));
  }
  if (codec == 0) {
    if (!IsCubin(entry.payload)) return Lost(entry.sm, "an image that is no readable cubin");
    return {entry.sm, std::string(entry.payload), std::string(), false};
  }
  std::string_view packed = Slice(entry.payload, 0, entry.compressed_size);
  // What the codec passes over is no reason to unpack more.
  if (codec == kFlagZstd) packed = packed.substr(0, SizeOfZstdFrame(packed));
  // No codec packs tighter than this on anything but a bomb.
  const bool too_large =
      entry.uncompressed_size > limit.of_image || entry.uncompressed_size / 4096 > packed.size();
  if (too_large) {
    return Lost(entry.sm, absl::StrCat("a compressed cubin of an impossible size (",
                                       entry.uncompressed_size, " bytes)"));
  }
  if (entry.uncompressed_size > limit.left) {
    return Lost(entry.sm, "the images before it unpack to more than a file of its size holds");
  }
  limit.left -= entry.uncompressed_size;
  const auto size = static_cast<std::size_t>(entry.uncompressed_size);
  std::optional<std::string> cubin =
      codec == kFlagZstd ? UnpackZstd(packed, size) : UnpackLz4(packed, size);
  if (!cubin) {
    return Lost(entry.sm, absl::StrCat("a compressed cubin that does not unpack (",
                                       codec == kFlagZstd ? "zstd" : "LZ4", ")"));
  }
  if (!IsCubin(*cubin)) return Lost(entry.sm, "a compressed image that is no readable cubin");
  return {entry.sm, *std::move(cubin), std::string(), false};
}

ProgramImage Unpack(const Entry& entry, UnpackLimit& limit) {
  switch (entry.kind) {
    case kKindCubin:
      return UnpackCubin(entry, limit);
    case kKindPtx:
      return Skipped(entry.sm, absl::StrCat("PTX only: the driver compiles it for the GPU it "
                                            "finds (compute_",
                                            entry.sm, ")"));
    case kKindLtoIr:
      return Skipped(entry.sm, "intermediate code for link-time optimisation, no machine code");
    default:
      return Lost(entry.sm, absl::StrCat("an image of unknown kind ", entry.kind));
  }
}

// Names what stands between fat binaries, where there is more than padding.
void VisitGap(std::string_view gap, const std::function<void(ProgramImage)>& visit) {
  if (gap.find_first_not_of('\0') == std::string_view::npos) return;
  visit(Lost(0, absl::StrCat(gap.size(), " bytes beside the fat binaries, which are none")));
}

// The images of a fat binary, up to one that does not fit.
void VisitEntries(std::string_view images, UnpackLimit& limit,
                  const std::function<void(ProgramImage)>& visit) {
  ByteReader entries(images);
  while (!entries.AtEnd()) {
    const std::optional<Entry> entry = ReadEntry(entries);
    if (!entry) return visit(Lost(0, "a fat binary with an entry that does not fit"));
    visit(Unpack(*entry, limit));
  }
}

// The images behind the header at the reader's position; the reader is not ok() when they are cut
// off.
std::string_view ReadFatbin(ByteReader& reader) {
  reader.U32();  // the magic number
  reader.U16();  // version
  const std::uint16_t header_size = reader.U16();
  const std::uint64_t size = reader.U64();
  if (header_size > 16) reader.Bytes(header_size - 16U);
  return reader.Bytes(size);
}

// Reads the fat binaries that follow one another in `section`, with padding between them. They are
// aligned to eight bytes, unless somebody put sections together.
void VisitFatbins(std::string_view section, UnpackLimit& limit,
                  const std::function<void(ProgramImage)>& visit) {
  while (!section.empty()) {
    const std::string_view gap = section.substr(0, section.find(kFatbinMagic));
    VisitGap(gap, visit);
    section.remove_prefix(gap.size());
    if (section.empty()) return;
    ByteReader reader(section);
    const std::string_view images = ReadFatbin(reader);
    if (!reader.ok()) return visit(Lost(0, "a fat binary that is cut off"));
    VisitEntries(images, limit, visit);
    section.remove_prefix(reader.position());
  }
}

// Whether more than its first four bytes look like a fat binary.
bool IsFatbin(std::string_view bytes) {
  ByteReader reader(bytes);
  ByteReader entries(ReadFatbin(reader));
  return reader.ok() && ReadEntry(entries).has_value();
}

bool HoldsFatbins(const ElfSection& section) {
  return section.name == kLinkedCode || section.name == kRelocatableCode;
}

// Where in the file the first fat binary lies that is in no section for them. CUDA's runtime takes
// one from anywhere, and so may a program that loads its code itself.
std::optional<std::size_t> FatbinElsewhere(std::string_view bytes, const ElfFile& elf) {
  std::vector<std::pair<std::size_t, std::size_t>> known;  // ranges of bytes
  for (const ElfSection& section : elf.sections()) {
    if (!HoldsFatbins(section) || section.content.empty()) continue;
    const auto begin = static_cast<std::size_t>(section.content.data() - bytes.data());
    known.emplace_back(begin, begin + section.content.size());
  }
  std::ranges::sort(known);
  auto next = known.begin();
  for (std::size_t at = bytes.find(kFatbinMagic); at != std::string_view::npos;
       at = bytes.find(kFatbinMagic, at)) {
    while (next != known.end() && next->second <= at) ++next;
    if (next != known.end() && next->first <= at) {
      at = next->second;
    } else if (IsFatbin(bytes.substr(at))) {
      return at;
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

absl::Status VisitHostFile(std::string_view bytes, const ElfFile& elf, UnpackLimit& limit,
                           const std::function<void(ProgramImage)>& visit) {
  std::size_t cubins = 0;
  std::size_t seen = 0;
  const auto counted = [&](ProgramImage image) {
    ++seen;
    if (!image.cubin.empty()) ++cubins;
    visit(std::move(image));
  };
  const auto visit_sections = [&](std::string_view name) {
    for (const ElfSection& section : elf.sections()) {
      if (section.name == name) VisitFatbins(section.content, limit, counted);
    }
  };
  visit_sections(kLinkedCode);
  // In a linked program a second copy of what was linked; in an object file code of its own.
  if (cubins == 0 || elf.is_relocatable()) visit_sections(kRelocatableCode);
  if (const auto elsewhere = FatbinElsewhere(bytes, elf)) {
    counted(Lost(0, absl::StrCat("a fat binary at byte ", *elsewhere,
                                 " of the file, in no section for them")));
  }
  if (seen > 0) return absl::OkStatus();
  return absl::NotFoundError("a program or library without any device code");
}

std::string DescribeElf(std::string_view bytes) {
  if (bytes.size() > 4 && bytes[4] != 2) return "an ELF file that is not 64-bit";
  const Result<ElfFile> elf = ElfFile::Parse(bytes);
  if (!elf.ok()) return absl::StrCat("a damaged ELF file: ", elf.error());
  return absl::StrCat("an ELF file for machine ", elf.value().machine());
}

bool LooksLikeText(std::string_view bytes) {
  for (const char c : bytes.substr(0, 4096)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') return false;
  }
  return true;
}

absl::Status VisitFile(std::string_view bytes, UnpackLimit& limit,
                       const std::function<void(ProgramImage)>& visit) {
  if (bytes.starts_with(kFatbinMagic)) {
    VisitFatbins(bytes, limit, visit);
    return absl::OkStatus();
  }
  const Result<ElfFile> elf = ElfFile::Parse(bytes);
  if (!elf.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("neither a cubin nor a program, but ", DescribeContent(bytes)));
  }
  if (elf.value().machine() != kMachineCuda) {
    return VisitHostFile(bytes, elf.value(), limit, visit);
  }
  visit({0, std::string(bytes), std::string()});
  return absl::OkStatus();
}

// Members without device code are none of its images.
absl::Status VisitArchive(std::string_view bytes, UnpackLimit& limit,
                          const std::function<void(ProgramImage)>& visit) {
  bool any = false;
  const auto counted = [&](ProgramImage image) {
    any = true;
    visit(std::move(image));
  };
  const bool is_whole = VisitMembers(bytes, [&](const Member& member) {
    const std::string_view content = member.content;
    const bool is_object = MayHoldImages(content);
    const bool is_called_one = member.name.ends_with(".o") || member.name.ends_with(".obj");
    if (IsArchive(content) || IsPtxText(content) || (is_called_one && !is_object)) {
      return counted(Lost(0, absl::StrCat(DescribeContent(content), " in a static library")));
    }
    if (!is_object) return;
    const absl::Status status = VisitFile(content, limit, counted);
    if (!status.ok() && !absl::IsNotFound(status)) {
      counted(Lost(0, std::string(status.message())));
    }
  });
  if (!is_whole) counted(Lost(0, "the rest of a static library, which is damaged"));
  return any ? absl::OkStatus() : absl::NotFoundError("a static library without any device code");
}

}  // namespace

std::string DescribeContent(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  if (bytes.starts_with(kElfMagic)) return DescribeElf(bytes);
  if (IsArchive(bytes)) return "a static library";
  if (bytes.starts_with("!<thin>\n")) return "a static library that only names files";
  if (bytes.starts_with("#!")) return "a script";
  if (bytes.starts_with("BC\xc0\xde")) return "LLVM bitcode";
  const bool text = LooksLikeText(bytes);
  if (text && bytes.substr(0, 65536).find(".target sm_") != std::string_view::npos) {
    return "PTX text";
  }
  return text ? "text" : "bytes of an unknown format";
}

bool MayHoldImages(std::string_view bytes) {
  return bytes.starts_with(kElfMagic) || bytes.starts_with(kFatbinMagic) || IsArchive(bytes);
}

absl::Status VisitProgramImages(std::string_view bytes,
                                const std::function<void(ProgramImage)>& visit,
                                const UnpackLimits& limits) {
  UnpackLimit limit{limits.image_size, limits.least_in_all + limits.of_byte * bytes.size()};
  if (IsArchive(bytes)) return VisitArchive(bytes, limit, visit);
  return VisitFile(bytes, limit, visit);
}

}  // namespace coalcheck::cubin
