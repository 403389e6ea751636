#ifndef VERNIER_STUDY_CONFIG_YAML_PROBLEM_H_
#define VERNIER_STUDY_CONFIG_YAML_PROBLEM_H_

#include <optional>
#include <string>
#include <string_view>

#include "study/config/config_tree.h"

namespace vernier {

/// The fault of a text, and the place where the user should look.
struct YamlProblem {
  ConfigPosition position;
  std::string message;
};

/// Explains in a user's words why `text` is not YAML, given yaml-cpp's message
/// and its place: a tab in the indentation, a bracket or a quote that is never
/// closed (with the place where it was opened), or something that does not fit
/// at the place. Pure. O(text).
YamlProblem ExplainYamlError(std::string_view text, std::string_view said,
                             const ConfigPosition& where);

/// Finds a bracket or a quote that is never closed in a text that is one
/// mapping or one list in brackets, such as JSON. nullopt: all are closed, or
/// it is another text. Pure. O(text).
std::optional<YamlProblem> FindUnclosed(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_YAML_PROBLEM_H_
