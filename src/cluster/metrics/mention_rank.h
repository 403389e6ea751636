#ifndef VERNIER_CLUSTER_METRICS_MENTION_RANK_H_
#define VERNIER_CLUSTER_METRICS_MENTION_RANK_H_

#include <string>
#include <string_view>

namespace vernier {

/// The likelihood that a mention of a metric's name in a line means the metric
/// itself: another quantity ("best loss"), a value of the training data, one of
/// a part ("top-5 accuracy"), or a plain mention. Only those of the highest
/// rank count.
enum class MentionRank { kOther, kTraining, kQualified, kPlain };

/// Returns the rank that all words before a name in its line give it; never
/// kQualified, which QualifierOf decides. Looks at the last 400 bytes. Pure.
MentionRank RankOfMention(std::string_view before);

/// Returns whether what stands behind a value says that it is of the training
/// data: " (train)", " on the training set", ", \"split\": \"train\"". Pure.
bool IsLabelledTrainingBehind(std::string_view behind);

/// Returns whether the labels in brackets of a line stand before its values:
/// "[eval] loss 0.5 [train] loss 0.1". Pure.
bool LabelsLead(std::string_view line);

/// Returns the word right before a name, in lower case, if it may turn the name
/// into that of a part or of another quantity; also one that opens a bracket,
/// as in "Model(loss=2)". Else an empty text. Pure.
std::string QualifierOf(std::string_view before);

/// Returns the word and the colon with which a line of several values begins,
/// in lower case and without the colon, if it may turn all of them into those
/// of a part: "loc" of "  LOC: precision: 0.9; recall: 0.8". Else an empty
/// text. Pure.
std::string LeadingQualifier(std::string_view line);

/// Returns whether a word, in lower case, names a part of the data: "val",
/// "train_set". Pure.
bool IsDataWord(std::string_view word);

/// Returns whether a word, in lower case, begins the name of the training data:
/// "train", "training", "trn". Pure.
bool IsTrainingWord(std::string_view word);

/// Returns whether what stands under a key, in lower case, is no result of the
/// last epoch: "best_metrics", "previous", "config", "weights". Pure.
bool IsKeyOfOthers(std::string_view key);

/// Returns whether a word names a part of the data or a mean over it: "val",
/// "train_set's", "val/test", "avg". `word` is in lower case. Pure.
bool IsSetWord(std::string_view word);

/// Returns whether a metric's name says of which data it is: "val_loss". Pure.
bool NamesASet(std::string_view name);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_MENTION_RANK_H_
