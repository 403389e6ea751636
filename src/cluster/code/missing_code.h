#ifndef VERNIER_CLUSTER_CODE_MISSING_CODE_H_
#define VERNIER_CLUSTER_CODE_MISSING_CODE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/code/left_out.h"

namespace vernier {

/// What the last lines of a program's log say that it has not found: files as
/// they are named there, and modules of Python as the paths that they could
/// have ("a.b": a/b.py, a/b, a.py, a). Pure.
std::vector<std::string> MissingIn(std::string_view log);

/// What keeps `path`, relative to the code folder `source`, or one of the
/// folders that it lies in, out of a copy; nullopt: nothing does, or it does
/// not exist. Reads the folders.
std::optional<LeftOut> FindLeftOut(const std::string& source,
                                   const std::string& path);

/// A sentence if a program that failed with this log missed something that lies
/// in the code folder `source` and was not copied to `copy`; else empty.
/// `work_dir` is where it ran.
std::string MissingCodeText(std::string_view log, const std::string& source,
                            const std::string& copy,
                            const std::string& work_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_MISSING_CODE_H_
