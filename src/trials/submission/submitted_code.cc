#include "trials/submission/submitted_code.h"

#include "base/json.h"
#include "base/status_macros.h"
#include "study/job_file/code_notes.h"

namespace vernier {

absl::StatusOr<ParsedJob> WithCodeNotes(const ParsedJob& job,
                                        const std::vector<std::string>& notes) {
  if (CodeNotesOf(job.json) == notes) return job;
  return WithOverrides(
      job, {{{"vernier", "codeNotes"}, DumpJson(Json(notes)), "codeNotes"}});
}

absl::StatusOr<SubmittedCode> SubmittedCode::Pin(JobFiles& files,
                                                 const JobSpec& spec) {
  PinnedCode pinned;
  if (!spec.vernier.code_dir.empty()) {
    VERNIER_ASSIGN_OR_RETURN(pinned,
                             files.PinCode(spec.job_id, spec.vernier.code_dir,
                                           spec.training_input.job_dir));
  }
  SubmittedCode code(files, std::move(pinned));
  VERNIER_ASSIGN_OR_RETURN(
      code.digest_,
      files.DigestCode(code.dir(), "", spec.training_input.package_uris));
  return code;
}

SubmittedCode::SubmittedCode(SubmittedCode&& other) noexcept
    : files_(other.files_),
      code_(std::move(other.code_)),
      digest_(std::move(other.digest_)),
      is_kept_(other.is_kept_) {
  other.code_.dir.clear();
}

SubmittedCode::~SubmittedCode() {
  if (!code_.dir.empty() && !is_kept_) files_.DropCode(code_.dir);
}

}  // namespace vernier
