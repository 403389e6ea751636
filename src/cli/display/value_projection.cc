#include "cli/display/value_projection.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/status_macros.h"

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
    if (step->begin == std::numeric_limits<std::int64_t>::max()) return false;
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
  if (rest.empty()) return Broken(path);
  while (!rest.empty()) {
    Step step;
    if (rest.front() == '[') {
      const std::size_t end = rest.find(']');
      if (end == std::string_view::npos) return Broken(path);
      step.kind = Step::Kind::kItem;
      const std::string_view number = rest.substr(1, end - 1);
      // "[]" means all items, like a key after a list.
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

std::vector<std::string> KeysOf(const std::vector<Step>& steps) {
  std::vector<std::string> keys;
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::kKey) keys.push_back(step.key);
  }
  return keys;
}

/// The reason why a path fails: no object there has the key number `at`, but
/// they have `names`.
struct Missing {
  std::size_t at = 0;
  std::vector<std::string> names;
};

void NoteMissing(const Json& place, std::size_t at, Missing* missing) {
  if (at < missing->at) return;
  if (at > missing->at) missing->names.clear();
  missing->at = at;
  if (!place.is_object()) return;  // A single value has no keys.
  for (const auto& [key, value] : place.items()) {
    if (std::find(missing->names.begin(), missing->names.end(), key) ==
        missing->names.end()) {
      missing->names.push_back(key);
    }
  }
}

/// Returns whether the keys lead to a value, null included; lists are
/// transparent.
bool Has(const Json& json, const std::vector<std::string>& keys, std::size_t at,
         Missing* missing) {
  if (at == keys.size()) return true;
  if (json.is_array()) {
    return std::any_of(json.begin(), json.end(), [&](const Json& item) {
      return Has(item, keys, at, missing);
    });
  }
  if (json.is_object()) {
    const auto found = json.find(keys[at]);
    if (found != json.end()) return Has(*found, keys, at + 1, missing);
  }
  NoteMissing(json, at, missing);
  return false;
}

absl::Status CheckIsThere(const Json& items, const std::string& path,
                          const std::vector<std::string>& keys,
                          const PathCheck& may_be_absent) {
  Missing missing;
  if (Has(items, keys, 0, &missing)) return absl::OkStatus();
  if (may_be_absent != nullptr) {
    const absl::Status allowed = may_be_absent(keys);
    if (allowed.ok()) return allowed;
    return absl::InvalidArgumentError(absl::StrCat(
        "--format value(", path, "): ", std::string(allowed.message())));
  }
  if (items.empty()) return absl::OkStatus();
  const std::vector<std::string_view> names(missing.names.begin(),
                                            missing.names.end());
  return absl::InvalidArgumentError(
      absl::StrCat("--format value(", path, "): there is no \"",
                   keys[missing.at], "\"", DidYouMean(keys[missing.at], names),
                   missing.names.empty() ? "" : "; there are ",
                   absl::StrJoin(missing.names, ", ")));
}

std::string Values(const Json& item,
                   const std::vector<std::vector<Step>>& paths) {
  std::string line;
  for (const std::vector<Step>& path : paths) {
    Json taken = path.empty() ? item : Take(item, path.front());
    for (std::size_t i = 1; i < path.size(); ++i) {
      taken = Take(taken, path[i]);
    }
    if (&path != &paths.front()) line += '\t';
    line += Print(taken);
  }
  return line + "\n";
}

}  // namespace

absl::StatusOr<std::string> ProjectValues(std::string_view json,
                                          const std::vector<std::string>& paths,
                                          const PathCheck& may_be_absent) {
  VERNIER_ASSIGN_OR_RETURN(Json items, ParseJson(json));
  if (!items.is_array()) items = Json::array({std::move(items)});
  std::vector<std::vector<Step>> steps;
  for (const std::string& path : paths) {
    VERNIER_ASSIGN_OR_RETURN(std::vector<Step> parsed, ParsePath(path));
    VERNIER_RETURN_IF_ERROR(
        CheckIsThere(items, path, KeysOf(parsed), may_be_absent));
    steps.push_back(std::move(parsed));
  }
  std::string text;
  for (const Json& item : items) text += Values(item, steps);
  return text;
}

}  // namespace vernier
