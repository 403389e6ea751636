#ifndef VERNIER_STORE_STUDY_KINDS_H_
#define VERNIER_STORE_STUDY_KINDS_H_

#include <optional>

#include "store/store.h"

namespace vernier {

/// A study of which it is known that the service runs it as a job. What makes
/// sense for a job alone takes one, so that no other study reaches it.
///
/// Borrows the study, which must outlive it. A job is a study, so that it goes
/// wherever one is taken, and `job->` reaches what every study has.
/// Thread-compatible.
class JobRef {
 public:
  const StudySnapshot& study() const { return *study_; }
  /// The part that only a job has.
  const JobRun& run() const { return *run_; }
  const StudySnapshot* operator->() const { return study_; }
  operator const StudySnapshot&() const { return *study_; }

 private:
  friend JobRef JobOf(const StudySnapshot& study);
  explicit JobRef(const StudySnapshot& study)
      : study_(&study), run_(&JobRunOf(study)) {}

  const StudySnapshot* study_;
  const JobRun* run_;
};

/// Returns the study as a job; it must be one.
inline JobRef JobOf(const StudySnapshot& study) { return JobRef(study); }

/// Returns the study as a job, and nullopt if clients run it.
inline std::optional<JobRef> AsJob(const StudySnapshot& study) {
  if (!IsJob(study)) return std::nullopt;
  return JobOf(study);
}

/// A study of which it is known that clients run its trials; see JobRef.
/// Thread-compatible.
class ClientStudyRef {
 public:
  const StudySnapshot& study() const { return *study_; }
  /// The part that only a study of clients has.
  const ClientRun& run() const { return *run_; }
  const StudySnapshot* operator->() const { return study_; }
  operator const StudySnapshot&() const { return *study_; }

 private:
  friend ClientStudyRef ClientStudyOf(const StudySnapshot& study);
  explicit ClientStudyRef(const StudySnapshot& study)
      : study_(&study), run_(&ClientRunOf(study)) {}

  const StudySnapshot* study_;
  const ClientRun* run_;
};

/// Returns the study as one that clients run; it must be one.
inline ClientStudyRef ClientStudyOf(const StudySnapshot& study) {
  return ClientStudyRef(study);
}

/// Returns the study as one that clients run, and nullopt if it is a job.
inline std::optional<ClientStudyRef> AsClientStudy(const StudySnapshot& study) {
  if (IsJob(study)) return std::nullopt;
  return ClientStudyOf(study);
}

}  // namespace vernier

#endif  // VERNIER_STORE_STUDY_KINDS_H_
