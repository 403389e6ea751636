#include "cli/value_projection.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "study/json.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

/// One step of a path: a key, or a range of a list's items.
struct Step {
  std::string key;
  std::int64_t begin = 0;
  std::optional<std::int64_t> end;
  enum class Kind { kKey, kItem, kSlice } kind = Kind::kKey;
};

absl::Status Broken(const std::string& path) {
  return absl::InvalidArgumentError(absl::StrCat(
      "format: cannot read the path \"", path,
      "\"; an example is value(trainingOutput.trials[0].trialId)"));
}

bool ReadNumber(std::string_view text, std::int64_t* number) {
  const auto result =
      std::from_chars(text.data(), text.data() + text.size(), *number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

bool ReadSlice(std::string_view text, Step* step) {
  step->kind = Step::Kind::kSlice;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    if (!ReadNumber(text, &step->begin)) return false;
    if (step->begin != -1) step->end = step->begin + 1;
    return true;
  }
  const std::string_view first = text.substr(0, colon);
  const std::string_view last = text.substr(colon + 1);
  if (!first.empty() && !ReadNumber(first, &step->begin)) return false;
  if (last.empty()) return true;
  std::int64_t end = 0;
  if (!ReadNumber(last, &end)) return false;
  step->end = end;
  return true;
}

absl::StatusOr<std::vector<Step>> ParsePath(const std::string& path) {
  std::vector<Step> steps;
  std::string_view rest = path;
  while (!rest.empty()) {
    Step step;
    if (rest.front() == '[') {
      const std::size_t end = rest.find(']');
      if (end == std::string_view::npos) return Broken(path);
      step.kind = Step::Kind::kItem;
      const std::string_view number = rest.substr(1, end - 1);
      // "[]" means all items, which is what a key of a list means anyway.
      if (!number.empty() && !ReadNumber(number, &step.begin)) {
        return Broken(path);
      }
      if (!number.empty()) steps.push_back(step);
      rest.remove_prefix(end + 1);
    } else {
      const std::size_t end = std::min(rest.find_first_of(".[("), rest.size());
      step.key = std::string(rest.substr(0, end));
      rest.remove_prefix(end);
      if (step.key.empty()) return Broken(path);
      if (!rest.empty() && rest.front() == '(') {
        const std::size_t close = rest.find(')');
        if (step.key != "slice" || close == std::string_view::npos ||
            !ReadSlice(rest.substr(1, close - 1), &step)) {
          return Broken(path);
        }
        rest.remove_prefix(close + 1);
      }
      steps.push_back(step);
    }
    if (!rest.empty() && rest.front() == '.') {
      rest.remove_prefix(1);
      if (rest.empty()) return Broken(path);
    }
  }
  return steps;
}

Json Take(const Json& json, const Step& step) {
  if (step.kind == Step::Kind::kKey) {
    if (json.is_object()) return json.value(step.key, Json());
    if (!json.is_array()) return Json();
    Json taken = Json::array();
    for (const Json& item : json) taken.push_back(Take(item, step));
    return taken;
  }
  if (!json.is_array()) return Json();
  const auto size = static_cast<std::int64_t>(json.size());
  const auto position = [size](std::int64_t index) {
    return index < 0 ? index + size : index;
  };
  const std::int64_t begin = position(step.begin);
  if (step.kind == Step::Kind::kItem) {
    if (begin < 0 || begin >= size) return Json();
    return json[static_cast<std::size_t>(begin)];
  }
  const std::int64_t end = std::min(size, position(step.end.value_or(size)));
  Json taken = Json::array();
  for (std::int64_t i = std::max<std::int64_t>(begin, 0); i < end; ++i) {
    taken.push_back(json[static_cast<std::size_t>(i)]);
  }
  return taken;
}

std::string Print(const Json& json) {
  if (json.is_null()) return "";
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return json.get<bool>() ? "True" : "False";
  if (!json.is_array()) return DumpJson(json);
  std::string text;
  for (const Json& item : json) {
    if (!text.empty()) text += ";";
    text += Print(item);
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ProjectValues(
    std::string_view json, const std::vector<std::string>& paths) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(json));
  std::vector<std::string> values;
  for (const std::string& path : paths) {
    VERNIER_ASSIGN_OR_RETURN(const std::vector<Step> steps, ParsePath(path));
    Json taken = document;
    for (const Step& step : steps) taken = Take(taken, step);
    values.push_back(Print(taken));
  }
  return values;
}

}  // namespace vernier
