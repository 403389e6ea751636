#ifndef VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/metrics/printed_number.h"
#include "cluster/metrics/step_mark.h"

namespace vernier {

/// Whether "Loss" is another name than "loss".
enum class LetterCase { kMatters, kDoesNotMatter };

/// What a line says of a metric.
struct PrintedMetric {
  std::optional<double> value;
  /// The value is of another quantity: "best loss=0.1", "target loss: 0.01".
  bool is_other = false;
  /// The value is NaN or infinite as a sentence says it: "loss is nan".
  bool is_sentence = false;
  std::string unit;  ///< UnitOfPrinted of the value.
  /// The word right before the name, in small letters, where it may make the
  /// value another quantity: "cat" of "cat accuracy: 0.9".
  std::string before;
  /// Why a mention that comes behind the value could not be read.
  std::optional<NoValue> miss;
  std::string miss_text;  ///< What stands in the value's place there.
  /// The miss is a mention in prose, which promises no value.
  bool is_prose = false;
};

/// Finds the metric in a line: `name=value` or `name: value`, where the name
/// begins a word ("loss" is not in "val_loss=1"); either may stand in quotes,
/// as in a mapping that Python prints, and the value may be any PrintedValue.
/// So are "loss 0.25" and "loss is 0.25", if the number leaves no doubt (it has
/// a fraction, or nothing but a separator follows), and "Loss for final step:
/// 0.25", if the words between are none that choose a part of the data.
///
/// Of several mentions the last counts, but
/// - "train loss" only if the line has no other one, and
/// - what a word before the name makes another quantity ("best loss", "target
///   val loss", "max: loss"), and what "improved from 0.5 to 0.25" says, only
///   if there is nothing else: is_other.
/// Pure.
PrintedMetric FindPrintedMetric(std::string_view line, std::string_view name,
                                LetterCase letters = LetterCase::kMatters);

/// The value that is all of a line, as in a mapping that is spread over lines:
/// "0.25,". nullopt if there is more. Pure.
std::optional<double> PrintedValueAlone(std::string_view line);

/// What the line has of the form `name=value` or `name: value`, from left to
/// right, at most `most`; names begin with a letter, and words for steps are
/// none. Pure.
std::vector<std::pair<std::string, double>> PrintedPairs(std::string_view line,
                                                         std::size_t most);

/// Where in training a line says that it is: the first whole number after
/// "global_step", else after "step", "iteration", "iter" or "batch", in any
/// case, as in "step=3", "Batch 3/10" and "iter: [3]", and the epoch beside it,
/// which may be a fraction. Else the epoch alone; else the number with which
/// boosting libraries begin a line: "[3]" and, before a tab, "3:". Of unit
/// kNone if there is nothing of it. Pure.
StepMark FindPrintedMark(std::string_view line);

/// The unit that a word stands for, in any letter case; nullopt for other
/// words.
std::optional<StepUnit> UnitOfWord(std::string_view word);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_
