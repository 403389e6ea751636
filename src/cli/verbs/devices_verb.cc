#include <vernier/v1/job_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/device_text.h"
#include "cli/display/text_table.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

TextTable DeviceTable(const Json& devices) {
  std::map<std::string, std::string> numbers;
  for (const Json& device : devices) {
    numbers.emplace(device.value("id", ""), absl::StrCat(numbers.size()));
  }
  const bool has_links =
      std::any_of(devices.begin(), devices.end(),
                  [](const Json& device) { return device.contains("links"); });
  TextTable table{{"NUMBER", "GPU", "MODEL", "MEMORY", "HELD_BY", "CONDITION"},
                  {}};
  if (has_links) table.columns.insert(table.columns.begin() + 4, "NVLINK");
  for (const Json& device : devices) {
    const std::string id = device.value("id", "");
    std::vector<std::string> row = {
        numbers[id],
        id,
        device.value("model", ""),
        MemoryText(device.value("memoryBytes", "")),
        device.value("leasedBy", ""),
        ConditionText(device.value("unusableBecause", ""),
                      device.value("sick", false))};
    if (has_links) {
      std::string links;
      for (const Json& link : device.value("links", Json::array())) {
        absl::StrAppend(&links, links.empty() ? "" : ",",
                        numbers[link.get<std::string>()]);
      }
      row.insert(row.begin() + 4, links);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

absl::Status ListDevices(const Call& call, const NoWords&) {
  VERNIER_ASSIGN_OR_RETURN(
      const Json info,
      Ask(call.client, &v1::JobService::Stub::GetServiceInfo, {}));
  const Json devices = info.value("devices", Json::array());
  return call.invocation.Show(devices, DeviceTable(devices));
}

}  // namespace

void DeclareDevicesVerb(CLI::App& app, Invocation& invocation) {
  Verb<NoWords>(app, invocation, "devices",
                "Show the GPUs, who holds them, and which are sick")
      .Does(Flags::kJob, &ListDevices);
}

}  // namespace vernier
