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

/// The document of a job file while it is made of a study file's values, which
/// keep their places. Not thread-safe.
class JobTree {
 public:
  /// Nodes are added to `tree`, and what is wrong to `diagnostics`; both are
  /// borrowed. What is in the document without being in the study file has the
  /// position `origin`.
  JobTree(ConfigTree* tree, SpecDiagnostics* diagnostics,
          const ConfigPosition& origin);

  /// Puts a value at a path with dots. `word` is what the study file calls it,
  /// and how messages about the path name it. A path that has a value already
  /// is an error at `key`.
  void Put(std::string_view path, std::string_view word,
           const ConfigPosition& key, const ConfigNode* value);
  /// Whether a value was put there or below.
  bool Has(std::string_view path) const;
  /// Makes the mapping at `path` if there is none.
  void Make(std::string_view path) { MapAt(path, origin_); }

  /// Messages about `path`, or what is below it, name `word` instead.
  void Call(std::string_view path, std::string_view word);

  /// Reports that the study file's `word` is wrong, at `node` or `position`.
  void Error(const ConfigNode& node, std::string_view word,
             std::string message);
  void Error(const ConfigPosition& position, std::string_view word,
             std::string message);

  /// New nodes, for Put.
  const ConfigNode* Text(std::string text, const ConfigPosition& position,
                         bool is_plain = false);
  ConfigNode* List(const ConfigPosition& position);
  ConfigNode* Map(const ConfigPosition& position);

  const ConfigNode* root() const { return root_; }
  /// By path: what messages say instead.
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
