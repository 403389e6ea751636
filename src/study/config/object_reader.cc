#include "study/config/object_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/utf8.h"
#include "study/config/known_fields.h"

namespace vernier {
namespace {

std::string Upper(std::string_view text) {
  std::string upper;
  for (const char c : text) {
    upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return upper;
}

std::string_view Describe(NumberProblem problem) {
  switch (problem) {
    case NumberProblem::kNone:
    case NumberProblem::kNotANumber:
      return "must be a decimal number";
    case NumberProblem::kNotFinite:
      return "must be a finite number";
    case NumberProblem::kOutOfRange:
      return "must be a number that a double can hold";
  }
  return "must be a number";
}

}  // namespace

ObjectReader::ObjectReader(const ConfigNode* node, const ConfigPosition& parent,
                           std::string path, SpecDiagnostics& diagnostics)
    : map_(nullptr),
      position_(parent),
      path_(std::move(path)),
      diagnostics_(&diagnostics) {
  if (node == nullptr || node->kind == ConfigNode::Kind::kNull) return;
  position_ = node->position;
  if (node->kind == ConfigNode::Kind::kMap) {
    map_ = node;
    return;
  }
  diagnostics_->AddError(position_, path_,
                         "must be a mapping of fields: " + ShowValue(*node));
}

// A field that was asked for is known, so Finish does not report it.
const ConfigNode* ObjectReader::Find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
    known_.push_back(key);
  }
  const ConfigNode* node = map_ == nullptr ? nullptr : map_->Find(key);
  const bool is_unset =
      node == nullptr || node->kind == ConfigNode::Kind::kNull;
  return is_unset ? nullptr : node;
}

const ConfigNode* ObjectReader::FindOfKind(std::string_view key,
                                           ConfigNode::Kind kind,
                                           std::string_view wanted) {
  const ConfigNode* node = Find(key);
  if (node == nullptr || node->kind == kind) return node;
  ValueError(key, "must be " + std::string(wanted));
  return nullptr;
}

const ConfigNode* ObjectReader::FindScalar(std::string_view key,
                                           std::string_view wanted) {
  return FindOfKind(key, ConfigNode::Kind::kScalar, wanted);
}

bool ObjectReader::Has(std::string_view key) {
  const ConfigNode* node = Find(key);
  return node != nullptr &&
         (node->kind != ConfigNode::Kind::kScalar || !node->scalar.empty());
}

