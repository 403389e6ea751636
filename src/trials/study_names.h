#ifndef VERNIER_TRIALS_STUDY_NAMES_H_
#define VERNIER_TRIALS_STUDY_NAMES_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// "PARENT/studies/NAME", the resource name of a study that clients run.
std::string StudyResourceName(std::string_view parent, std::string_view name);

/// The part of a resource name after "/studies/", else the whole text: the
/// study's name for users.
std::string DisplayNameOf(const StudySnapshot& study);

/// The part before "/studies/"; empty for a job.
std::string ParentOf(const StudySnapshot& study);

/// The project that a job or a study belongs to; see ProjectOfName.
std::string ProjectOf(const StudySnapshot& study);

/// Finds a job by its id in a snapshot; null if there is none. Studies that
/// clients run are no jobs.
std::shared_ptr<const StudySnapshot> FindJob(const StoreSnapshot& snapshot,
                                             const std::string& job_id);

/// The studies that jobs have, which the service runs.
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

}  // namespace vernier

#endif  // VERNIER_TRIALS_STUDY_NAMES_H_
