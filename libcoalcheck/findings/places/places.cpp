// SPDX-License-Identifier: Apache-2.0
//
// Groups accesses by what a reader of the source can tell apart.
#include "libcoalcheck/findings/places/places.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "libcoalcheck/base/demangle.h"

namespace coalcheck::findings {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// The chain without its functions, whose names differ between instantiations.
using LineChain = std::vector<std::pair<std::string, std::uint32_t>>;
using PlaceKey = std::tuple<std::string, cubin::AccessKind, LineChain>;

LineChain LinesOf(const Access& access) {
  LineChain lines;
  for (const Frame& frame : access.chain) lines.emplace_back(frame.file, frame.line);
  return lines;
}

void AddUp(const std::vector<Access>& accesses, Place& place) {
  // Not the one in std::ranges: clang 14 cannot compile what it returns.
  std::stable_partition(place.accesses.begin(), place.accesses.end(),
                        [&](std::size_t index) { return accesses[index].is_finding; });
  for (const std::size_t index : place.accesses) {
    if (place.is_finding && !accesses[index].is_finding) break;
    if (!place.is_finding && accesses[index].excuse) place.excuse = accesses[index].excuse;
    place.counts += accesses[index].counts;
    ++place.counted;
  }
}

}  // namespace

std::string BaseName(std::string_view demangled) {
  std::string name;
  int depth = 0;
  for (std::size_t at = 0; at < demangled.size(); ++at) {
    if (demangled.substr(at).starts_with(kAnonymous)) {
      if (depth == 0) name += kAnonymous;
      at += kAnonymous.size() - 1;
      continue;
    }
    const char c = demangled[at];
    if (c == '<') ++depth;
    if (c == '>' && depth > 0 && --depth == 0) continue;
    if (depth > 0) continue;
    if (c == '(') break;
    // What came before was the return type; "anonymous namespace" was passed over above.
    if (c == ' ') {
      name.clear();
    } else {
      name += c;
    }
  }
  return name.empty() ? std::string(demangled) : name;
}

std::vector<Place> FoldInstantiations(const std::vector<Access>& accesses) {
  std::vector<Place> places;
  std::map<PlaceKey, std::size_t> index;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    std::size_t at = places.size();
    if (!access.chain.empty()) {
      PlaceKey key{BaseName(Demangle(access.kernel)), access.kind, LinesOf(access)};
      at = index.try_emplace(std::move(key), at).first->second;
    }
    if (at == places.size()) places.emplace_back();
    places[at].accesses.push_back(i);
    places[at].is_finding = places[at].is_finding || access.is_finding;
    places[at].in_scope = access.in_scope;
  }
  for (Place& place : places) AddUp(accesses, place);
  std::ranges::stable_sort(places, [](const Place& a, const Place& b) {
    return std::make_pair(a.is_finding, a.counts.Wasted()) >
           std::make_pair(b.is_finding, b.counts.Wasted());
  });
  return places;
}

Coverage CoverageOf(const Report& report, const Place& place) {
  Coverage coverage;
  std::set<std::string_view> kernels;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (!kernels.insert(access.kernel).second) continue;
    coverage.checked += access.launches_checked;
    coverage.all += access.launches;
  }
  return coverage;
}

}  // namespace coalcheck::findings
