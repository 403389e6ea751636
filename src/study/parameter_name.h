#ifndef VERNIER_STUDY_PARAMETER_NAME_H_
#define VERNIER_STUDY_PARAMETER_NAME_H_

#include <cstddef>

namespace vernier {

/// The longest name that a parameter may have, in bytes.
inline constexpr std::size_t kMaxParameterName = 256;

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_NAME_H_
