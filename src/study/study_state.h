#ifndef VERNIER_STUDY_STUDY_STATE_H_
#define VERNIER_STUDY_STUDY_STATE_H_

#include <string_view>

namespace vernier {

/// State of a study whose clients run its trials. Its owner may move it from
/// any state to any other; only an active one changes otherwise. Values are
/// stored; do not renumber.
enum class StudyState {
  kActive = 1,
  kInactive = 2,   ///< Put aside; `state_reason` may say why.
  kCompleted = 3,  ///< Nothing more to try, or its owner says so.
};

/// Stable upper-case name such as "ACTIVE".
std::string_view ToString(StudyState state);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_STATE_H_
