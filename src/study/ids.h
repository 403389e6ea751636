#ifndef VERNIER_STUDY_IDS_H_
#define VERNIER_STUDY_IDS_H_

#include <compare>
#include <cstdint>

namespace vernier {

/// Identifies a study in one store; > 0, never reused.
enum class StudyId : std::int64_t {};

/// Number of a trial in its study: 1, 2, ..., never reused.
enum class TrialId : std::int64_t {};

/// Position in the store's event table: 1, 2, ..., dense. 0 means "before all".
enum class EventSequence : std::int64_t {};

/// Names one launch of one trial. `number` is 1 for the first launch and grows
/// by one with each retry.
struct AttemptKey {
  StudyId study{};
  TrialId trial{};
  int number = 0;

  friend auto operator<=>(const AttemptKey&, const AttemptKey&) = default;
};

template <typename Id>
constexpr std::int64_t ToInt(Id id) {
  return static_cast<std::int64_t>(id);
}

}  // namespace vernier

#endif  // VERNIER_STUDY_IDS_H_
