#ifndef VERNIER_STUDY_METRIC_RENAMES_H_
#define VERNIER_STUDY_METRIC_RENAMES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "study/job_spec.h"
#include "study/metrics/former_names.h"
#include "study/study_spec.h"

namespace vernier {

/// New names of metrics, by the names that they have.
using MetricRenames = std::map<std::string, std::string>;

/// Returns the metric of the study that a program means by a name: one that a
/// metric has now means that metric, and another that a metric had means the
/// one that had it. Other names stay as they are. Applying it twice changes
/// nothing. Valid as long as the arguments.
const std::string& NameOfReported(const StudySpec& spec,
                                  const std::string& reported);

/// Returns the names under which programs may report the NeededMetrics of a
/// job: those, and the names that they had before.
std::vector<std::string> ReportedMetrics(const JobSpec& job);

/// Returns the renames that an edit asks for. `asked` has, by the new name of a
/// metric, the name that it has, or one that it had. INVALID_ARGUMENT if no
/// metric is or was called so, with those that there are, and if two metrics
/// would get one name; FAILED_PRECONDITION if the new name is, or was, that of
/// another metric that keeps it. Pure.
absl::StatusOr<MetricRenames> PlanMetricRenames(const StudySpec& before,
                                                const FormerNames& asked);

/// Returns the study with new names of metrics, everywhere where it names them,
/// and with the present ones among StudySpec::renamed_from. Renaming a metric
/// to the name under which it is recorded undoes all its renames, except that
/// programs may still report under the names that it had meanwhile. Pure.
StudySpec WithRenames(StudySpec spec, const MetricRenames& renames);

/// Returns the renames that made the metrics of `before` those of `after`;
/// empty if there are none, or if the metrics are other ones. Pure.
MetricRenames RenamesBetween(const StudySpec& before, const StudySpec& after);

/// True if the two have the same metrics, with the same goals and constraints,
/// by whatever names. Pure.
bool HaveSameMetrics(const StudySpec& a, const StudySpec& b);

/// True if a program that runs now could not know which metric a name means
/// once `before` is renamed so: a name goes from one metric to another. Pure.
bool PassesNamesOn(const StudySpec& before, const MetricRenames& renames);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRIC_RENAMES_H_
