#include "study/constraint_parser.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/find_by_name.h"
#include "study/parameter_range.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

// A constraint is normalised to a conjunction of clauses, each a disjunction of
// comparisons with 0. A chain (a <= b < c) becomes one clause for each of its
// comparisons, alternatives ("or") become one clause, and "not (a and b)"
// becomes the clause of the negations (De Morgan). Interval arithmetic over the
// bounds of the parameters rejects comparisons that can never hold, or never
// fail.

constexpr std::size_t kMostBytes = 1024;
constexpr std::size_t kMostParts = 64;
constexpr int kMostDepth = 16;  // The parser recurs, so it bounds the stack.

// True for a character with which a name or a word continues.
bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }

bool IsNumeric(const ParameterSpec& spec) {
  return spec.type != ParameterType::kCategorical;
}

struct Linear {
  std::vector<WeightedParameter> terms;
  double constant = 0;

  void Add(double factor, const Linear& other) {
    for (const WeightedParameter& term : other.terms) {
      const auto same = std::find_if(terms.begin(), terms.end(),
                                     [&](const WeightedParameter& each) {
                                       return each.parameter == term.parameter;
                                     });
      if (same == terms.end()) {
        terms.push_back({term.parameter, factor * term.weight});
      } else {
        same->weight += factor * term.weight;
      }
    }
    constant += factor * other.constant;
  }

  void MultiplyBy(double factor) {
    for (WeightedParameter& term : terms) term.weight *= factor;
    constant *= factor;
  }
};

enum class Relation { kAtMost, kBelow, kAtLeast, kAbove, kEqual, kNotEqual };

// Returns `left` relation `right` as a comparison of their difference with 0.
ParameterComparison Compare(const Linear& left, Relation relation,
                            const Linear& right) {
  const bool is_turned =
      relation == Relation::kAtLeast || relation == Relation::kAbove;
  Linear difference = is_turned ? right : left;
  difference.Add(-1, is_turned ? left : right);
  ParameterComparison comparison;
  for (WeightedParameter& term : difference.terms) {
    if (term.weight != 0) comparison.terms.push_back(std::move(term));
  }
  std::sort(comparison.terms.begin(), comparison.terms.end(),
            [](const WeightedParameter& a, const WeightedParameter& b) {
              return a.parameter < b.parameter;
            });
  comparison.constant = difference.constant == 0 ? 0 : difference.constant;
  switch (relation) {
    case Relation::kAtMost:
    case Relation::kAtLeast:
      comparison.sign = ComparisonSign::kAtMost;
      break;
    case Relation::kBelow:
    case Relation::kAbove:
      comparison.sign = ComparisonSign::kBelow;
      break;
    case Relation::kEqual:
      comparison.sign = ComparisonSign::kEqual;
      break;
    case Relation::kNotEqual:
      comparison.sign = ComparisonSign::kNotEqual;
      break;
  }
  return comparison;
}

// The possible results of a comparison within the bounds.
struct Possibilities {
  bool may_hold = true;
  bool may_fail = true;
};

Possibilities PossibilitiesOf(ComparisonSign sign, const RoundedSum& lowest,
                              const RoundedSum& highest) {
  switch (sign) {
    case ComparisonSign::kAtMost:
    case ComparisonSign::kBelow:
      return {lowest.Compares(sign), !highest.Compares(sign)};
    case ComparisonSign::kEqual:
    case ComparisonSign::kNotEqual: {
      const bool may_be_0 = lowest.Compares(ComparisonSign::kAtMost) &&
                            !highest.Compares(ComparisonSign::kBelow);
      const bool is_0 = lowest.Compares(ComparisonSign::kEqual) &&
                        highest.Compares(ComparisonSign::kEqual);
      return sign == ComparisonSign::kEqual ? Possibilities{may_be_0, !is_0}
                                            : Possibilities{!is_0, may_be_0};
    }
  }
  return {};
}

/// Recursive descent over one constraint.
class ConstraintParser {
 public:
  ConstraintParser(std::string_view text,
                   const std::vector<ParameterSpec>& space)
      : text_(text), space_(space) {}

