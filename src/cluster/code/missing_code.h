#ifndef VERNIER_CLUSTER_CODE_MISSING_CODE_H_
#define VERNIER_CLUSTER_CODE_MISSING_CODE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/code/left_out.h"

namespace vernier {

/// Returns what a program could not find, by the last lines of its log: files
/// as they are named there, and Python modules as the paths that they could
/// have ("a.b": a/b.py, a/b, a.py, a). Pure.
std::vector<std::string> MissingIn(std::string_view log);

/// Returns what keeps `path` (relative to the code folder `source`), or one of
/// its parent folders, out of a copy; nullopt if nothing does, or it does not
/// exist. Reads the folders.
std::optional<LeftOut> FindLeftOut(const std::string& source,
                                   const std::string& path);

/// Returns a sentence if a program that failed with this log missed something
/// that is in the code folder `source` and was not copied to `copy`; else an
/// empty text. `work_dir` is the folder in which it ran.
std::string MissingCodeText(std::string_view log, const std::string& source,
                            const std::string& copy,
                            const std::string& work_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_MISSING_CODE_H_
