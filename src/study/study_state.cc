#include "study/study_state.h"

namespace vernier {

std::string_view ToString(StudyState state) {
  switch (state) {
    case StudyState::kActive:
      return "ACTIVE";
    case StudyState::kInactive:
      return "INACTIVE";
    case StudyState::kCompleted:
      return "COMPLETED";
  }
  return "UNKNOWN";
}

std::optional<StudyState> StudyStateFromName(std::string_view name) {
  for (const StudyState state :
       {StudyState::kActive, StudyState::kInactive, StudyState::kCompleted}) {
    if (ToString(state) == name) return state;
  }
  return std::nullopt;
}

}  // namespace vernier
