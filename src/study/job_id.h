#ifndef VERNIER_STUDY_JOB_ID_H_
#define VERNIER_STUDY_JOB_ID_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// A job belongs to a project, and its name is unique there. Below the faces
/// one text identifies a job, its id: "NAME@PROJECT", or plain "NAME" in the
/// default project. An id never contains a '/', and the name of a study that
/// clients run always does, so the two cannot collide.

/// The project of jobs whose ids name none.
inline constexpr std::string_view kDefaultProject = "default";

/// True if a text can be a job's name.
bool IsJobName(std::string_view text);

/// Returns OK for a project's id in Google's form, also a number, or one of a
/// domain ("example.com:tuning"); else INVALID_ARGUMENT that gives the rule.
absl::Status CheckProjectId(std::string_view project);

/// Returns the id of the job that `project` calls `name`. Empty, which is no
/// job's id, if `name` is malformed; so a name never reaches another project's
/// job.
std::string JobIdIn(std::string_view project, std::string_view name);

struct JobIdParts {
  std::string name;
  std::string project;
};

/// "digits@p1" -> {"digits", "p1"}, "digits" -> {"digits", "default"}. Total:
/// the project follows the last '@', whatever is before it.
JobIdParts SplitJobId(std::string_view job_id);

/// Returns the project that owns a job or a study. A job's id is split like
/// SplitJobId does; for a study's resource name ("owners/P/studies/S",
/// "projects/P/locations/L/studies/S") it is P. Empty for any other text with a
/// '/'.
std::string ProjectOfName(std::string_view name);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_ID_H_
