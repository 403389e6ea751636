#ifndef VERNIER_STUDY_JOB_FILE_JOB_COMPLETENESS_H_
#define VERNIER_STUDY_JOB_FILE_JOB_COMPLETENESS_H_

namespace vernier {

/// Decides which fields of a job may be missing.
enum class JobCompleteness {
  kRequired,    ///< None that a job must have.
  kMayBeAdded,  ///< Those that a command line may still add.
  /// All: the document changes some fields of a job, and need not repeat what
  /// they are about.
  kEdit,
  kStored,  ///< kRequired, of a job that was accepted before (ParseStoredJob).
};

inline bool MustBeComplete(JobCompleteness completeness) {
  return completeness == JobCompleteness::kRequired ||
         completeness == JobCompleteness::kStored;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_COMPLETENESS_H_