  absl::StatusOr<ParameterConstraint> Parse() {
    if (text_.size() > kMostBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("a constraint must have at most ", kMostBytes,
                       " bytes: it has ", text_.size()));
    }
    SkipSpace();
    if (AtEnd()) return Error("expected a constraint");
    ParameterConstraint constraint;
    constraint.text = std::string(text_);
    if (TakeWord("not")) {
      VERNIER_ASSIGN_OR_RETURN(ComparisonClause clause, ParseForbidden());
      constraint.clauses.push_back(std::move(clause));
    } else {
      VERNIER_ASSIGN_OR_RETURN(constraint.clauses, ParseRequired());
    }
    VERNIER_RETURN_IF_ERROR(CheckActiveTogether());
    return constraint;
  }

 private:
  // A comparison and its position in the text.
  struct Placed {
    ParameterComparison comparison;
    std::size_t begin = 0;
  };

  bool AtEnd() const { return position_ >= text_.size(); }
  char Here() const { return AtEnd() ? '\0' : text_[position_]; }
  void SkipSpace() {
    while (!AtEnd() && IsSpace(text_[position_])) ++position_;
  }

  absl::Status ErrorAt(std::size_t position, const std::string& what) const {
    return absl::InvalidArgumentError(
        absl::StrCat("constraint \"", ShowText(text_), "\", character ",
                     position + 1, ": ", what));
  }
  absl::Status Error(const std::string& what) const {
    return ErrorAt(position_, what);
  }

  // Takes `word`, in small or capital letters, if it stands here on its own.
  bool TakeWord(std::string_view word) {
    const std::string_view here = text_.substr(position_, word.size());
    if (!absl::EqualsIgnoreCase({here.data(), here.size()},
                                {word.data(), word.size()})) {
      return false;
    }
    const std::size_t end = position_ + word.size();
    if (end < text_.size() && IsWordCharacter(text_[end])) return false;
    position_ = end;
    SkipSpace();
    return true;
  }

  bool Take(char c) {
    if (Here() != c || AtEnd()) return false;
    ++position_;
    SkipSpace();
    return true;
  }

  // Parses the rest of a constraint after "not".
  absl::StatusOr<ComparisonClause> ParseForbidden() {
    const bool has_parentheses = Take('(');
    ComparisonClause clause;
    do {
      VERNIER_ASSIGN_OR_RETURN(const std::vector<Placed> chain, ParseChain());
      for (const Placed& each : chain) {
        VERNIER_RETURN_IF_ERROR(CheckMayHold(each));
        clause.push_back(NegationOf(each.comparison));
      }
    } while (has_parentheses && TakeWord("and"));
    if (TakeWord("or")) {
      return Error(
          "a forbidden combination is joined by \"and\": write what follows "
          "\"or\" as a constraint of its own");
    }
    if (has_parentheses && !Take(')')) {
      return Error("expected \"and\" or \")\"");
    }
    if (AtEnd()) return clause;
    return Error(has_parentheses
                     ? "expected the end: nothing follows \"not (...)\""
                     : "expected the end: a combination of several stands "
                       "between parentheses, \"not (... and ...)\"");
  }

  // Parses a comparison, several in a chain, or alternatives.
  absl::StatusOr<std::vector<ComparisonClause>> ParseRequired() {
    VERNIER_ASSIGN_OR_RETURN(const std::vector<Placed> first, ParseChain());
    ComparisonClause alternatives;
    if (!TakeWord("or")) return AllOf(first);
    VERNIER_RETURN_IF_ERROR(AddAlternative(first, &alternatives));
    do {
      VERNIER_ASSIGN_OR_RETURN(const std::vector<Placed> next, ParseChain());
      VERNIER_RETURN_IF_ERROR(AddAlternative(next, &alternatives));
    } while (TakeWord("or"));
    if (!AtEnd()) return Error("expected \"or\" or the end");
    return std::vector<ComparisonClause>{std::move(alternatives)};
  }

  absl::StatusOr<std::vector<ComparisonClause>> AllOf(
      const std::vector<Placed>& chain) {
    if (TakeWord("and")) {
      return Error(
          "conditions that must all hold are constraints of their own; \"and\" "
          "stands in \"not (... and ...)\" alone");
    }
    if (!AtEnd()) {
      return Error("expected an operator, a comparison, \"or\" or the end");
    }
    std::vector<ComparisonClause> clauses;
    for (const Placed& each : chain) {
      VERNIER_RETURN_IF_ERROR(CheckIsNoEquation(each));
      VERNIER_RETURN_IF_ERROR(CheckMayHold(each));
      clauses.push_back({each.comparison});
    }
    return clauses;
  }

  absl::Status AddAlternative(const std::vector<Placed>& chain,
                              ComparisonClause* alternatives) const {
    const Placed& placed = chain.front();
    if (chain.size() > 1) {
      return ErrorAt(placed.begin,
                     "an alternative is one comparison, not a chain");
    }
    VERNIER_RETURN_IF_ERROR(CheckMayHold(placed));
    if (!PossibilitiesOf(placed.comparison).may_fail) {
      return ErrorAt(placed.begin,
                     "always holds within the bounds, so that nothing is asked "
                     "of the other alternatives");
    }
    alternatives->push_back(placed.comparison);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Placed>> ParseChain() {
    std::vector<Placed> chain;
    SkipSpace();
    const std::size_t begin = position_;
    if (const std::optional<std::string> name = PeekCategorical()) {
      VERNIER_ASSIGN_OR_RETURN(ParameterComparison comparison,
                               ParseCategory(*name));
      chain.push_back({std::move(comparison), begin});
      return chain;
    }
    VERNIER_ASSIGN_OR_RETURN(Linear left, ParseSum());
    std::optional<Relation> relation = TakeRelation();
    if (!relation.has_value()) {
      return Error("expected one of <= >= < > = !=");
    }
    while (relation.has_value()) {
      VERNIER_ASSIGN_OR_RETURN(Linear right, ParseSum());
      Placed placed{Compare(left, *relation, right), begin};
      VERNIER_RETURN_IF_ERROR(CheckSum(placed));
      chain.push_back(std::move(placed));
      left = std::move(right);
      relation = TakeRelation();
    }
    return chain;
  }

  std::optional<Relation> TakeRelation() {
    static constexpr std::pair<std::string_view, Relation> kRelations[] = {
        {"<=", Relation::kAtMost}, {">=", Relation::kAtLeast},
        {"==", Relation::kEqual},  {"!=", Relation::kNotEqual},
        {"<", Relation::kBelow},   {">", Relation::kAbove},
        {"=", Relation::kEqual}};
    for (const auto& [sign, relation] : kRelations) {
      if (text_.substr(position_, sign.size()) != sign) continue;
      position_ += sign.size();
      SkipSpace();
      return relation;
    }
    return std::nullopt;
  }

  absl::Status CountPart() {
    if (++num_parts_ <= kMostParts) return absl::OkStatus();
    return Error(absl::StrCat("has more than ", kMostParts,
                              " terms: split it into several constraints"));
  }

  absl::StatusOr<Linear> ParseSum() {
    if (++depth_ > kMostDepth) {
      return Error(
          absl::StrCat("is nested deeper than ", kMostDepth, " parentheses"));
    }
    VERNIER_ASSIGN_OR_RETURN(Linear sum, ParseProduct());
    while (Here() == '+' || Here() == '-') {
      const double sign = Here() == '+' ? 1 : -1;
      Take(Here());
      VERNIER_ASSIGN_OR_RETURN(const Linear term, ParseProduct());
      sum.Add(sign, term);
    }
    --depth_;
    return sum;
  }

  absl::StatusOr<Linear> ParseProduct() {
    VERNIER_ASSIGN_OR_RETURN(Linear product, ParseFactor());
    while (Here() == '*' || Here() == '/') {
      const std::size_t begin = position_;
      const bool is_division = Here() == '/';
      if (text_.substr(position_, 2) == "**") {
        return Error("only sums of numbers times parameters are possible");
      }
      Take(Here());
      VERNIER_ASSIGN_OR_RETURN(Linear factor, ParseFactor());
      if (is_division) {
        VERNIER_RETURN_IF_ERROR(Divide(factor, begin, &product));
        continue;
      }
      if (!product.terms.empty() && !factor.terms.empty()) {
        return ErrorAt(begin,
                       "two parameters are multiplied: only sums of numbers "
                       "times parameters are possible");
      }
      if (product.terms.empty()) std::swap(product, factor);
      product.MultiplyBy(factor.constant);
    }
    return product;
  }

  absl::Status Divide(const Linear& divisor, std::size_t begin,
                      Linear* sum) const {
    if (!divisor.terms.empty()) {
      return ErrorAt(begin,
                     "a parameter is no divisor: only sums of numbers times "
                     "parameters are possible");
    }
    if (divisor.constant == 0) return ErrorAt(begin, "divides by 0");
    for (WeightedParameter& term : sum->terms) term.weight /= divisor.constant;
    sum->constant /= divisor.constant;
    return absl::OkStatus();
  }

  absl::StatusOr<Linear> ParseFactor() {
    double sign = 1;
    while (Here() == '+' || Here() == '-') {
      if (Here() == '-') sign = -sign;
      Take(Here());
    }
    VERNIER_ASSIGN_OR_RETURN(Linear factor, ParseUnsignedFactor());
    factor.MultiplyBy(sign);
    return factor;
  }

  absl::StatusOr<Linear> ParseUnsignedFactor() {
    VERNIER_RETURN_IF_ERROR(CountPart());
    if (Take('(')) {
      VERNIER_ASSIGN_OR_RETURN(Linear sum, ParseSum());
      if (!Take(')')) return Error("expected \")\"");
      return sum;
    }
    if (std::isdigit(static_cast<unsigned char>(Here())) || Here() == '.') {
      return ParseNumberHere();
    }
    const std::size_t begin = position_;
    VERNIER_ASSIGN_OR_RETURN(const std::string name, TakeName());
    for (const ParameterSpec& spec : space_) {
      if (spec.name != name || IsNumeric(spec)) continue;
      return ErrorAt(begin, absl::StrCat("\"", name,
                                         "\" is CATEGORICAL, and its values "
                                         "are no numbers"));
    }
    names_.insert(name);
    return Linear{{{name, 1}}, 0};
  }

  absl::StatusOr<Linear> ParseNumberHere() {
    std::size_t end = position_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) ||
            text_[end] == '.' ||
            ((text_[end] == '+' || text_[end] == '-') &&
             (text_[end - 1] == 'e' || text_[end - 1] == 'E')))) {
      ++end;
    }
    const std::string_view word = text_.substr(position_, end - position_);
    const ParsedNumber number = ParseNumber(word);
    if (number.problem != NumberProblem::kNone) {
      return Error(absl::StrCat("\"", ShowText(word),
                                "\" is no number; a product has a \"*\", and a "
                                "name that begins with a digit has quotes"));
    }
    position_ = end;
    SkipSpace();
    return Linear{{}, number.value};
  }

  // Takes a quoted text, if one begins here.
  absl::StatusOr<std::optional<std::string>> TakeQuoted() {
    const char quote = Here();
    if (quote != '"' && quote != '\'') return std::nullopt;
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) return Error("this quote has no end");
    std::string quoted(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    SkipSpace();
    return quoted;
  }

  // Returns the longest parameter name of the space that stands here; empty:
  // none.
  std::string_view KnownNameHere() const {
    std::string_view longest;
    for (const ParameterSpec& spec : space_) {
      const std::string_view name = spec.name;
      if (name.size() <= longest.size() ||
          text_.substr(position_, name.size()) != name) {
        continue;
      }
      const std::size_t end = position_ + name.size();
      if (end < text_.size() && IsWordCharacter(name.back()) &&
          IsWordCharacter(text_[end])) {
        continue;
      }
      longest = name;
    }
    return longest;
  }

  absl::StatusOr<std::string> TakeName() {
    const std::size_t begin = position_;
    VERNIER_ASSIGN_OR_RETURN(std::optional<std::string> quoted, TakeQuoted());
    if (!quoted.has_value()) {
      const std::string_view known = KnownNameHere();
      if (!known.empty()) {
        position_ += known.size();
        SkipSpace();
        return std::string(known);
      }
      std::size_t end = position_;
      while (end < text_.size() &&
             (IsWordCharacter(text_[end]) || text_[end] == '.')) {
        ++end;
      }
      if (end == begin) {
        return Error("expected a number or the name of a parameter");
      }
      quoted = std::string(text_.substr(begin, end - begin));
      position_ = end;
    }
    std::vector<std::string_view> names;
    for (const ParameterSpec& spec : space_) names.push_back(spec.name);
    if (std::find(names.begin(), names.end(), *quoted) == names.end()) {
      return ErrorAt(
          begin, absl::StrCat("no parameter is called \"", ShowText(*quoted),
                              "\"", DidYouMean(*quoted, names)));
    }
    SkipSpace();
    return *std::move(quoted);
  }

  // Returns the name of a CATEGORICAL parameter, if it stands here before a
  // sign.
  std::optional<std::string> PeekCategorical() {
    const std::size_t here = position_;
    absl::StatusOr<std::string> name = TakeName();
    position_ = here;
    if (!name.ok()) return std::nullopt;
    for (const ParameterSpec& spec : space_) {
      if (spec.name == *name && !IsNumeric(spec)) return *std::move(name);
    }
    return std::nullopt;
  }

  absl::StatusOr<ParameterComparison> ParseCategory(const std::string& name) {
    VERNIER_RETURN_IF_ERROR(CountPart());
    VERNIER_RETURN_IF_ERROR(TakeName().status());
    const std::size_t sign = position_;
    const std::optional<Relation> relation = TakeRelation();
    if (relation != Relation::kEqual && relation != Relation::kNotEqual) {
      return ErrorAt(sign, absl::StrCat("\"", name,
                                        "\" is CATEGORICAL and compares by = "
                                        "and != alone"));
    }
    const std::size_t begin = position_;
    VERNIER_ASSIGN_OR_RETURN(std::optional<std::string> text, TakeQuoted());
    if (!text.has_value()) {
      std::size_t end = begin;
      while (end < text_.size() && !IsSpace(text_[end]) && text_[end] != ')') {
        ++end;
      }
      if (end == begin) return Error("expected a category");
      text = std::string(text_.substr(begin, end - begin));
      position_ = end;
      SkipSpace();
    }
    ParameterComparison comparison;
    comparison.sign = *relation == Relation::kEqual ? ComparisonSign::kEqual
                                                    : ComparisonSign::kNotEqual;
    comparison.parameter = name;
    std::vector<std::string_view> known;
    for (const ParameterSpec& spec : space_) {
      if (spec.name != name) continue;
      if (const auto value = ValueOf(spec, *text)) {
        comparison.category = std::get<std::string>(*value);
        names_.insert(name);
        return comparison;
      }
      known.insert(known.end(), spec.categorical_values.begin(),
                   spec.categorical_values.end());
    }
    return ErrorAt(
        begin,
        absl::StrCat("\"", name, "\" has no value \"", ShowText(*text), "\"",
                     DidYouMean(*text, known), "; it is ", DescribeSpec(name)));
  }

  std::string DescribeSpec(const std::string& name) const {
    const ParameterSpec* const spec = FindByName(space_, name);
    return spec == nullptr ? "" : DescribeValues(*spec);
  }

  // Returns the lowest and the highest value of a sum within the bounds.
  std::pair<RoundedSum, RoundedSum> BoundsOf(
      const ParameterComparison& comparison) const {
    RoundedSum lowest;
    RoundedSum highest;
    for (const WeightedParameter& term : comparison.terms) {
      std::optional<std::pair<double, double>> range;
      for (const ParameterSpec& spec : space_) {
        if (spec.name != term.parameter || !IsNumeric(spec)) continue;
        if (!range.has_value()) range = {LowestOf(spec), HighestOf(spec)};
        range->first = std::min(range->first, LowestOf(spec));
        range->second = std::max(range->second, HighestOf(spec));
      }
      lowest.Add(term.weight, term.weight > 0 ? range->first : range->second);
      highest.Add(term.weight, term.weight > 0 ? range->second : range->first);
    }
    lowest.Add(1, comparison.constant);
    highest.Add(1, comparison.constant);
    return {lowest, highest};
  }

  Possibilities PossibilitiesOf(const ParameterComparison& comparison) const {
    if (!comparison.terms.empty()) {
      const auto [lowest, highest] = BoundsOf(comparison);
      Possibilities found =
          vernier::PossibilitiesOf(comparison.sign, lowest, highest);
      if (comparison.terms.size() == 1 && !MayBeRoot(comparison)) {
        if (comparison.sign == ComparisonSign::kEqual) found.may_hold = false;
        if (comparison.sign == ComparisonSign::kNotEqual) {
          found.may_fail = false;
        }
      }
      return found;
    }
    const bool is_only = std::all_of(
        space_.begin(), space_.end(), [&](const ParameterSpec& spec) {
          return spec.name != comparison.parameter ||
                 spec.categorical_values.size() == 1;
        });
    return comparison.sign == ComparisonSign::kEqual
               ? Possibilities{true, !is_only}
               : Possibilities{!is_only, true};
  }

  // True if some value of the one parameter makes the sum 0.
  bool MayBeRoot(const ParameterComparison& comparison) const {
    const WeightedParameter& term = comparison.terms.front();
    const double root = -comparison.constant / term.weight;
    return std::any_of(
        space_.begin(), space_.end(), [&](const ParameterSpec& spec) {
          if (spec.name != term.parameter) return false;
          if (spec.type == ParameterType::kDouble) return true;
          if (spec.type == ParameterType::kInteger) {
            return std::fabs(root - std::round(root)) <
                   1e-9 * std::max(1.0, std::fabs(root));
          }
          return std::any_of(spec.discrete_values.begin(),
                             spec.discrete_values.end(), [&](double value) {
                               RoundedSum sum;
                               sum.Add(term.weight, value);
                               sum.Add(1, comparison.constant);
                               return sum.Compares(ComparisonSign::kEqual);
                             });
        });
  }

  absl::Status CheckSum(const Placed& placed) const {
    const ParameterComparison& comparison = placed.comparison;
    if (comparison.terms.empty()) {
      return ErrorAt(placed.begin,
                     "compares numbers alone: no parameter is left in it");
    }
    const auto [lowest, highest] = BoundsOf(comparison);
    if (std::isfinite(lowest.value) && std::isfinite(highest.value)) {
      return absl::OkStatus();
    }
    return ErrorAt(placed.begin, "its numbers are too large to be added");
  }

  absl::Status CheckMayHold(const Placed& placed) const {
    const ParameterComparison& comparison = placed.comparison;
    if (PossibilitiesOf(comparison).may_hold) return absl::OkStatus();
    if (comparison.terms.empty()) {
      return ErrorAt(placed.begin,
                     absl::StrCat("is never true: \"", comparison.parameter,
                                  "\" has no other value"));
    }
    std::string names;
    for (const WeightedParameter& term : comparison.terms) {
      absl::StrAppend(&names, names.empty() ? "\"" : " and \"", term.parameter,
                      "\" is ", DescribeSpec(term.parameter));
    }
    return ErrorAt(placed.begin, absl::StrCat("is never true: ", names));
  }

  absl::Status CheckIsNoEquation(const Placed& placed) const {
    if (placed.comparison.sign != ComparisonSign::kEqual) {
      return absl::OkStatus();
    }
    return ErrorAt(
        placed.begin,
        placed.comparison.terms.empty()
            ? "asks for one category alone: give the parameter that value, or "
              "write \"not (...)\" to forbid it"
            : "is an equation, which leaves a parameter without a choice: "
              "compute it in the program, or write two inequalities, <= and "
              ">=");
  }

  absl::Status CheckActiveTogether() const {
    for (auto first = names_.begin(); first != names_.end(); ++first) {
      for (auto second = std::next(first); second != names_.end(); ++second) {
        if (MayBeActiveTogether(*first, *second)) continue;
        return absl::InvalidArgumentError(absl::StrCat(
            "constraint \"", ShowText(text_), "\": \"", *first, "\" and \"",
            *second, "\" are never active together, so that it never applies"));
      }
    }
    return absl::OkStatus();
  }

  bool MayBeActiveTogether(const std::string& first,
                           const std::string& second) const {
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (space_[i].name != first) continue;
      for (std::size_t k = 0; k < space_.size(); ++k) {
        if (space_[k].name == second && !AreExclusive(space_, i, k)) {
          return true;
        }
      }
    }
    return false;
  }

  const std::string_view text_;
  const std::vector<ParameterSpec>& space_;
  std::size_t position_ = 0;
  std::size_t num_parts_ = 0;
  int depth_ = 0;
  std::set<std::string> names_;
};

}  // namespace

absl::StatusOr<ParameterConstraint> ParseParameterConstraint(
    std::string_view text, const std::vector<ParameterSpec>& space) {
  return ConstraintParser(text, space).Parse();
}

absl::StatusOr<std::vector<ParameterConstraint>> ParseParameterConstraints(
    const std::vector<std::string>& texts,
    const std::vector<ParameterSpec>& space) {
  if (texts.size() > kMostParameterConstraints) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be at most ", kMostParameterConstraints,
                     " constraints between parameters: ", texts.size()));
  }
  std::vector<ParameterConstraint> constraints;
  for (const std::string& text : texts) {
    VERNIER_ASSIGN_OR_RETURN(ParameterConstraint constraint,
                             ParseParameterConstraint(text, space));
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

}  // namespace vernier
