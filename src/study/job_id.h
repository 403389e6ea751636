#ifndef VERNIER_STUDY_JOB_ID_H_
#define VERNIER_STUDY_JOB_ID_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// Jobs belong to projects, and a name is one job's in each. What identifies a
/// job everywhere below the faces is one text, its id: "NAME@PROJECT", or the
/// plain "NAME" in the default project. No id has a '/', and every name of a
/// study that clients run has.

/// The project of jobs whose ids name none.
inline constexpr std::string_view kDefaultProject = "default";

/// Whether a text can be a job's name.
bool IsJobName(std::string_view text);

/// OK for a project's id as Google has them, also a number, or one of a domain
/// ("example.com:tuning"); else INVALID_ARGUMENT that gives the rule.
absl::Status CheckProjectId(std::string_view project);

/// The id of the job that `project` calls `name`; empty, which is no job's, if
/// `name` can be no name. So a name never reaches another project's job.
std::string JobIdIn(std::string_view project, std::string_view name);

struct JobIdParts {
  std::string name;
  std::string project;
};

/// "digits@p1" -> {"digits", "p1"}, "digits" -> {"digits", "default"}. Total:
/// the project follows the last '@', whatever is before it.
JobIdParts SplitJobId(std::string_view job_id);

/// Whose a job or a study is: of a job's id as SplitJobId, of a study's
/// resource name ("owners/P/studies/S", "projects/P/locations/L/studies/S") its
/// P. Empty for a text that has a '/' and is none.
std::string ProjectOfName(std::string_view name);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_ID_H_
