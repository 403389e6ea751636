#ifndef VERNIER_STORE_STUDY_NAMES_H_
#define VERNIER_STORE_STUDY_NAMES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// Returns "PARENT/studies/NAME", the resource name of a study that clients
/// run.
std::string StudyResourceName(std::string_view parent, std::string_view name);

/// Returns the study's name for users: the part of a resource name after
/// "/studies/", or the whole name of a job.
std::string DisplayNameOf(const StudySnapshot& study);

/// Returns the part of a resource name before "/studies/"; empty for a job.
std::string ParentOf(const StudySnapshot& study);

/// Returns the project that a job or a study belongs to; see ProjectOfName.
std::string ProjectOf(const StudySnapshot& study);

/// Finds a job by its id in a snapshot; null if there is none. It does not find
/// studies that clients run.
std::shared_ptr<const StudySnapshot> FindJob(const StoreSnapshot& snapshot,
                                             const std::string& job_id);

/// Returns the studies of jobs, which the service runs.
std::shared_ptr<const StoreSnapshot> JobsIn(
    const std::shared_ptr<const StoreSnapshot>& snapshot);

/// Finds a job by its id, or a study that clients run by its resource name, by
/// its id among all studies, or by its display name if that is unique.
/// "TEXT@PROJECT" searches for TEXT in that project only.
///
/// Errors: NOT_FOUND; INVALID_ARGUMENT if several have that display name, with
/// their resource names.
absl::StatusOr<std::shared_ptr<const StudySnapshot>> FindStudy(
    const StoreSnapshot& snapshot, const std::string& text);

/// Returns OK if `study` has made a trial of this number, which may have been
/// deleted since; else NOT_FOUND, with `name` for the study: "job j1".
absl::Status CheckHasTrial(const StudySnapshot& study, std::string_view name,
                           std::int64_t trial);

}  // namespace vernier

#endif  // VERNIER_STORE_STUDY_NAMES_H_
