#include "edge/http/query_parameters.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// https://cloud.google.com/apis/docs/system-parameters, and the old names that
// discovery documents still list. Each may have a "$" before it.
constexpr std::string_view kOfEveryCall[] = {
    "alt",       "fields", "prettyPrint",     "key",
    "quotaUser", "userIp", "access_token",    "oauth_token",
    "callback",  "xgafv",  "upload_protocol", "uploadType"};

bool IsOfEveryCall(std::string_view name) {
  if (name.substr(0, 1) == "$") name.remove_prefix(1);
  if (name.substr(0, 1) == ".") name.remove_prefix(1);  // "$.xgafv"
  return std::find(std::begin(kOfEveryCall), std::end(kOfEveryCall), name) !=
         std::end(kOfEveryCall);
}

}  // namespace

absl::Status CheckQueryParameters(const HttpFields& query,
                                  const RestRoute& route) {
  std::vector<std::string_view> known;
  for (const RestParameter& each : route.parameters) known.push_back(each.name);
  for (const auto& [name, value] : query) {
    if (IsOfEveryCall(name) ||
        std::find(known.begin(), known.end(), name) != known.end()) {
      continue;
    }
    for (const std::string_view each : {"alt", "fields", "prettyPrint"}) {
      known.push_back(each);
    }
    return absl::InvalidArgumentError(
        absl::StrCat("there is no query parameter \"", ShowText(name), "\"",
                     DidYouMean(name, known)));
  }
  return absl::OkStatus();
}

}  // namespace vernier
