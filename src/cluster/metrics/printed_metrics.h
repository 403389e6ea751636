#ifndef VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/metrics/printed_number.h"

namespace vernier {

/// Says whether "Loss" and "loss" are different names.
enum class LetterCase { kMatters, kDoesNotMatter };

/// The findings about one metric in one line.
struct PrintedMetric {
  std::optional<double> value;
  /// The value is of another quantity: "best loss=0.1", "target loss: 0.01".
  bool is_other = false;
  /// The value is of the training data: "train loss: 0.5".
  bool is_training = false;
  /// The value is NaN or infinite and was stated in a sentence: "loss is nan".
  bool is_sentence = false;
  std::string unit;  ///< UnitOfPrinted of the value.
  /// The word right before the name, in lower case, if it may turn the value
  /// into another quantity: "cat" of "cat accuracy: 0.9", "class 3", "top-5".
  std::string before;
  std::string beside;  ///< A number behind the value: "(0.4)" of "0.5 (0.4)".
  /// The reason why a mention behind the value could not be read.
  std::optional<NoValue> miss;
  std::string miss_text;  ///< What stands in the value's place there.
  /// The miss is a mention in prose, or the name alone on its line (kNothing):
  /// no value has to follow.
  bool is_prose = false;
};

/// Finds the metric in a line: `name=value` or `name: value`, where the name
/// begins a word ("loss" is not in "val_loss=1"). Both may be in quotes, as in
/// a mapping that Python prints, and the value may be any PrintedValue. "loss
/// 0.25" and "loss is 0.25" count, too, if the number is unambiguous (it has a
/// fraction, or is followed by a separator only), and so does "Loss for final
/// step: 0.25", if the words between select no part of the data. A name in
/// brackets stands for the words before it whose initials it has: "Mean
/// Absolute Error (MAE): 0.25".
///
/// Among several mentions the last counts, except that
/// - a value of the training data ("train loss", also "Train - loss: 1, acc: 2"
///   and {"train": {"loss": 1}}) counts only if the line has no other mention,
/// - one of a part ("top-5 accuracy") counts only if the line has none without
///   such a word, and of several parts none does (of "Train/Valid loss:
///   0.1/0.5" the number that is not of the training data counts), and
/// - another quantity ("best loss", "target val loss", "max: loss", and what a
///   line says that begins with "best") and a description of a change
///   ("improved from 0.5 to 0.25") count only if there is nothing else:
///   is_other.
/// Pure.
PrintedMetric FindPrintedMetric(std::string_view line, std::string_view name,
                                LetterCase letters = LetterCase::kMatters);

/// Returns the value if it is all that the line has, as in a mapping that is
/// spread over lines: "0.25,"; else nullopt. Pure.
std::optional<double> PrintedValueAlone(std::string_view line);

/// Returns the pairs `name=value` and `name: value` of a line from left to
/// right, at most `most`. Names begin with a letter; words for steps are left
/// out. Pure.
std::vector<std::pair<std::string, double>> PrintedPairs(std::string_view line,
                                                         std::size_t most);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_
