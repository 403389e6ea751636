#ifndef VERNIER_CLI_DISPLAY_REVISION_TEXT_H_
#define VERNIER_CLI_DISPLAY_REVISION_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// The service's answer to a revision, in parts.
struct RevisionNews {
  std::vector<std::string> changes;
  std::string record;  ///< The JSON of the job, or of a client's study.
  int version = 1;
  bool is_replaced = false;
  bool has_more_trials = false;  ///< More may run than before.
  int restarted = 0;
  int made_up_trials = 0;

  bool has_new_code() const;
};

/// The name and flags by which a printed command refers to a job.
struct JobReference {
  std::string name;   ///< With its project, if that needs saying.
  std::string flags;  ///< That reach its service, with a leading blank.
};

/// Parses the JSON of a ReviseJobResponse or an EditStudyResponse.
/// INVALID_ARGUMENT if it is neither.
absl::StatusOr<RevisionNews> ReadRevision(std::string_view answer);

/// Each function returns one sentence for a user who runs a job again or
/// changes one, without a full stop. Pure.

/// Returns "job j goes on: new code (version 2), maxTrials 10 -> 20".
std::string GoesOnText(const std::string& job, const RevisionNews& news);
/// For a running job: what differs, and how to apply it.
std::string RunsAlreadyText(const JobReference& job, const RevisionNews& news);
/// For a job that has succeeded and got no more trials.
std::string SucceededText(const JobReference& job, const RevisionNews& news);
/// For "job j" or "study s" whose code, search or settings were updated.
std::string UpdatedText(const std::string& what, const RevisionNews& news);
/// For one that was not, since only the changes were asked for.
std::string WouldChangeText(const std::string& what, const RevisionNews& news);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_REVISION_TEXT_H_
