#ifndef VERNIER_CLUSTER_TRACKIO_ENVIRONMENT_H_
#define VERNIER_CLUSTER_TRACKIO_ENVIRONMENT_H_

#include <map>
#include <string>
#include <vector>

#include "cluster/replica.h"
#include "study/job_spec.h"

namespace vernier {

/// A program that logs with Hugging Face's Trackio runs unchanged: its library
/// writes what the program logs into a SQLite database in the folder that
/// TRACKIO_DIR names, which TrackioFollower reads. Without a Space or a server
/// it asks no network and shows no page.

/// True if a job's programs get these variables: it tunes, and the source
/// TRACKIO is not switched off (vernier.metricSources).
bool ServesTrackio(const JobSpec& spec);

/// Adds the variables for one replica; `metric_dir` is the attempt's
/// MetricDirectory. The job's own values of them stay, and a job that logs to a
/// Space or a server gets none.
void AddTrackio(const JobSpec& spec, const std::string& metric_dir,
                ReplicaId replica,
                std::map<std::string, std::string>& environment);

/// Returns the names of these variables.
std::vector<std::string> TrackioVariables();

/// Returns the folder below an attempt's MetricDirectory for the databases of
/// the replicas that report. The library makes it.
std::string TrackioDirectory(const std::string& metric_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_TRACKIO_ENVIRONMENT_H_
