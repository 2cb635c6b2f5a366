// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck inspect --format json`: one versioned object, an access per line.
#include <absl/container/flat_hash_map.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/inspect_report.h"
#include "libcoalcheck/base/demangle.h"

namespace coalcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

// Names in cubins are whatever somebody put there; JSON is UTF-8.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

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
  }

  void BeginFunction(const cubin::Function& function) override {
    kernel_ = Demangle(function.name);
    if (!function.has_lines) without_lines_.push_back(kernel_);
  }

  void Access(const InspectedAccess& access) override {
    out_ << access_separator_ << Dump(ToJson(access));
    access_separator_ = ",\n   ";
  }

  void EndImage() override {
    // Views into the image's cubin, which goes away.
    names_.clear();
    out_ << "],\n   \"without_line_information\": " << Dump(without_lines_) << "}";
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
    json["kernel"] = kernel_;
    json["kernel_mangled"] = inspected.function.name;
    json["is_kernel"] = inspected.function.is_kernel;
    json["pc"] = access.pc.value();
    json["kind"] = ToString(access.kind);
    json["width_bytes"] = access.width == Bytes(0) ? Json() : Json(access.width.count());
    json["generic"] = access.generic;
    json["file"] = inspected.shown == nullptr ? Json() : Json(inspected.shown->file);
    json["line"] = inspected.shown == nullptr ? Json() : Json(inspected.shown->line);
    json["inline"] = Json::array();
    if (inspected.frames.size() > 1) {
      for (const cubin::SourceFrame& frame : inspected.frames) {
        json["inline"].push_back(
            {{"function", Readable(frame.function)}, {"file", frame.file}, {"line", frame.line}});
      }
    }
    json["ptx"] = access.ptx.empty() ? Json() : Json(access.ptx);
    return json;
  }

  // The same few hundred names come again and again.
  const std::string& Readable(std::string_view mangled) {
    const auto [name, fresh] = names_.try_emplace(mangled);
    if (fresh) name->second = Demangle(mangled);
    return name->second;
  }

  std::ostream& out_;
  std::string image_separator_;  // before the first image: how the whole begins
  std::string_view access_separator_;
  std::string kernel_;
  Json without_lines_ = Json::array();
  Json skipped_ = Json::array();
  absl::flat_hash_map<std::string_view, std::string> names_;
};

}  // namespace

std::unique_ptr<InspectWriter> MakeJsonInspectWriter(std::ostream& out, std::string_view file) {
  return std::make_unique<JsonWriter>(out, file);
}

}  // namespace coalcheck::cli
