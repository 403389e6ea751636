#include "cluster/wandb_environment.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/in_place_command.h"
#include "cluster/trial_parameters.h"
#include "study/metrics/metric_sources.h"

namespace vernier {
namespace {

constexpr char kParameterPath[] = "WANDB_SWEEP_PARAM_PATH";
constexpr char kMode[] = "WANDB_MODE";
constexpr char kDirectory[] = "WANDB_DIR";

std::string ParameterFile(const std::string& metric_dir) {
  return metric_dir + "/wandb.yaml";
}

// Other replicas' files lie beside those that are read.
std::string OtherFolder(const std::string& metric_dir, ReplicaId replica) {
  return absl::StrCat(metric_dir, "/wandb-", ReplicaName(replica));
}

// Returns the folder below which the library makes its folder "wandb": where
// the attempt's other results are, if no other trial writes there.
std::string FolderOf(const JobSpec& spec, const AttemptFolders& folders,
                     ReplicaId replica) {
  if (!ReportsForTrial(replica)) return OtherFolder(folders.metrics, replica);
  if (absl::StartsWith(folders.output, "/")) return folders.output;
  const bool is_shared = !InPlaceFolder(spec).empty();
  if (!folders.output.empty() || is_shared) return folders.metrics;
  return folders.work;
}

// PyYAML, which reads the file, takes "1e-05" for a text and "1.0e-05" for a
// number.
std::string YamlNumber(std::string json) {
  const std::size_t exponent = json.find('e');
  if (exponent != std::string::npos && json.find('.') == std::string::npos) {
    json.insert(exponent, ".0");
  }
  return json;
}

// The depth is that of a parameter's name, which has at most 256 characters.
std::string YamlValue(const Json& value) {  // NOLINT(misc-no-recursion)
  if (value.is_number()) return YamlNumber(DumpJson(value));
  if (!value.is_object()) return DumpJson(value);
  std::vector<std::string> members;
  for (const auto& [name, member] : value.items()) {
    members.push_back(
        absl::StrCat(DumpJson(Json(name)), ": ", YamlValue(member)));
  }
  return absl::StrCat("{", absl::StrJoin(members, ", "), "}");
}

// A sweep's nested mapping is parameters with points in their names here, and a
// mapping to the program. Names with points need not come from one, so that
// they stay as well.
void AddNestedMappings(const Json& parameters, Json* shown) {
  for (const auto& [name, value] : parameters.items()) {
    const std::vector<std::string> parts = absl::StrSplit(name, '.');
    const bool is_nested =
        parts.size() > 1 &&
        std::find(parts.begin(), parts.end(), "") == parts.end();
    Json* place = is_nested ? shown : nullptr;
    for (const std::string& part : parts) {
      if (place == nullptr) break;
      Json& below = (*place)[part];
      if (below.is_null()) below = Json::object();
      place = below.is_object() ? &below : nullptr;
    }
    if (place != nullptr && place->empty()) *place = value;
  }
}

}  // namespace

bool ServesWandb(const JobSpec& spec) {
  return spec.training_input.hyperparameters.has_value() &&
         ListensTo(spec.vernier.metric_sources, MetricSourceKind::kWandb);
}

std::vector<std::string> WandbVariables() {
  return {kParameterPath, kMode, kDirectory};
}

void AddWandb(const JobSpec& spec, const AttemptFolders& folders,
              ReplicaId replica,
              std::map<std::string, std::string>& environment) {
  if (!ServesWandb(spec)) return;
  environment.emplace(kParameterPath, ParameterFile(folders.metrics));
  environment.emplace(kDirectory, FolderOf(spec, folders, replica));
  if (environment.count("WANDB_API_KEY") == 0) {
    environment.emplace(kMode, "offline");
  }
}

std::string WandbDirectory(const std::string& metric_dir) {
  return metric_dir + "/wandb";
}

std::string WandbParametersText(const std::string& parameters_json) {
  std::string text = "wandb_version: 1\n";
  const absl::StatusOr<Json> parameters = ParseJson(parameters_json);
  if (!parameters.ok() || !parameters->is_object()) return text;
  Json shown = *parameters;
  AddNestedMappings(*parameters, &shown);
  for (const auto& [name, value] : shown.items()) {
    absl::StrAppend(&text, "\n", DumpJson(Json(name)),
                    ":\n  value: ", YamlValue(value), "\n");
  }
  return text;
}

absl::Status PrepareWandb(const std::string& metric_dir, const JobSpec& spec,
                          const Parameters& parameters) {
  if (!ServesWandb(spec)) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(WriteForPrograms(
      ParameterFile(metric_dir),
      WandbParametersText(TrialParametersJson(spec, parameters))));
  for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
    if (ReportsForTrial(replica)) continue;
    const std::string folder = OtherFolder(metric_dir, replica);
    VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
    if (::chmod(folder.c_str(), 01777) != 0) {
      return absl::ErrnoToStatus(errno, folder);
    }
  }
  return absl::OkStatus();
}

}  // namespace vernier
