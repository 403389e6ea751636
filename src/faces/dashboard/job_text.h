#ifndef VERNIER_FACES_DASHBOARD_JOB_TEXT_H_
#define VERNIER_FACES_DASHBOARD_JOB_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// Checks the text of a job file, YAML or JSON, like a submission to `project`
/// would, and stores nothing. Returns JSON: {"ok": true, "job": {...},
/// "ignored": [...]} or {"ok": false, "errors": [{"line", "column", "field",
/// "message"}]}, the latter for a wrong job. `look` says if the caller may
/// learn which files exist.
std::string ValidateJobText(const JobService& jobs, const std::string& project,
                            const std::string& text, JobService::Look look);

/// Submits the text of a job file. Returns JSON: {"id": ...}. Errors:
/// INVALID_ARGUMENT with the fields that are wrong (FieldViolations); those of
/// JobService::CreateJob.
absl::StatusOr<std::string> SubmitJobText(JobService& jobs,
                                          const std::string& project,
                                          const std::string& text,
                                          const std::string& request_id);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_JOB_TEXT_H_
