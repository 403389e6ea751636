#ifndef VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Returns the bytes of the number at the beginning of `text`, whatever follows
/// it: decimal, with or without a sign (also U+2212), fraction and exponent, or
/// nan, inf, infinity, U+221E, "1.#QNAN" and the like, in any letter case. 0 if
/// there is none. Pure.
std::size_t PrintedNumberSize(std::string_view text);

/// Returns whether a number as PrintedNumberSize takes it is all of `text`.
/// Pure.
bool IsPrintedNumber(std::string_view text);

/// Returns the number at the beginning of `text`. It may have separators of
/// thousands ("1,234.5", "1,234,567", "1'234", "1_234") and must end where a
/// word ends: before a blank, a closing bracket, a quote, ",", ";", "|", a
/// colon and a blank, a unit ("%", "ms"), a deviation ("+/-", "+0.01"), or a
/// full stop. A share with its percentage, "187/200 (93.5%)", has the value of
/// the percentage. nullopt if there is no such number, as in "0.5k", "1/2",
/// "1,5" and "1,234", if it may be a part of an expression ("1 234.5", "90 /
/// 100", "0.5 -> 0.3", "0.8 - 0.9", "1.2 x 10^-3", "1 min 3 s", "1.2 million"),
/// or if another number follows ("0.5 0.3", "0.5, 0.3"). Pure.
std::optional<double> PrintedNumber(std::string_view text);

/// Returns whether `text` begins with a word that says that there is no number:
/// None, null, N/A, NA, <NA>, #na#, diverged, in any letter case, or "-" or
/// "--". False if the word continues as prose ("none of them"). Pure.
bool SaysNoNumber(std::string_view text);

/// Returns the number at the beginning of `text` in any form in which libraries
/// print one: a PrintedNumber, alone in brackets ("[0.25]"), or within a
/// printed object ("tensor(0.25, device='cuda:0')", "np.float64(0.25)",
/// "Decimal('0.25')", "<tf.Tensor: shape=(), numpy=0.25>"); NaN if it
/// SaysNoNumber. nullopt if there is no number, or more than one ("[0.5 0.3]"),
/// or if the number goes on behind the bracket ("(2.5+/-0.1)e-05"). Pure.
std::optional<double> PrintedValue(std::string_view text);

/// Returns whether a word is a unit that UnitOfPrinted knows: "%", "ms". Pure.
bool IsPrintedUnit(std::string_view word);

/// Returns the unit behind a number, with or without blanks before it: "%" of
/// "93.5 %", "ms" of "12ms, ...", "s" also of "3 seconds"; empty if there is no
/// known one. Pure.
std::string_view UnitOfPrinted(std::string_view text);

/// The kinds of reasons for which a text is no PrintedValue.
enum class NoValue {
  kNothing,       ///< Nothing follows.
  kNoNumber,      ///< "improved".
  kSeveral,       ///< "[0.25, 0.5]".
  kComma,         ///< "0,25".
  kPart,          ///< "1 234.5", "90 / 100".
  kGoesOn,        ///< "1.2k".
  kOtherUnit,     ///< "1.2 s", where values were in "ms".
  kOtherWord,     ///< "cat accuracy", where it was "accuracy" before.
  kSeveralWords,  ///< "top-1 accuracy: 0.5, top-5 accuracy: 0.9".
  kTraining,      ///< "train loss: 0.1", where values of others were before.
  kCounter,       ///< "loss at step: 500".
  kNumberFirst,   ///< "0.9 accuracy 0.2 loss".
  kNoSign,        ///< No = or : stands before it.
  kNoRow,         ///< The name heads a column, and no row follows.
  kOtherLetters   ///< The name is in another letter case.
};

/// Returns why a text is not a PrintedValue.
NoValue WhyNoPrintedValue(std::string_view text);

/// Describes the reason for that text in words: "the number goes on with s".
std::string DescribeNoValue(NoValue why, std::string_view text);

/// Returns the whole number of 64 bits that makes up all of `text`: "3", "003",
/// "3.0", "3e2"; nullopt if it is not one. Pure.
std::optional<std::int64_t> PrintedWholeNumber(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_
