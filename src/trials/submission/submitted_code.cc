#include "trials/submission/submitted_code.h"

#include "base/status_macros.h"

namespace vernier {

absl::StatusOr<SubmittedCode> SubmittedCode::Pin(JobFiles& files,
                                                 const JobSpec& spec) {
  std::string dir;
  if (!spec.vernier.code_dir.empty()) {
    VERNIER_ASSIGN_OR_RETURN(dir,
                             files.PinCode(spec.job_id, spec.vernier.code_dir,
                                           spec.training_input.job_dir));
  }
  SubmittedCode code(files, std::move(dir));
  VERNIER_ASSIGN_OR_RETURN(
      code.digest_,
      files.DigestCode(code.dir_, "", spec.training_input.package_uris));
  return code;
}

SubmittedCode::SubmittedCode(SubmittedCode&& other) noexcept
    : files_(other.files_),
      dir_(std::move(other.dir_)),
      digest_(std::move(other.digest_)),
      is_kept_(other.is_kept_) {
  other.dir_.clear();
}

SubmittedCode::~SubmittedCode() {
  if (!dir_.empty() && !is_kept_) files_.DropCode(dir_);
}

}  // namespace vernier
