// SPDX-License-Identifier: Apache-2.0
//
// Names of parameters' types and files come out of cubins: they are made printable.
#include "libcoalcheck/output/view/code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::BulkCopies;
using findings::Frame;
using findings::LocalMemory;
using findings::Report;

// Longer expressions are left out; what they mean for the lanes is said anyhow.
constexpr std::size_t kLongestExpression = 160;
// An index may be loaded in as many lines as a macro or template has uses.
constexpr std::size_t kMostNames = 3;

std::string MostIn(const Report& report, const Frame& line) {
  return fmt::format(", most in {}:{}", words::Printable(words::PathShown(report, line.file)),
                     line.line);
}

std::string LineName(const Report& report, const Frame& line, const Access& access) {
  const bool is_same_file = access.shown && access.shown->file == line.file;
  if (is_same_file) return fmt::format("line {}", line.line);
  return fmt::format("{}:{}", words::Printable(words::PathShown(report, line.file)), line.line);
}

struct OfKernel {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  const LocalMemory* most = nullptr;  // the line with most instructions, where any has one
};

}  // namespace

std::string AddressSentence(const Access& access) {
  const auto worst = std::ranges::max_element(
      access.instructions, {},
      [](const findings::Instruction& one) { return one.counts.Wasted(); });
  if (worst == access.instructions.end()) return {};
  if (worst->standing == findings::Standing::kContradicted) return {};
  const findings::AddressText& text = worst->address_text;
  const bool is_short = !text.expression.empty() && text.expression.size() <= kLongestExpression;
  if (!is_short && text.lanes.empty()) return {};
  return fmt::format("address: {}{}{}", is_short ? words::Printable(text.expression) : "",
                     is_short && !text.lanes.empty() ? "; " : "", words::Printable(text.lanes));
}

std::string IndexWords(const Report& report, const findings::Place& place) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    for (const findings::Instruction& one : access.instructions) {
      for (const Frame& line : one.address_text.loads) {
        std::string name = LineName(report, line, access);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
      }
    }
  }
  if (names.empty()) return {};
  const std::size_t all = names.size();
  if (all > kMostNames) {
    names.resize(kMostNames);
    const std::string shown = fmt::format("{}", fmt::join(names, ", "));
    return fmt::format(", by what {} and {} more load", shown, all - kMostNames);
  }
  return fmt::format(", by what {} {}", fmt::join(names, " and "), all == 1 ? "loads" : "load");
}

std::vector<std::string> LocalMemoryNotes(const Report& report) {
  std::map<std::string_view, OfKernel> kernels;
  for (const LocalMemory& row : report.local_memory) {
    OfKernel& kernel = kernels[row.kernel];
    kernel.loads += row.loads;
    kernel.stores += row.stores;
    const bool is_more =
        kernel.most == nullptr || row.loads + row.stores > kernel.most->loads + kernel.most->stores;
    if (row.shown && is_more) kernel.most = &row;
  }
  std::vector<std::string> notes;
  for (const auto& [name, kernel] : kernels) {
    const std::string where = kernel.most == nullptr ? "" : MostIn(report, *kernel.most->shown);
    notes.push_back(
        fmt::format("{} keeps registers or arrays in local memory: {} and {}{} (instructions in "
                    "its machine code, not counts)",
                    words::PrintableName(name), words::Count(kernel.loads, "load", "loads"),
                    words::Count(kernel.stores, "store", "stores"), where));
  }
  return notes;
}

std::vector<std::string> BulkCopyNotes(const Report& report) {
  struct Kernel {
    BulkCopies sum;
    const BulkCopies* most = nullptr;  // the line with most instructions, where any has one
  };
  std::map<std::string_view, Kernel> kernels;
  for (const BulkCopies& row : report.bulk_copies) {
    Kernel& kernel = kernels[row.kernel];
    kernel.sum.loads += row.loads;
    kernel.sum.stores += row.stores;
    kernel.sum.reductions += row.reductions;
    const bool is_more = kernel.most == nullptr || row.all() > kernel.most->all();
    if (row.shown && is_more) kernel.most = &row;
  }
  std::vector<std::string> notes;
  for (const auto& [name, kernel] : kernels) {
    std::vector<std::string> kinds;
    const auto add = [&kinds](std::uint64_t count, const char* one, const char* many) {
      if (count > 0) kinds.push_back(words::Count(count, one, many));
    };
    add(kernel.sum.loads, "load", "loads");
    add(kernel.sum.stores, "store", "stores");
    add(kernel.sum.reductions, "reduction", "reductions");
    const std::string where = kernel.most == nullptr ? "" : MostIn(report, *kernel.most->shown);
    notes.push_back(fmt::format(
        "{} moves data by the tensor memory accelerator: {}{}; seen in its code, not {}",
        words::PrintableName(name), fmt::join(kinds, ", "), where,
        report.prediction ? "judged" : "counted"));
  }
  return notes;
}

}  // namespace coalcheck::output