bool ObjectReader::IsBlank(std::string_view key) {
  const ConfigNode* node = Find(key);
  return node != nullptr && node->kind == ConfigNode::Kind::kScalar &&
         node->scalar.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string ObjectReader::PathOf(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void ObjectReader::Error(std::string_view key, std::string message) {
  const ConfigNode* node = Find(key);
  diagnostics_->AddError(node == nullptr ? position_ : node->position,
                         PathOf(key), std::move(message));
}

void ObjectReader::ValueError(std::string_view key,
                              const std::string& message) {
  const ConfigNode* node = Find(key);
  Error(key, node == nullptr ? message : message + ": " + ShowValue(*node));
}

void ObjectReader::NewRuleError(std::string_view key, std::string message) {
  if (!diagnostics_->is_stored()) Error(key, std::move(message));
}

void ObjectReader::EntryError(std::string_view key, std::string_view entry,
                              std::string message) {
  const ConfigNode* map = Find(key);
  const ConfigNode* value = map == nullptr ? nullptr : map->Find(entry);
  diagnostics_->AddError(value == nullptr ? position_ : value->position,
                         PathOf(key) + "." + ShowText(entry),
                         std::move(message));
}

void ObjectReader::KeyError(std::string_view key, std::string message) {
  ConfigPosition position = position_;
  if (map_ != nullptr) {
    for (const ConfigMember& member : map_->members) {
      if (member.key == key) position = member.position;
    }
  }
  diagnostics_->AddError(position, PathOf(ShowText(key)), std::move(message));
}

std::vector<std::string_view> ObjectReader::Keys() const {
  std::vector<std::string_view> keys;
  if (map_ == nullptr) return keys;
  for (const ConfigMember& member : map_->members) keys.push_back(member.key);
  return keys;
}

std::string_view ObjectReader::RawText(std::string_view key) {
  const ConfigNode* node = Find(key);
  return node == nullptr ? std::string_view() : node->scalar;
}

void ObjectReader::Emit(std::string_view key, std::string_view json_value) {
  if (!json_.empty()) json_ += ',';
  json_ += JsonQuoted(key);
  json_ += ':';
  json_ += json_value;
}

std::optional<std::string> ObjectReader::ItemText(const ConfigNode& node,
                                                  const std::string& path) {
  if (node.kind == ConfigNode::Kind::kNull) {
    diagnostics_->AddError(node.position, path,
                           "must be a string; write \"null\" in quotes if "
                           "that text is meant");
    return std::nullopt;
  }
  if (node.kind != ConfigNode::Kind::kScalar) {
    diagnostics_->AddError(node.position, path,
                           "must be a string: " + ShowValue(node));
    return std::nullopt;
  }
  if (node.scalar.find('\0') != std::string::npos) {
    diagnostics_->AddError(
        node.position, path,
        "must not contain a NUL character: " + ShowValue(node));
    return std::nullopt;
  }
  return node.scalar;
}

std::optional<double> ObjectReader::ItemNumber(const ConfigNode& node,
                                               const std::string& path) {
  const ParsedNumber number = node.kind == ConfigNode::Kind::kScalar
                                  ? ParseNumber(node.scalar)
                                  : ParsedNumber{0, NumberProblem::kNotANumber};
  if (number.problem != NumberProblem::kNone) {
    diagnostics_->AddError(
        node.position, path,
        std::string(Describe(number.problem)) + ": " + ShowValue(node));
    return std::nullopt;
  }
  if (!diagnostics_->is_stored() && IsInexactWhole(node.scalar, number.value)) {
    diagnostics_->AddError(
        node.position, path,
        "must be a whole number that a double can hold, as all within +-2^53 "
        "are; the nearest is " +
            NumberText(number.value) + ": " + ShowValue(node));
    return std::nullopt;
  }
  return number.value;
}

std::optional<std::string> ObjectReader::String(std::string_view key) {
  const ConfigNode* node = FindScalar(key, "a string");
  if (node == nullptr || node->scalar.empty()) return std::nullopt;
  std::optional<std::string> text = ItemText(*node, PathOf(key));
  if (text) Emit(key, JsonQuoted(*text));
  return text;
}

void ObjectReader::SetText(std::string_view key, std::string_view value) {
  Emit(key, JsonQuoted(value));
}

std::optional<bool> ObjectReader::Bool(std::string_view key) {
  const ConfigNode* node = FindScalar(key, "true or false");
  if (node == nullptr) return std::nullopt;
  // A longer text is no boolean, and may have megabytes.
  const std::string text = Upper(node->scalar.substr(0, 8));
  // YAML 1.1 has more words for booleans; in quotes they are texts.
  const bool is_true =
      text == "TRUE" || (node->is_plain && (text == "YES" || text == "ON"));
  const bool is_false =
      text == "FALSE" || (node->is_plain && (text == "NO" || text == "OFF"));
  if (!is_true && !is_false) {
    ValueError(key, "must be true or false");
    return std::nullopt;
  }
  Emit(key, is_true ? "true" : "false");
  return is_true;
}

std::optional<std::int64_t> ObjectReader::ReadInteger(std::string_view key,
                                                      IntegerRange range) {
  const ConfigNode* node = FindScalar(key, "an integer");
  if (node == nullptr) return std::nullopt;
  const std::optional<std::int64_t> value = ParseInteger(node->scalar);
  const ParsedNumber number = ParseNumber(node->scalar);
  // An integer that does not fit is still an integer: the error is that it is
  // out of bounds.
  const bool is_huge = !value && number.problem == NumberProblem::kNone &&
                       std::trunc(number.value) == number.value;
  if (!value && !is_huge) {
    ValueError(key, "must be an integer");
  } else if (is_huge ? number.value < 0 : *value < range.min) {
    ValueError(key, "must be >= " + std::to_string(range.min));
  } else if (is_huge || *value > range.max) {
    ValueError(key, "must be <= " + std::to_string(range.max));
  } else {
    return value;
  }
  return std::nullopt;
}

std::optional<int> ObjectReader::Integer(std::string_view key,
                                         IntegerRange range) {
  range.max =
      std::min<std::int64_t>(range.max, std::numeric_limits<int>::max());
  const std::optional<std::int64_t> value = ReadInteger(key, range);
  if (!value) return std::nullopt;
  Emit(key, std::to_string(*value));
  return static_cast<int>(*value);
}

std::optional<std::int64_t> ObjectReader::Int64(std::string_view key,
                                                IntegerRange range) {
  const std::optional<std::int64_t> value = ReadInteger(key, range);
  if (value) Emit(key, "\"" + std::to_string(*value) + "\"");
  return value;
}

std::optional<double> ObjectReader::Number(std::string_view key) {
  const ConfigNode* node = FindScalar(key, "a number");
  if (node == nullptr) return std::nullopt;
  const std::optional<double> number = ItemNumber(*node, PathOf(key));
  if (number) Emit(key, NumberText(*number));
  return number;
}

std::optional<std::chrono::seconds> ObjectReader::Duration(
    std::string_view key, std::chrono::seconds min, std::chrono::seconds max) {
  const ConfigNode* node = FindScalar(key, "a duration such as \"3600s\"");
  if (node == nullptr || node->scalar.empty()) return std::nullopt;
  const std::optional<std::int64_t> seconds = ParseSeconds(node->scalar);
  if (!seconds) {
    ValueError(key, "must be a duration in seconds such as \"3600s\"");
  } else if (*seconds < min.count()) {
    ValueError(key, "must be >= " + std::to_string(min.count()) + "s");
  } else if (*seconds > max.count()) {
    ValueError(key, "must be <= " + std::to_string(max.count()) + "s");
  } else {
    Emit(key, "\"" + std::to_string(*seconds) + "s\"");
    return std::chrono::seconds(*seconds);
  }
  return std::nullopt;
}

std::optional<std::size_t> ObjectReader::EnumIndex(
    std::string_view key, std::span<const std::string_view> names,
    bool any_case) {
  const ConfigNode* node = FindScalar(key, "a name");
  if (node == nullptr || node->scalar.empty()) return std::nullopt;
  const std::string text =
      any_case && node->scalar.size() < 64 ? Upper(node->scalar) : node->scalar;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) {
    Emit(key, JsonQuoted(text));
    return static_cast<std::size_t>(found - names.begin());
  }
  std::string choices;
  for (const std::string_view name : names) {
    if (name.ends_with("_UNSPECIFIED")) continue;
    choices += (choices.empty() ? "" : ", ") + std::string(name);
  }
  Error(key, "must be one of " + choices + ": " + ShowValue(*node) +
                 DidYouMean(node->scalar, names));
  return std::nullopt;
}

std::size_t ObjectReader::ListSize(std::string_view key) {
  const ConfigNode* node = Find(key);
  return node == nullptr ? 0 : node->items.size();
}

// The rule is newer than some stored jobs, so it does not hold for those.
bool ObjectReader::IsListShort(std::string_view key) {
  return diagnostics_->is_stored() || HasAtMost(key, kMostEntries, "entries");
}

bool ObjectReader::HasAtMost(std::string_view key, std::size_t max,
                             std::string_view what) {
  const std::size_t size = ListSize(key);
  if (size <= max) return true;
  Error(key, "must list at most " + std::to_string(max) + " " +
                 std::string(what) + ": " + std::to_string(size));
  return false;
}

std::vector<std::string> ObjectReader::Strings(std::string_view key) {
  std::vector<std::string> texts;
  const ConfigNode* list =
      FindOfKind(key, ConfigNode::Kind::kList, "a list of strings");
  if (list == nullptr || !IsListShort(key)) return texts;
  std::string json;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    std::optional<std::string> text =
        ItemText(*list->items[i], PathOf(key) + "[" + std::to_string(i) + "]");
    if (!text) continue;
    json += (json.empty() ? "" : ",") + JsonQuoted(*text);
    texts.push_back(*std::move(text));
  }
  Emit(key, "[" + json + "]");
  return texts;
}

