#ifndef VERNIER_CLI_SUBMISSION_NAMED_FILES_H_
#define VERNIER_CLI_SUBMISSION_NAMED_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace vernier {

/// Returns whether `word` names an entry below `folder`. An absolute path, a
/// flag and a path that leads out do not; nor does a bare command such as
/// "python3", if the folder has no file of that name.
bool IsFileBelow(const std::filesystem::path& folder, const std::string& word);

/// Returns whether a command names files below `folder`, or modules there after
/// -m, as a program with its script does.
bool NamesFilesBelow(const std::filesystem::path& folder,
                     const std::vector<std::string>& command);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_NAMED_FILES_H_
