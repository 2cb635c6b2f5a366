// SPDX-License-Identifier: Apache-2.0
//
// Compares names without blanks, from the end: what stands before may be left out.
#include "libcoalcheck/prediction/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places/fingerprint.h"

namespace coalcheck::prediction {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::size_t kMostCandidates = 8;

std::string WithoutBlanks(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ') plain += c;
  }
  return plain;
}

// Where the list of parameters begins; the end where there is none.
std::size_t ParametersOf(std::string_view demangled) {
  int depth = 0;
  for (std::size_t at = 0; at < demangled.size(); ++at) {
    if (demangled.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
      continue;
    }
    if (demangled[at] == '<') ++depth;
    if (demangled[at] == '>') --depth;
    if (demangled[at] == '(' && depth == 0) return at;
  }
  return demangled.size();
}

// The whole of `known`, or what stands behind its namespaces.
bool EndsAsName(std::string_view known, std::string_view name) {
  if (!known.ends_with(name) || name.empty()) return false;
  const std::string_view before = known.substr(0, known.size() - name.size());
  return before.empty() || before.ends_with("::");
}

// A line of a message for each kernel.
std::string Candidates(const std::vector<const HeldKernel*>& kernels, bool names_files) {
  std::set<std::string> lines;
  for (const HeldKernel* one : kernels) {
    lines.insert(SignatureOf(one->name) + (names_files ? ", in " + one->file : ""));
  }
  std::string text;
  std::size_t shown = 0;
  for (const std::string& line : lines) {
    if (shown++ == kMostCandidates) return fmt::format("{}\n  …", text);
    text += "\n  " + line;
  }
  return text;
}

std::vector<const HeldKernel*> KernelsCalled(const std::vector<HeldKernel>& kernels,
                                             std::string_view name) {
  std::vector<const HeldKernel*> called;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const HeldKernel& one : kernels) {
    if (IsCalled(one.name, name) && seen.emplace(one.name, one.file).second) called.push_back(&one);
  }
  return called;
}

}  // namespace

std::string SignatureOf(std::string_view mangled) {
  std::string demangled = Demangle(mangled);
  int depth = 0;
  std::size_t begin = 0;
  const std::size_t end = ParametersOf(demangled);
  for (std::size_t at = 0; at < end; ++at) {
    if (std::string_view(demangled).substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
      continue;
    }
    if (demangled[at] == '<') ++depth;
    if (demangled[at] == '>') --depth;
    if (demangled[at] == ' ' && depth == 0) begin = at + 1;
  }
  return demangled.substr(begin);
}

bool IsCalled(std::string_view mangled, std::string_view name) {
  const std::string wanted = WithoutBlanks(name);
  if (wanted == mangled) return true;
  if (EndsAsName(findings::StableKernelName(mangled), wanted)) return true;
  const std::string signature = WithoutBlanks(SignatureOf(mangled));
  const std::size_t parameters = ParametersOf(signature);
  if (ParametersOf(wanted) == wanted.size()) {
    return EndsAsName(std::string_view(signature).substr(0, parameters), wanted);
  }
  return EndsAsName(signature, wanted) ||
         WithoutBlanks(Demangle(mangled)) == wanted;  // with the type that it returns
}

Result<MatchedLaunches> MatchByHand(const std::vector<NamedLaunch>& by_hand,
                                    const std::vector<HeldKernel>& kernels) {
  MatchedLaunches matched;
  const auto ambiguous = AmbiguousNames(kernels);
  for (const NamedLaunch& named : by_hand) {
    const std::vector<const HeldKernel*> called = KernelsCalled(kernels, named.kernel);
    if (called.empty()) {
      matched.unmatched.push_back(named.kernel);
      continue;
    }
    const std::string& first = called.front()->name;
    const bool is_one_name =
        std::ranges::all_of(called, [&](const HeldKernel* one) { return one->name == first; });
    if (!is_one_name) {
      return Error{fmt::format("'{}' fits several kernels; name one of them in full:{}",
                               named.kernel, Candidates(called, false))};
    }
    if (ambiguous.contains(first)) {
      return Error{fmt::format("'{}' is the name of different kernels; predict them one by one:{}",
                               named.kernel, Candidates(called, true))};
    }
    matched.kernels[first].launches.push_back(named.launch);
  }
  return matched;
}

std::map<std::string, std::set<std::string>, std::less<>> AmbiguousNames(
    const std::vector<HeldKernel>& kernels) {
  std::map<std::pair<std::string_view, std::uint32_t>, const HeldKernel*> first;
  std::map<std::string, std::set<std::string>, std::less<>> names;
  for (const HeldKernel& one : kernels) {
    const auto [entry, is_new] = first.try_emplace({one.name, one.sm}, &one);
    if (is_new || entry->second->text == one.text) continue;
    std::set<std::string>& files = names[one.name];
    files.insert(entry->second->file);
    files.insert(one.file);
  }
  return names;
}

}  // namespace coalcheck::prediction
