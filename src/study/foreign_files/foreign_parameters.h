#ifndef VERNIER_STUDY_FOREIGN_FILES_FOREIGN_PARAMETERS_H_
#define VERNIER_STUDY_FOREIGN_FILES_FOREIGN_PARAMETERS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "study/config/config_tree.h"
#include "study/foreign_files/foreign_node.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// A parameter of another tool's file.
struct ForeignParameter {
  std::string name;  ///< Here.
  std::string word;  ///< In messages, such as "searchSpace.lr".
  ConfigPosition position;
  std::string_view name_field = "";  ///< Has its name; empty: its key has.
};

enum class ForeignScale { kLinear, kLog, kReverseLog };

/// All numbers from `low` to `high`, both included.
struct ForeignRange {
  double low = 0;
  double high = 0;
  bool is_whole = false;
  ForeignScale scale = ForeignScale::kLinear;
};

/// Makes the list of a job file's parameters from those of another tool's file,
/// whose numbers may have to be computed. Not thread-safe.
class ForeignParameters {
 public:
  /// A parameter in the list that is being made.
  struct Made {
    ConfigNode* map = nullptr;  ///< Null: an error was reported.
    std::string path;

    /// Adds a field of the job file's parameter.
    void Add(std::string_view field, const ConfigNode* value) const;
  };
  /// The words of a file for fields of a job file's parameter.
  using Words = std::span<const std::pair<std::string_view, std::string_view>>;

  /// Borrows the job of `file`, and `words`.
  ForeignParameters(const ForeignNode& file, Words words);

  Made AddRange(const ForeignParameter& parameter, const ForeignRange& range);

  /// Adds a parameter with these values, which were computed: in any order,
  /// each once or more.
  Made AddNumbers(const ForeignParameter& parameter, std::vector<double> values,
                  ForeignScale scale = ForeignScale::kLinear);

  /// Adds what the tool rounds to multiples of `step` > 0 after it has drawn
  /// from `range`; `is_cut`: and then cuts at the range's bounds. An error if
  /// these are more than a job file can list.
  Made AddRounded(const ForeignParameter& parameter, const ForeignRange& range,
                  double step, bool is_cut);

  /// Adds a parameter with the values of a list: numbers if all are, else
  /// categories. An error at what is no single value. Of a value that is listed
  /// twice, the second is left out with a note.
  Made AddValues(const ForeignParameter& parameter,
                 const std::vector<const ConfigNode*>& values);
  /// Likewise, but all are numbers, perhaps in quotes. `word` is the list's.
  Made AddNumberList(const ForeignParameter& parameter, const std::string& word,
                     const std::vector<const ConfigNode*>& values,
                     ForeignScale scale);
  /// Likewise, but all are texts, also what looks like a number.
  Made AddTexts(const ForeignParameter& parameter,
                const std::vector<const ConfigNode*>& values);

  /// Adds a parameter of this type of the job file, without values: for a tool
  /// whose rules are its own. It adds them, and counts them.
  Made Begin(const ForeignParameter& parameter, std::string_view type);
  void AddScale(const Made& made, ForeignScale scale);
  void Count(std::size_t values);
  void CountRange(const ForeignParameter& parameter, bool is_whole);

  /// Until Leave, parameters are added below `parent`, for `values` of it, a
  /// list, alone. `condition` is the job file's field for that, such as
  /// "parentCategoricalValues". May be nested.
  void Enter(const Made& parent, std::string_view condition,
             const ConfigNode* values);
  void Leave() { places_.pop_back(); }

  /// Reports the ranges of numbers other than whole ones as errors, since they
  /// have no grid. `remedy` says, in the tool's words, what to write.
  void RefuseRangesInGrid(std::string_view remedy) const;

  /// Reports `space`, which has the parameters, if none of them has two values
  /// or more and nothing else is wrong.
  void RequireChoice(const ForeignNode& space) const;

  /// Puts the list into the job, if it is not empty. `word` is the list's own.
  void PutIntoJob(std::string_view word);

  bool is_empty() const { return places_.front().list->items.empty(); }
  /// One of them has two values or more.
  bool has_choice() const { return has_choice_; }
  /// The number of combinations, at most the 10^6 trials of a job, if each has
  /// a list of values.
  std::optional<std::int64_t> combinations() const { return combinations_; }

 private:
  struct Place {
    ConfigNode* list;
    std::string path;
    // What all parameters there have of their own parent; null: nothing.
    std::string_view condition = "";
    const ConfigNode* values = nullptr;
  };

  // Returns false, after an error, if its name is too long, or if there are too
  // many parameters, which is said once.
  bool Accepts(const ForeignParameter& parameter);

  JobTree* job_;
  Words words_;
  std::vector<Place> places_;
  std::map<const ConfigNode*, ConfigNode*> children_;  // Lists, by parent.
  std::vector<ForeignParameter> continuous_;           // Without a grid.
  int count_ = 0;
  bool has_choice_ = false;
  std::optional<std::int64_t> combinations_ = 1;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_FOREIGN_PARAMETERS_H_
