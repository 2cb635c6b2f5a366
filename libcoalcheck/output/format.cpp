// SPDX-License-Identifier: Apache-2.0
//
// One table of names, one switch of writers.
#include "libcoalcheck/output/format.h"

#include "libcoalcheck/output/json_writer.h"
#include "libcoalcheck/output/text_writer.h"

namespace coalcheck::output {
namespace {

struct Row {
  Format format;
  std::string_view name;
};

constexpr Row kFormats[] = {
    {Format::kText, "text"},
    {Format::kJson, "json"},
};

}  // namespace

std::string_view ToString(Format format) {
  for (const Row& row : kFormats) {
    if (row.format == format) return row.name;
  }
  return "unknown";
}

std::optional<Format> FormatFromString(std::string_view name) {
  for (const Row& row : kFormats) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

std::vector<Format> AllFormats() {
  std::vector<Format> all;
  for (const Row& row : kFormats) all.push_back(row.format);
  return all;
}

bool MaySharePlace(Format format) { return format == Format::kText; }

std::unique_ptr<Writer> MakeWriter(Format format, cubin::SourceText& sources,
                                   const WriterOptions& options) {
  switch (format) {
    case Format::kText:
      break;
    case Format::kJson:
      return std::make_unique<JsonWriter>();
  }
  return std::make_unique<TextWriter>(sources, TextOptions{options.print_limit, options.color});
}

}  // namespace coalcheck::output
