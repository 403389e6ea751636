#ifndef VERNIER_CLUSTER_CODE_MISSING_PACKAGE_H_
#define VERNIER_CLUSTER_CODE_MISSING_PACKAGE_H_

#include <string>
#include <string_view>

namespace vernier {

/// A sentence if a program that failed with this log did not find our Python
/// package: it is not installed for the Python that ran the program, or was
/// imported by the name `vernier`, which is another project's. Else empty.
/// Pure.
std::string MissingPackageText(std::string_view log);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_MISSING_PACKAGE_H_
