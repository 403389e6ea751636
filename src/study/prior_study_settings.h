#ifndef VERNIER_STUDY_PRIOR_STUDY_SETTINGS_H_
#define VERNIER_STUDY_PRIOR_STUDY_SETTINGS_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// At most this many earlier studies may be named.
inline constexpr std::size_t kMostPriorStudies = 100;
/// The most trials that all of them together may have.
inline constexpr std::size_t kMostPriorTrials = 100'000;
/// The longest name of one, in bytes.
inline constexpr std::size_t kLongestPriorName = 512;

/// In place of names, in any case: the studies of the project that are like
/// this one.
inline constexpr std::string_view kLikeStudies = "AUTO";

/// The earlier studies from which a study learns: jobs of its project, and
/// studies that clients ran there.
struct PriorStudySettings {
  /// Their names, distinct, not empty; or kLikeStudies alone.
  std::vector<std::string> studies;
  /// The names that their parameters have in this study, by the names there.
  /// Parameters that are not named keep their names.
  std::map<std::string, std::string> rename;

  friend bool operator==(const PriorStudySettings&,
                         const PriorStudySettings&) = default;
};

/// True if the studies are to be found by their likeness.
bool FindsLikeStudies(const PriorStudySettings& settings);

}  // namespace vernier

#endif  // VERNIER_STUDY_PRIOR_STUDY_SETTINGS_H_
