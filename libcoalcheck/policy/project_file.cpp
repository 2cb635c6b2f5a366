// SPDX-License-Identifier: Apache-2.0
//
// Reads TOML, table by table; an unknown key is an error, which names the nearest known key.
#include "libcoalcheck/policy/project_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "libcoalcheck/options/nearest.h"
#include "libcoalcheck/policy/key_length.h"
#include "libcoalcheck/policy/toml_library.h"
#include "libcoalcheck/selection/regular_expression.h"

namespace coalcheck::policy {
namespace {

// The table that a misplaced key belongs to; empty for an unknown key.
std::string_view PlaceOfKey(std::string_view key) {
  if (key == "baseline" || key == "min-launches") return "at the top, before any [table]";
  for (std::size_t i = 0; i < kKeys; ++i) {
    if (key == ToString(static_cast<Key>(i))) return "under [thresholds], or in a [[rule]]";
  }
  return {};
}

// Remembers the first thing that is wrong.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  std::string Origin(const toml::node& node) const {
    return fmt::format("{}:{}", name_, node.source().begin.line);
  }
  void Refuse(const toml::node& node, std::string_view what) {
    if (!problem_.empty()) return;
    problem_ = fmt::format("{}: {}", Origin(node), what);
    std::ranges::replace(problem_, '\n', ' ');  // of a key; a message's lines are our own
  }
  // Of the key that is being read.
  void RefuseValue(const toml::node& node, std::string_view what) {
    Refuse(node, fmt::format("{} {}", key_, what));
  }
  const std::string& problem() const { return problem_; }

  // Calls for each key of `table` what `known` has for it.
  using Take = std::function<void(const toml::node&)>;
  void ForKeys(const toml::table& table, const std::map<std::string, Take>& known) {
    for (const auto& [key, value] : table) {
      const auto found = known.find(std::string(key.str()));
      if (found != known.end()) {
        key_ = key.str();
        found->second(value);
        continue;
      }
      if (const std::string_view place = PlaceOfKey(key.str()); !place.empty()) {
        Refuse(value, fmt::format("'{}' stands {}", key.str(), place));
        continue;
      }
      std::vector<std::string> names;
      for (const auto& [name, take] : known) names.push_back(name);
      const std::string nearest = options::Nearest(key.str(), names);
      Refuse(value,
             nearest.empty()
                 ? fmt::format("unknown key '{}'; known are {}", key.str(), fmt::join(names, ", "))
                 : fmt::format("unknown key '{}': did you mean '{}'?", key.str(), nearest));
    }
  }

  std::string Text(const toml::node& node) {
    const auto* text = node.as_string();
    if (text != nullptr && !text->get().empty()) return text->get();
    RefuseValue(node, text != nullptr ? "must not be empty" : "takes a string");
    return {};
  }

  // One text, or an array of them.
  std::vector<std::string> Texts(const toml::node& node) {
    std::vector<std::string> texts;
    if (const auto* array = node.as_array()) {
      for (const toml::node& element : *array) texts.push_back(Text(element));
      if (array->empty()) RefuseValue(node, "takes at least one string");
    } else {
      texts.push_back(Text(node));
    }
    return texts;
  }

  double Number(const toml::node& node, double most) {
    // Empty for an integer that no double is, too.
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (value && *value >= 0 && *value <= most) return *value;
    RefuseValue(node, fmt::format("takes a number from 0 to {:g}", most));
    return 0;
  }

  std::optional<Date> Day(const toml::node& node) {
    std::optional<Date> date;
    if (const auto* toml_date = node.as_date()) {
      const toml::date& value = toml_date->get();
      date = DateFromText(fmt::format("{:04}-{:02}-{:02}", value.year, value.month, value.day));
    } else if (const auto* text = node.as_string()) {
      date = DateFromText(text->get());
    }
    if (!date) RefuseValue(node, "takes a day: 2027-01-31");
    return date;
  }

  template <typename Pattern>
  void Patterns(const toml::node& node, std::vector<Pattern>& patterns) {
    for (const std::string& text : Texts(node)) {
      if (!problem_.empty()) return;
      Result<Pattern> pattern = Pattern::Parse(text);
      if (!pattern.ok()) return Refuse(node, pattern.error());
      weight_ += selection::WeightIn(pattern.value());
      if (weight_ > selection::kHeaviest) {
        return Refuse(node,
                      "up to here the regular expressions of this file repeat too much together");
      }
      patterns.push_back(std::move(pattern).value());
    }
  }

 private:
  std::string name_;
  std::string key_;
  std::string problem_;
  std::size_t weight_ = 0;  // of all regular expressions
};

void ReadPatternNames(const toml::node& node, Reader& reader,
                      std::vector<patterns::Pattern>& named) {
  for (const std::string& text : reader.Texts(node)) {
    const auto pattern = patterns::PatternFromString(text);
    if (pattern) {
      named.push_back(*pattern);
    } else {
      reader.Refuse(node,
                    fmt::format("'{}' is not a pattern; coalcheck patterns lists them", text));
    }
  }
}

using Takes = std::map<std::string, Reader::Take>;

