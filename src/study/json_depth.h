#ifndef VERNIER_STUDY_JSON_DEPTH_H_
#define VERNIER_STUDY_JSON_DEPTH_H_

#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// As deep as JSON may be nested that anybody reads here. What walks a tree,
/// prints it or copies it calls itself for each level, and 50,000 of them are
/// more than a stack has.
inline constexpr int kMaxJsonDepth = 100;

/// OK, or INVALID_ARGUMENT for a text that is nested deeper than kMaxJsonDepth,
/// valid or not. ParseJson asks it first, and so does whoever has another
/// library read. Linear, and needs no memory. Pure.
absl::Status CheckJsonDepth(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_JSON_DEPTH_H_
