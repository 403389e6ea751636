#include "cli/submission/point_flags.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace vernier {

absl::StatusOr<std::string> PointsFromFlags(
    const std::vector<std::string>& params) {
  Json point = Json::object();
  for (const std::string& param : params) {
    const std::size_t sign = param.find('=');
    if (sign == std::string::npos || sign == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--param must be NAME=VALUE: \"", param, "\""));
    }
    const std::string name = param.substr(0, sign);
    if (point.contains(name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--param must name a parameter once: \"", name, "\""));
    }
    point[name] = param.substr(sign + 1);
  }
  if (point.empty()) {
    return absl::InvalidArgumentError(
        "there is no point to add: give --param NAME=VALUE for each parameter, "
        "or --params-file FILE");
  }
  return DumpJson(Json::array({point}));
}

absl::StatusOr<std::string> PointsFromFile(const std::string& text,
                                           const std::string& file_name) {
  const absl::StatusOr<Json> read = ParseJson(text);
  if (!read.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_name, ": ", std::string(read.status().message())));
  }
  const Json points = read->is_array() ? *read : Json::array({*read});
  if (points.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_name,
                     ": the list is empty: there is no point to "
                     "add"));
  }
  const bool are_objects =
      std::all_of(points.begin(), points.end(),
                  [](const Json& point) { return point.is_object(); });
  if (!are_objects) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_name,
                     ": must be a JSON object of parameter names and values, "
                     "or a list of them"));
  }
  return DumpJson(points);
}

}  // namespace vernier
