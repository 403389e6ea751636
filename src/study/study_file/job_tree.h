#ifndef VERNIER_STUDY_STUDY_FILE_JOB_TREE_H_
#define VERNIER_STUDY_STUDY_FILE_JOB_TREE_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// The document of a job file while it is made from a study file's values,
/// which keep their positions. Not thread-safe.
class JobTree {
 public:
  /// Nodes are added to `tree`, and errors to `diagnostics`; both are borrowed.
  /// Nodes that the study file does not contain get the position `origin`.
  JobTree(ConfigTree* tree, SpecDiagnostics* diagnostics,
          const ConfigPosition& origin);

  /// Puts a value at a path with dots. `word` is its name in the study file,
  /// which messages about the path use. A path that has a value already is an
  /// error at `key`.
  void Put(std::string_view path, std::string_view word,
           const ConfigPosition& key, const ConfigNode* value);
  /// True if a value was put there or below.
  bool Has(std::string_view path) const;
  /// Makes the mapping at `path` if there is none.
  void Make(std::string_view path) { MapAt(path, origin_); }

  /// Makes messages about `path`, or a path below it, name `word` instead.
  void Call(std::string_view path, std::string_view word);

  /// Reports an error about the study file's `word`, at `node` or `position`.
  void Error(const ConfigNode& node, std::string_view word,
             std::string message);
  void Error(const ConfigPosition& position, std::string_view word,
             std::string message);

  /// Notes what a user should know of the file's `word`.
  void Note(const ConfigPosition& position, std::string_view word,
            std::string message);

  /// These make new nodes, for Put.
  const ConfigNode* Text(std::string text, const ConfigPosition& position,
                         bool is_plain = false);
  ConfigNode* List(const ConfigPosition& position);
  ConfigNode* Map(const ConfigPosition& position);

  const ConfigNode* root() const { return root_; }
  /// Returns the names that messages use, by path.
  std::vector<FieldWord> TakeWords() { return std::move(words_); }

 private:
  ConfigNode* MapAt(std::string_view path, const ConfigPosition& position);

  ConfigTree* tree_;
  SpecDiagnostics* diagnostics_;
  ConfigPosition origin_;
  ConfigNode* root_;
  std::map<std::string, ConfigNode*, std::less<>> maps_;  // By path.
  std::vector<FieldWord> words_;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_JOB_TREE_H_