std::vector<double> ObjectReader::Numbers(std::string_view key) {
  std::vector<double> numbers;
  const ConfigNode* list =
      FindOfKind(key, ConfigNode::Kind::kList, "a list of numbers");
  if (list == nullptr || !IsListShort(key)) {
    return numbers;
  }
  std::string json;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::optional<double> number = ItemNumber(
        *list->items[i], PathOf(key) + "[" + std::to_string(i) + "]");
    if (!number) continue;
    json += (json.empty() ? "" : ",") + NumberText(*number);
    numbers.push_back(*number);
  }
  Emit(key, "[" + json + "]");
  return numbers;
}

bool ObjectReader::ListsBooleans(std::string_view key) {
  const ConfigNode* list = Find(key);
  if (list == nullptr || list->kind != ConfigNode::Kind::kList) return false;
  return std::any_of(
      list->items.begin(), list->items.end(), [](const ConfigNode* item) {
        const std::string word = Upper(item->scalar.substr(0, 8));
        return item->is_plain && (word == "TRUE" || word == "FALSE");
      });
}

std::map<std::string, std::string> ObjectReader::StringMap(
    std::string_view key, std::size_t max_size) {
  std::map<std::string, std::string> texts;
  const ConfigNode* map =
      FindOfKind(key, ConfigNode::Kind::kMap, "a mapping of names to strings");
  if (map == nullptr) return texts;
  if (map->members.size() > max_size) {
    Error(key, "must have at most " + std::to_string(max_size) +
                   " entries: " + std::to_string(map->members.size()));
    return texts;
  }
  for (const ConfigMember& member : map->members) {
    std::optional<std::string> text =
        ItemText(*member.value, PathOf(key) + "." + ShowText(member.key));
    if (text) texts.emplace(member.key, *std::move(text));
  }
  // The texts are sorted, so that their order in the file makes no difference.
  std::string json;
  for (const auto& [name, text] : texts) {
    json +=
        (json.empty() ? "" : ",") + JsonQuoted(name) + ":" + JsonQuoted(text);
  }
  Emit(key, "{" + json + "}");
  return texts;
}

