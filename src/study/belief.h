#ifndef VERNIER_STUDY_BELIEF_H_
#define VERNIER_STUDY_BELIEF_H_

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// The distance from a believed number within which half of the belief lies.
struct BeliefWidth {
  double amount = 0;       ///< > 0; a factor is > 1.
  bool is_factor = false;  ///< From near / amount to near * amount.

  friend bool operator==(const BeliefWidth&, const BeliefWidth&) = default;
};

/// A user's belief about where the best value of one parameter lies.
struct Belief {
  std::string parameter;
  std::variant<double, std::string> near;  ///< A number, or a category.
  /// Unset: a width that the engine chooses. Always unset for a category.
  std::optional<BeliefWidth> within;

  friend bool operator==(const Belief&, const Belief&) = default;
};

/// A belief as users write it.
struct BeliefText {
  std::string near;
  std::string within;  ///< "2" or "10x"; empty: not given.
};

/// A mistake in a belief.
struct BeliefMistake {
  std::string_view field;  ///< "near" or "within"; empty: the parameter.
  std::string message;     ///< To follow the field's name.
};

/// Reads what is believed about `parameter`, a name. If parameters under
/// different conditions have that name, the belief has to fit one of them.
std::variant<Belief, BeliefMistake> ReadBelief(
    const std::vector<ParameterSpec>& space, const std::string& parameter,
    const BeliefText& text);

/// Reads "2" or "10x"; nullopt for any other text.
std::optional<BeliefWidth> WidthFromText(std::string_view text);

/// Inverse of WidthFromText.
std::string ToString(const BeliefWidth& width);

/// True if the belief says something about `spec`: it has the name, more than
/// one possible value, and the believed one lies among or between them.
bool IsAbout(const Belief& belief, const ParameterSpec& spec);

}  // namespace vernier

#endif  // VERNIER_STUDY_BELIEF_H_
