#ifndef VERNIER_BASE_VERSION_H_
#define VERNIER_BASE_VERSION_H_

namespace vernier {

/// The release, e.g. "0.1.0"; the same in CMakeLists.txt.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace vernier

#endif  // VERNIER_BASE_VERSION_H_
