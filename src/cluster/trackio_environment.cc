#include "cluster/trackio_environment.h"

#include "absl/strings/str_cat.h"
#include "study/metrics/metric_sources.h"

namespace vernier {
namespace {

constexpr char kTrackioFolder[] = "TRACKIO_DIR";
// Otherwise the library writes other files on the file systems of other
// machines, which TrackioFollower does not read.
constexpr char kTrackioStorage[] = "TRACKIO_STORAGE_MODE";

// The library sends what is logged to these, and keeps no database.
constexpr const char* kTrackioElsewhere[] = {"TRACKIO_SPACE_ID",
                                             "TRACKIO_SERVER_URL"};

}  // namespace

bool ServesTrackio(const JobSpec& spec) {
  return spec.training_input.hyperparameters.has_value() &&
         ListensTo(spec.vernier.metric_sources, MetricSourceKind::kTrackio);
}

std::vector<std::string> TrackioVariables() {
  return {kTrackioFolder, kTrackioStorage};
}

std::string TrackioDirectory(const std::string& metric_dir) {
  return metric_dir + "/trackio";
}

void AddTrackio(const JobSpec& spec, const std::string& metric_dir,
                ReplicaId replica,
                std::map<std::string, std::string>& environment) {
  if (!ServesTrackio(spec)) return;
  for (const char* name : kTrackioElsewhere) {
    if (environment.count(name) > 0) return;
  }
  std::string folder = TrackioDirectory(metric_dir);
  if (!ReportsForTrial(replica)) {
    absl::StrAppend(&folder, "-", ReplicaName(replica));
  }
  environment.emplace(kTrackioFolder, folder);
  environment.emplace(kTrackioStorage, "sqlite");
}

}  // namespace vernier
