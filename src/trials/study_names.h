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

/// The part after "/studies/" of a resource name, else the whole text: what a
/// person calls the study.
std::string DisplayNameOf(const StudySnapshot& study);

/// The part before "/studies/"; empty for a job.
std::string ParentOf(const StudySnapshot& study);

/// Whose it is, a job's or its clients'; see ProjectOfName.
std::string ProjectOf(const StudySnapshot& study);

/// Finds a job by its id in a snapshot; null if there is none. Studies that
/// clients run are no jobs.
std::shared_ptr<const StudySnapshot> FindJob(const StoreSnapshot& snapshot,
                                             const std::string& job_id);

/// The studies that jobs have, which the service runs.
std::shared_ptr<const StoreSnapshot> JobsIn(
    const std::shared_ptr<const StoreSnapshot>& snapshot);

/// A job by its id, or a study that clients run by its resource name, its id
/// among all studies, or its display name if only one has it. "TEXT@PROJECT"
/// is what TEXT is among what that project has, and nothing else.
///
/// Errors: NOT_FOUND; INVALID_ARGUMENT if several have that display name, with
/// their resource names.
absl::StatusOr<std::shared_ptr<const StudySnapshot>> FindStudy(
    const StoreSnapshot& snapshot, const std::string& text);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STUDY_NAMES_H_
