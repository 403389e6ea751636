#include "faces/dashboard/job_text.h"

#include <vector>

#include "base/json.h"
#include "base/status_macros.h"
#include "edge/http/rest_error.h"
#include "store/study_kinds.h"
#include "study/job_file/code_notes.h"
#include "study/job_file/job_document.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

// Fields that only the service sets; a file that was copied may have them.
const std::vector<std::vector<std::string>>& OfTheService() {
  static const auto* const kPaths =
      new std::vector<std::vector<std::string>>{{"vernier", "secretsFile"},
                                                {"vernier", "secretNames"},
                                                {"vernier", "codeNotes"},
                                                {"vernier", "outputDir"}};
  return *kPaths;
}

absl::StatusOr<ParsedJob> Parse(const std::string& text,
                                std::vector<SpecError>* errors) {
  JobDocument document(text, "");
  document.Remove(OfTheService());
  return document.ToJob(JobCompleteness::kRequired, errors);
}

Json ErrorsOf(const std::vector<SpecError>& errors) {
  Json list = Json::array();
  for (const SpecError& error : errors) {
    list.push_back({{"line", error.line},
                    {"column", error.column},
                    {"field", error.field_path},
                    {"message", error.message}});
  }
  return list;
}

}  // namespace

std::string ValidateJobText(const JobService& jobs, const std::string& project,
                            const std::string& text, JobService::Look look) {
  std::vector<SpecError> errors;
  absl::StatusOr<ParsedJob> job = Parse(text, &errors);
  if (job.ok()) {
    const std::vector<std::string> ignored = job->ignored_fields;
    job = jobs.ValidateJob(*job, project, look);
    if (job.ok()) {
      const absl::StatusOr<Json> shown = ParseJson(job->json);
      return DumpJson(Json{{"ok", true},
                           {"job", shown.ok() ? *shown : Json::object()},
                           {"ignored", ignored}});
    }
    errors.push_back({"", 0, 0, "", std::string(job.status().message())});
  }
  return DumpJson(Json{{"ok", false}, {"errors", ErrorsOf(errors)}});
}

absl::StatusOr<std::string> SubmitJobText(JobService& jobs,
                                          const std::string& project,
                                          const std::string& text,
                                          const std::string& request_id) {
  std::vector<SpecError> errors;
  const absl::StatusOr<ParsedJob> job = Parse(text, &errors);
  if (!job.ok()) return FieldViolations(errors);
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           jobs.CreateJob(*job, request_id, project));
  return DumpJson(Json{{"id", study->name},
                       {"notes", CodeNotesOf(JobOf(*study).run().spec_json)}});
}

}  // namespace vernier
