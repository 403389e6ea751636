#ifndef VERNIER_FACES_DASHBOARD_TRIAL_FILES_H_
#define VERNIER_FACES_DASHBOARD_TRIAL_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cluster/code/code_twins.h"
#include "http/http_message.h"
#include "store/study_kinds.h"

namespace vernier {

/// The part of a trial's log that is requested.
struct LogQuestion {
  int attempt = 0;          ///< 0: the newest.
  std::string replica;      ///< Empty: the first.
  std::int64_t offset = 0;  ///< Negative: this many bytes before the end.
  std::size_t limit = 0;    ///< Bytes; 0: the most there may be.
};

/// Returns a part of a log with its offset, and the list of the logs that
/// exist, in JSON as described in docs/dashboard.md. NOT_FOUND if there is no
/// such attempt or replica. A trial that has not started has no logs, which is
/// no error.
absl::StatusOr<std::string> ReadTrialLog(const StudySnapshot& study,
                                         const TrialRecord& trial,
                                         const LogQuestion& question);

/// Returns the folder of the files of a trial whose job has no jobDir: the
/// working directory of its newest attempt. NOT_FOUND, in words, if it has none
/// of its own. Reads the file system.
absl::StatusOr<std::string> WorkFolderOf(const StudySnapshot& study,
                                         const TrialRecord& trial);

/// True if neither of two absolute folders is, or lies in, the other; links are
/// followed. Reads the file system.
bool AreApart(const std::string& first, const std::string& second);

/// Returns the names, sizes and times in a folder, in JSON. `folder` is a
/// trial's output on this machine; `path`, below it, may be empty. Links that
/// lead out are not followed. Absolute links are left out, and so are files
/// that the trial has from `code` and has not changed. At most a thousand
/// entries. Errors: as ConfinedFolder.
absl::StatusOr<std::string> ListTrialFiles(const std::string& folder,
                                           const std::string& path,
                                           const CodeTwins& code);

/// Returns a file as an attachment, so that no browser shows it as a page of
/// ours. RESOURCE_EXHAUSTED if it is larger than 64 MiB. Errors: as
/// ConfinedFolder.
absl::StatusOr<HttpResponse> DownloadTrialFile(const std::string& folder,
                                               const std::string& path);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_TRIAL_FILES_H_
