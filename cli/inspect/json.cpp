// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck inspect --format json`: one versioned object, an access per line.
#include <absl/container/flat_hash_map.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "cli/inspect/report.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/output/json_document.h"

namespace coalcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

// Names in cubins may hold any bytes; JSON is UTF-8.
std::string Dump(const Json& json) { return output::JsonText(json, -1); }

class JsonWriter : public InspectWriter {
 public:
  JsonWriter(std::ostream& out, std::string_view file)
      : out_(out),
        image_separator_("{\"coalcheck_inspect\": 1,\n \"file\": " + Dump(file) +
                         ",\n \"images\": [") {}

  void BeginImage(std::uint32_t sm) override {
    out_ << image_separator_ << "\n  {\"sm\": " << sm << ", \"accesses\": [";
    image_separator_ = ",";
    access_separator_ = "\n   ";
    without_lines_ = Json::array();
    may_wait_ = Json::array();
    bulk_copies_ = Json::array();
  }

  void BeginFunction(const cubin::Function& function, machine_code::WaitingSigns signs) override {
    kernel_ = Demangle(function.name);
    begin_ = Dump({{"kernel", kernel_},
                   {"kernel_mangled", function.name},
                   {"is_kernel", function.is_kernel}});
    begin_.back() = ',';
    if (signs.any()) {
      Json words = Json::array();
      for (const machine_code::WaitingSign sign : machine_code::kAllWaitingSigns) {
        if (signs.Has(sign)) words.push_back(ToString(sign));
      }
      may_wait_.push_back(
          {{"kernel", kernel_}, {"kernel_mangled", function.name}, {"signs", std::move(words)}});
    }
    if (!function.has_lines) without_lines_.push_back(kernel_);
  }

  void Access(const InspectedAccess& access) override {
    std::string text = Dump(ToJson(access));
    text.pop_back();
    out_ << access_separator_ << begin_ << std::string_view(text).substr(1)
         << ",\"inline\":" << InlineChain(access.frames) << '}';
    access_separator_ = ",\n   ";
  }

  void BulkCopy(const InspectedBulkCopy& copy) override {
    Json json = {{"kernel", kernel_}, {"kernel_mangled", copy.function.name}};
    json["pc"] = copy.pc.value();
    json["kind"] = ToString(copy.kind);
    json["file"] = copy.shown == nullptr ? Json() : Json(copy.shown->file);
    json["line"] = copy.shown == nullptr ? Json() : Json(copy.shown->line);
    bulk_copies_.push_back(std::move(json));
  }

  void EndImage() override {
    // Views into the image's cubin, which goes away.
    frames_.clear();
    out_ << "],\n   \"without_line_information\": " << Dump(without_lines_)
         << ",\n   \"may_wait\": " << Dump(may_wait_)
         << ",\n   \"bulk_copies\": " << Dump(bulk_copies_) << "}";
  }

  void Skipped(std::uint32_t sm, std::string_view reason) override {
    skipped_.push_back({{"sm", sm == 0 ? Json() : Json(sm)}, {"reason", reason}});
  }

  void End() override {
    if (image_separator_ != ",") out_ << image_separator_;
    out_ << "],\n \"skipped\": " << Dump(skipped_) << "}\n";
  }

 private:
  Json ToJson(const InspectedAccess& inspected) {
    const cubin::GlobalAccess& access = inspected.access;
    Json json;
    json["pc"] = access.pc.value();
    json["kind"] = ToString(access.kind);
    json["width_bytes"] = access.width == Bytes(0) ? Json() : Json(access.width.count());
    json["generic"] = access.generic;
    json["file"] = inspected.shown == nullptr ? Json() : Json(inspected.shown->file);
    json["line"] = inspected.shown == nullptr ? Json() : Json(inspected.shown->line);
    json["ptx"] = access.ptx.empty() ? Json() : Json(access.ptx);
    json["address"] = AddressToJson(inspected);
    return json;
  }

  static Json AddressToJson(const InspectedAccess& inspected) {
    const address::LanePart& lanes = inspected.lanes;
    const bool is_same = lanes.kind == address::LanePart::Kind::kNone;
    const auto step = is_same ? std::optional<std::int64_t>(0) : lanes.StepInBytes();
    const auto text = [](const std::string& words) { return words.empty() ? Json() : Json(words); };
    Json json;
    json["lanes"] = LanesWord(lanes.kind);
    json["step_bytes"] = step ? Json(*step) : Json();
    json["expression"] = text(inspected.address_words);
    json["words"] = text(inspected.lanes_words);
    json["loads"] = Json::array();
    for (const PcOffset pc : inspected.loads) json["loads"].push_back(pc.value());
    return json;
  }

  static std::string_view LanesWord(address::LanePart::Kind kind) {
    using Kind = address::LanePart::Kind;
    switch (kind) {
      case Kind::kNone:
        return "same";
      case Kind::kConstants:
      case Kind::kOfRun:
        return "index";
      case Kind::kLoaded:
        return "loaded";
      case Kind::kNotKnown:
        break;
    }
    return "not known";
  }

  // The chain as a JSON array; empty for what is not inlined. A cubin repeats few frames often.
  std::string InlineChain(std::span<const cubin::SourceFrame> frames) {
    std::string chain = "[";
    if (frames.size() > 1) {
      for (const cubin::SourceFrame& frame : frames) {
        if (chain.size() > 1) chain += ',';
        chain += FrameText(frame);
      }
    }
    return chain + "]";
  }

  const std::string& FrameText(const cubin::SourceFrame& frame) {
    const auto [text, fresh] =
        frames_.try_emplace(std::tuple(frame.function, frame.file, frame.line));
    if (fresh) {
      text->second = Dump(
          {{"function", Demangle(frame.function)}, {"file", frame.file}, {"line", frame.line}});
    }
    return text->second;
  }

  std::ostream& out_;
  std::string image_separator_;  // before the first image: how the whole begins
  std::string_view access_separator_;
  std::string kernel_;
  std::string begin_;  // of each access of the function
  Json without_lines_ = Json::array();
  Json bulk_copies_ = Json::array();
  Json may_wait_ = Json::array();
  Json skipped_ = Json::array();
  absl::flat_hash_map<std::tuple<std::string_view, std::string_view, std::uint32_t>, std::string>
      frames_;
};

}  // namespace

std::unique_ptr<InspectWriter> MakeJsonInspectWriter(std::ostream& out, std::string_view file) {
  return std::make_unique<JsonWriter>(out, file);
}

}  // namespace coalcheck::cli
