#ifndef VERNIER_STUDY_REPEATS_H_
#define VERNIER_STUDY_REPEATS_H_

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Says who decides that a point is tried again.
enum class RepeatPolicy {
  kNever = 0,
  kFixed,  ///< The owner: each promising point is tried as often.
  kAuto,   ///< The engine: where one more result pays.
};

/// The most trials of one point.
inline constexpr int kMostRepeats = 100;
inline constexpr int kMostAutoRepeats = 10;

/// How often a study tries one point, whose results differ by noise. Trials
/// with equal parameters are trials of one point.
struct Repeats {
  RepeatPolicy policy = RepeatPolicy::kNever;
  /// The most trials of one point, the first included; > 1 unless kNever.
  int trials = 1;

  friend bool operator==(const Repeats&, const Repeats&) = default;
};

inline bool IsRepeating(const Repeats& repeats) {
  return repeats.policy != RepeatPolicy::kNever;
}

/// Reads "3", from 2 to kMostRepeats, or "AUTO" in any case; nullopt for any
/// other text.
std::optional<Repeats> RepeatsFromText(std::string_view text);

/// Returns the text that RepeatsFromText reads; empty for kNever.
std::string ToString(const Repeats& repeats);

/// Describes what RepeatsFromText accepts, to follow "repeats must be ".
inline constexpr std::string_view kRepeatsWanted =
    "a whole number from 2 to 100, or AUTO";

}  // namespace vernier

#endif  // VERNIER_STUDY_REPEATS_H_