void AddSelector(Reader& reader, Selector& selector, Takes& takes) {
  takes["file"] = [&](const toml::node& node) { reader.Patterns(node, selector.files); };
  takes["function"] = [&](const toml::node& node) { reader.Patterns(node, selector.functions); };
  takes["kernel"] = [&](const toml::node& node) { reader.Patterns(node, selector.kernels); };
  takes["range"] = [&](const toml::node& node) { reader.Patterns(node, selector.ranges); };
  takes["pattern"] = [&](const toml::node& node) {
    ReadPatternNames(node, reader, selector.patterns);
  };
  takes["module"] = [&](const toml::node& node) { reader.Patterns(node, selector.modules); };
}

void AddThresholds(Reader& reader, Thresholds& thresholds, Takes& takes) {
  for (std::size_t i = 0; i < kKeys; ++i) {
    const Key key = static_cast<Key>(i);
    takes[std::string(ToString(key))] = [&reader, &thresholds, key, i](const toml::node& node) {
      thresholds[i] = Limit{reader.Number(node, MostOf(key)), reader.Origin(node)};
    };
  }
}

// A table, or with `each` an array of tables.
void ForTables(const toml::node& node, Reader& reader, const char* written,
               const std::function<void(const toml::table&)>& each) {
  const auto* array = node.as_array();
  if (array == nullptr) return reader.RefuseValue(node, fmt::format("is written {}", written));
  for (const toml::node& element : *array) {
    const auto* table = element.as_table();
    if (table == nullptr) return reader.Refuse(element, fmt::format("is written {}", written));
    each(*table);
  }
}

void ReadRule(const toml::table& table, Reader& reader, Rules& rules) {
  Rule rule;
  rule.origin = reader.Origin(table);
  Takes takes;
  AddSelector(reader, rule.selector, takes);
  AddThresholds(reader, rule.thresholds, takes);
  reader.ForKeys(table, takes);
  if (rule.selector.IsEmpty()) {
    reader.Refuse(table, "a rule needs one of file, function, kernel, range, pattern or module");
  }
  if (std::ranges::none_of(rule.thresholds, [](const auto& limit) { return limit.has_value(); })) {
    reader.Refuse(table, "a rule needs a threshold, such as max-wasted-share");
  }
  rules.rules.push_back(std::move(rule));
}

void ReadSuppression(const toml::table& table, Reader& reader, Rules& rules) {
  Suppression suppression;
  suppression.origin = reader.Origin(table);
  Takes takes;
  AddSelector(reader, suppression.selector, takes);
  takes["reason"] = [&](const toml::node& node) {
    constexpr std::size_t kLongestReason = 1000;  // each access that it excuses repeats it
    suppression.reason = reader.Text(node);
    if (suppression.reason.size() > kLongestReason) {
      reader.RefuseValue(node, fmt::format("has at most {} bytes", kLongestReason));
    }
  };
  takes["until"] = [&](const toml::node& node) { suppression.until = reader.Day(node); };
  reader.ForKeys(table, takes);
  if (suppression.selector.IsEmpty()) {
    reader.Refuse(table,
                  "a suppression needs one of file, function, kernel, range, pattern or module");
  }
  if (suppression.reason.find_first_not_of(" \t\r\n") == std::string::npos)
    reader.Refuse(table, "a suppression needs a reason");
  rules.suppressions.push_back(std::move(suppression));
}

void ReadTop(const toml::table& top, Reader& reader, ProjectFile& file) {
  Takes takes;
  takes["baseline"] = [&](const toml::node& node) { file.baseline = reader.Text(node); };
  takes["min-launches"] = [&](const toml::node& node) {
    constexpr double kMostLaunches = 1e15;
    const double launches = reader.Number(node, kMostLaunches);
    if (launches != std::floor(launches)) reader.RefuseValue(node, "takes a whole number");
    file.rules.min_launches = static_cast<std::size_t>(launches);
  };
  takes["thresholds"] = [&](const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) return reader.RefuseValue(node, "is written [thresholds]");
    Takes keys;
    AddThresholds(reader, file.rules.defaults, keys);
    reader.ForKeys(*table, keys);
  };
  takes["rule"] = [&](const toml::node& node) {
    ForTables(node, reader, "[[rule]]",
              [&](const toml::table& table) { ReadRule(table, reader, file.rules); });
  };
  takes["suppress"] = [&](const toml::node& node) {
    ForTables(node, reader, "[[suppress]]",
              [&](const toml::table& table) { ReadSuppression(table, reader, file.rules); });
  };
  reader.ForKeys(top, takes);
}

}  // namespace

Result<ProjectFile> ReadProjectFile(std::string_view bytes, const std::string& name) {
  if (const std::size_t line = LineOfTooLongKey(bytes); line > 0) {
    return Error{fmt::format("{}:{}: a key has more than {} parts", name, line, kMostKeyParts)};
  }
  const toml::parse_result parsed = toml::parse(bytes, name);
  if (!parsed) {
    return Error{fmt::format("{}:{}: {}", name, parsed.error().source().begin.line,
                             parsed.error().description())};
  }
  Reader reader(name);
  ProjectFile file;
  ReadTop(parsed.table(), reader, file);
  if (!reader.problem().empty()) return Error{reader.problem()};
  return file;
}

}  // namespace coalcheck::policy
