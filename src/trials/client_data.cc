#include "trials/client_data.h"

#include <utility>

#include "base/json.h"
#include "base/python_json.h"

namespace vernier {

std::string ClientDataOf(const Metadata& metadata) {
  Json choices = Json::object();
  for (auto item = metadata.lower_bound({kChoicesNamespace, ""});
       item != metadata.end() && item->first.first == kChoicesNamespace;
       ++item) {
    auto listed = ParsePythonJson(item->second.value);
    if (!listed.ok()) continue;  // Any client may write there.
    choices[item->first.second] = *std::move(listed);
  }
  if (choices.empty()) return "";
  std::string data = DumpPythonJson({{"choices", std::move(choices)}});
  return data.size() <= kMostClientData ? data : "";
}

}  // namespace vernier
