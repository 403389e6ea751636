#ifndef VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace vernier {

/// The number that `text` begins with: decimal, with or without sign, fraction
/// and exponent, or nan, inf or infinity in any case. It ends where a word
/// ends: before a blank, a closing bracket, a quote, ",", ";", "|", "%", or a
/// full stop. nullopt if there is none, as in "0.5s", "1/2" and "1,5". Pure.
std::optional<double> PrintedNumber(std::string_view text);

/// The whole number of 64 bits that all of `text` is: "3", "003", "3.0", "3e2".
/// nullopt if it is none. Pure.
std::optional<std::int64_t> PrintedWholeNumber(std::string_view text);

/// Whether "Loss" is another name than "loss".
enum class LetterCase { kMatters, kDoesNotMatter };

/// The last value of the metric in a line: `name=value` or `name: value`, where
/// the name begins a word ("loss" is not in "val_loss=1"); either may stand in
/// quotes, as in a mapping that Python prints. nullopt if there is none. Pure.
std::optional<double> FindPrintedMetric(
    std::string_view line, std::string_view name,
    LetterCase letters = LetterCase::kMatters);

/// The step that a line is of: the first whole number after "global_step",
/// else after "step", else after "epoch", in any case, as in "step=3",
/// "Epoch 3/10" and "epoch: [3]"; else the number before the first tab in the
/// forms of boosting libraries, "[3]" and "3:". nullopt if there is none. Pure.
std::optional<std::int64_t> FindPrintedStep(std::string_view line);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_METRICS_H_