ObjectReader ObjectReader::Child(std::string_view key) {
  return ObjectReader(Find(key), position_, PathOf(key), *diagnostics_);
}

ObjectReader ObjectReader::ChildOrField(std::string_view key,
                                        std::string_view field) {
  const ConfigNode* node = Find(key);
  const bool is_field = node != nullptr &&
                        node->kind == ConfigNode::Kind::kScalar &&
                        !node->scalar.empty();
  if (!is_field) return Child(key);
  auto map = std::make_shared<ConfigNode>();
  map->kind = ConfigNode::Kind::kMap;
  map->position = node->position;
  map->members.push_back({std::string(field), node->position, node});
  ObjectReader child(map.get(), position_, PathOf(key), *diagnostics_);
  child.made_ = std::move(map);
  return child;
}

void ObjectReader::Attach(std::string_view key, ObjectReader& child) {
  child.Finish();
  if (child.is_present()) Emit(key, child.json());
}

std::vector<ObjectReader> ObjectReader::Children(std::string_view key) {
  std::vector<ObjectReader> children;
  const ConfigNode* list =
      FindOfKind(key, ConfigNode::Kind::kList, "a list of mappings");
  if (list == nullptr || !IsListShort(key)) {
    return children;
  }
  children.reserve(list->items.size());
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const ConfigNode& item = *list->items[i];
    std::string path = PathOf(key) + "[" + std::to_string(i) + "]";
    if (item.kind == ConfigNode::Kind::kNull) {
      diagnostics_->AddError(item.position, path,
                             "must be a mapping of fields: null");
      continue;
    }
    children.emplace_back(&item, position_, std::move(path), *diagnostics_);
  }
  return children;
}

void ObjectReader::AttachList(std::string_view key,
                              std::vector<ObjectReader>& children) {
  std::string json;
  for (ObjectReader& child : children) {
    child.Finish();
    json += (json.empty() ? "" : ",") + child.json();
  }
  if (Has(key)) Emit(key, "[" + json + "]");
}

void ObjectReader::MarkIgnored(std::string_view key) {
  if (Has(key)) diagnostics_->AddIgnored(PathOf(key));
}

void ObjectReader::SkipOutput(std::string_view key) { MarkIgnored(key); }

void ObjectReader::ReportUnknown(const ConfigMember& member) {
  std::string message = "unknown field";
  if (is_full()) {  // The error is only counted.
    diagnostics_->AddError(member.position, "", std::move(message));
    return;
  }
  const std::string_view nearest = NearestName(member.key, known_);
  const std::string home = HomeOfField(member.key);
  if (!home.empty() && !IsSameName(member.key, nearest)) {
    message += "; its place is " + home;
  } else if (!nearest.empty()) {
    message += "; did you mean " + std::string(nearest) + "?";
  }
  diagnostics_->AddError(member.position, PathOf(ShowText(member.key)),
                         std::move(message));
}

void ObjectReader::Finish() {
  if (map_ == nullptr) return;
  for (const ConfigMember& member : map_->members) {
    if (std::find(known_.begin(), known_.end(), member.key) == known_.end()) {
      ReportUnknown(member);
    }
  }
}

}  // namespace vernier
