#ifndef VERNIER_CLUSTER_CODE_MISSING_PACKAGE_H_
#define VERNIER_CLUSTER_CODE_MISSING_PACKAGE_H_

#include <string>
#include <string_view>

namespace vernier {

/// Returns a sentence if a program that failed with this log did not find this
/// project's Python package: it is not installed for the Python that ran the
/// program, or was imported by the name `vernier`, which is another project's.
/// Else an empty text. Pure.
std::string MissingPackageText(std::string_view log);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_MISSING_PACKAGE_H_
