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

}  // namespace vernier
