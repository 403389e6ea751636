#ifndef VERNIER_CLUSTER_METRICS_PRINTED_SECTION_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_SECTION_H_

#include <cstddef>
#include <string_view>

namespace vernier {

/// The values that a section of an output has.
enum class SectionKind {
  kMeasured,  ///< Those that count; also where there is no section.
  kTraining,  ///< Of the training data.
  kOther      ///< Of the best epoch so far, settings and the like.
};

/// Says, line by line, in which kind of section an output is:
///
///   ***** train metrics *****      "train": {         best:
///     f1 = 0.99                      "acc": 0.99        acc: 0.99
///
/// A section begins with a line that has only words for a part of the data
/// ("train", "test set") and for results ("metrics", "report"), or ends with
/// them ("INFO - Epoch 3 - Train metrics:"), or that opens a mapping under such
/// a word or a key of others ("best", "config"). Below the heading "best:" the
/// lines must be indented. That of a mapping ends where the mapping does.
/// Another one ends at the next heading, at a line that is indented less than
/// the section's first one, after kMostSectionLines lines, and at a line that
/// states a step and something else: a heading such as "Training" may begin a
/// phase of the program, which measures other data in between.
/// Thread-compatible.
class PrintedSection {
 public:
  /// Takes the next line. Returns the kind of section that it belongs to.
  SectionKind Take(std::string_view line);

 private:
  void Begin(std::string_view line, SectionKind kind, bool is_mapping);
  bool Ends(std::string_view line);

  SectionKind kind_ = SectionKind::kMeasured;
  bool is_mapping_ = false;
  int depth_ = 0;                // Of the mapping's brackets.
  std::size_t heading_ = 0;      // Its indentation.
  bool is_first_ = false;        // No line has followed the heading.
  std::size_t indentation_ = 0;  // Of the section's first line.
  int lines_ = 0;
};

inline constexpr int kMostSectionLines = 100;

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_SECTION_H_
