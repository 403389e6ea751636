#include "trials/filters/filter_expression.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"

namespace vernier {
namespace {

// The parser and MatchesNode are recursive, and both limits bound their stack.
constexpr std::size_t kMaxLength = 4096;
constexpr int kMaxDepth = 50;

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }

}  // namespace

/// Parses the text of one filter by recursive descent: an OR of ANDs of terms,
/// where a term is a comparison, a negated term or a filter in parentheses.
/// Nodes lie in one vector, and refer to each other by their positions.
class FilterParser {
 public:
  explicit FilterParser(std::string_view text) : text_(text) {}

  absl::StatusOr<FilterExpression> Parse() {
    SkipSpace();
    if (AtEnd()) {
      filter_.nodes_.push_back({});
      return std::move(filter_);
    }
    VERNIER_ASSIGN_OR_RETURN(filter_.root_, ParseOr());
    if (!AtEnd()) return Error("expected AND, OR or the end");
    return std::move(filter_);
  }

 private:
  using Node = FilterExpression::Node;
  using Kind = FilterExpression::Kind;
  using Operator = FilterExpression::Operator;

  bool AtEnd() const { return position_ >= text_.size(); }
  void SkipSpace() {
    while (!AtEnd() && IsSpace(text_[position_])) ++position_;
  }

  absl::Status Error(const std::string& what) const {
    return absl::InvalidArgumentError(absl::StrCat(
        "filter, character ", position_ + 1, ": ", what,
        "; a filter is comparisons such as KEY=VALUE, KEY<3 or KEY:PART*, "
        "joined by AND, OR and NOT"));
  }

  /// Takes `word` if it stands here as a whole word.
  bool TakeWord(std::string_view word) {
    if (text_.substr(position_, word.size()) != word) return false;
    const std::size_t end = position_ + word.size();
    if (end < text_.size() && !IsSpace(text_[end]) && text_[end] != '(') {
      return false;
    }
    position_ = end;
    SkipSpace();
    return true;
  }

  std::size_t Add(Node node) {
    filter_.nodes_.push_back(std::move(node));
    return filter_.nodes_.size() - 1;
  }

  absl::StatusOr<std::size_t> ParseOr() {
    VERNIER_ASSIGN_OR_RETURN(std::size_t left, ParseAnd());
    while (TakeWord("OR")) {
      VERNIER_ASSIGN_OR_RETURN(const std::size_t right, ParseAnd());
      left = Add({Kind::kOr, "", Operator::kEq, {}, left, right});
    }
    return left;
  }

  absl::StatusOr<std::size_t> ParseAnd() {
    VERNIER_ASSIGN_OR_RETURN(std::size_t left, ParseTerm());
    while (true) {
      const bool joined = TakeWord("AND");
      if (!joined && (AtEnd() || text_[position_] == ')' || StartsOr())) {
        return left;
      }
      VERNIER_ASSIGN_OR_RETURN(const std::size_t right, ParseTerm());
      left = Add({Kind::kAnd, "", Operator::kEq, {}, left, right});
    }
  }

  bool StartsOr() {
    const std::size_t here = position_;
    const bool is_or = TakeWord("OR");
    position_ = here;
    return is_or;
  }

  absl::StatusOr<std::size_t> ParseTerm() {
    if (++depth_ > kMaxDepth) return Error("nested too deeply (50 levels)");
    absl::StatusOr<std::size_t> term = ParseTermHere();
    --depth_;
    return term;
  }

  absl::StatusOr<std::size_t> ParseTermHere() {
    bool negated = TakeWord("NOT");
    if (!negated && !AtEnd() && text_[position_] == '-') {
      negated = true;
      ++position_;
    }
    if (negated) {
      VERNIER_ASSIGN_OR_RETURN(const std::size_t inner, ParseTerm());
      return Add({Kind::kNot, "", Operator::kEq, {}, inner, 0});
    }
    if (AtEnd() || text_[position_] != '(') return ParseComparison();
    ++position_;
    SkipSpace();
    VERNIER_ASSIGN_OR_RETURN(const std::size_t inner, ParseOr());
    if (AtEnd() || text_[position_] != ')') return Error("expected )");
    ++position_;
    SkipSpace();
    return inner;
  }

  absl::StatusOr<std::size_t> ParseComparison() {
    Node node;
    node.kind = Kind::kCompare;
    VERNIER_ASSIGN_OR_RETURN(node.key, ParseText("=!<>:() \t\r\n", "a key"));
    SkipSpace();
    VERNIER_ASSIGN_OR_RETURN(node.op, ParseOperator());
    SkipSpace();
    node.begin = position_;
    VERNIER_ASSIGN_OR_RETURN(std::string operand,
                             ParseText(") \t\r\n", "a value"));
    node.end = position_;
    node.operand = FilterOperand(std::move(operand));
    SkipSpace();
    filter_.keys_.push_back(node.key);
    return Add(std::move(node));
  }

  absl::StatusOr<Operator> ParseOperator() {
    static constexpr std::pair<std::string_view, Operator> kOperators[] = {
        {"!=", Operator::kNe}, {"<=", Operator::kLe}, {">=", Operator::kGe},
        {"<", Operator::kLt},  {">", Operator::kGt},  {"=", Operator::kEq},
        {":", Operator::kHas}};
    for (const auto& [name, op] : kOperators) {
      if (text_.substr(position_, name.size()) == name) {
        position_ += name.size();
        return op;
      }
    }
    return Error("expected one of = != < <= > >= :");
  }

  /// A quoted text, or everything up to one of `ends`.
  absl::StatusOr<std::string> ParseText(std::string_view ends,
                                        const std::string& what) {
    if (!AtEnd() && (text_[position_] == '"' || text_[position_] == '\'')) {
      const char quote = text_[position_];
      const std::size_t end = text_.find(quote, position_ + 1);
      if (end == std::string_view::npos) return Error("this quote has no end");
      std::string quoted(text_.substr(position_ + 1, end - position_ - 1));
      position_ = end + 1;
      return quoted;
    }
    std::size_t end = text_.find_first_of(ends, position_);
    if (end == std::string_view::npos) end = text_.size();
    if (end == position_) return Error(absl::StrCat("expected ", what));
    std::string plain(text_.substr(position_, end - position_));
    position_ = end;
    return plain;
  }

  const std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = 0;
  FilterExpression filter_;
};

absl::StatusOr<FilterExpression> FilterExpression::Parse(
    std::string_view text) {
  if (text.size() > kMaxLength) {
    return absl::InvalidArgumentError(absl::StrCat(
        "filter must be at most ", kMaxLength, " bytes: ", text.size()));
  }
  return FilterParser(text).Parse();
}

void FilterExpression::MapOperands(
    const std::string& key,
    const std::function<std::optional<std::string>(const std::string&)>&
        replace) {
  for (Node& node : nodes_) {
    if (node.kind != Kind::kCompare || node.key != key ||
        node.op == Operator::kHas) {
      continue;
    }
    if (auto operand = replace(node.operand.text)) {
      node.operand = FilterOperand(*std::move(operand));
    }
  }
}

bool FilterExpression::ComparesText(const std::string& key) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    if (node.kind != Kind::kCompare || node.key != key) return false;
    return node.op == Operator::kHas ? node.operand.text != "*"
                                     : !node.operand.number.has_value();
  });
}

bool FilterExpression::Matches(
    const std::function<std::optional<FilterValue>(const std::string&)>& lookup)
    const {
  return nodes_.empty() || MatchesNode(root_, lookup);
}

bool FilterExpression::MatchesNode(
    std::size_t index,
    const std::function<std::optional<FilterValue>(const std::string&)>& lookup)
    const {
  const Node& node = nodes_[index];
  switch (node.kind) {
    case Kind::kAll:
      return true;
    case Kind::kCompare:
      return FitsAny(lookup(node.key), node);
    case Kind::kAnd:
      return MatchesNode(node.left, lookup) && MatchesNode(node.right, lookup);
    case Kind::kOr:
      return MatchesNode(node.left, lookup) || MatchesNode(node.right, lookup);
    case Kind::kNot:
      return !MatchesNode(node.left, lookup);
  }
  return false;
}

// A value may have two texts. It is enough that one of them fits, but "!=" has
// to hold for both.
bool FilterExpression::FitsAny(const std::optional<FilterValue>& value,
                               const Node& node) {
  const bool fits = Fits(value, node.op, node.operand);
  if (!value.has_value() || value->also.empty()) return fits;
  const bool fits_also =
      Fits(FilterValue{value->also, std::nullopt, value->ignore_case}, node.op,
           node.operand);
  return node.op == Operator::kNe ? fits && fits_also : fits || fits_also;
}

absl::Status FilterExpression::CheckOperands(
    const std::string& key, const std::vector<std::string>& values,
    bool ignore_case) const {
  for (const Node& node : nodes_) {
    if (node.kind != Kind::kCompare || node.key != key) continue;
    // "!=" with an unknown value selects everything, which nobody means.
    const Operator op = node.op == Operator::kNe ? Operator::kEq : node.op;
    if (op != Operator::kEq && op != Operator::kHas) continue;
    const bool is_known =
        std::any_of(values.begin(), values.end(), [&](const std::string& each) {
          return Fits(FilterValue{each, std::nullopt, ignore_case}, op,
                      node.operand);
        });
    if (is_known) continue;
    const std::vector<std::string_view> names(values.begin(), values.end());
    return absl::InvalidArgumentError(
        absl::StrCat("filter: unknown ", key, " \"", node.operand.text, "\"",
                     DidYouMean(node.operand.text, names), "; known are ",
                     absl::StrJoin(values, ", ")));
  }
  return absl::OkStatus();
}

std::string FilterExpression::WithOperands(
    std::string text, const std::string& key,
    const std::function<std::optional<std::string>(const std::string&)>&
        replace) const {
  // The comparisons are in the order of the text; the last is replaced first,
  // so that the places of the others stay.
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    if (node->kind != Kind::kCompare || node->key != key ||
        node->op == Operator::kHas) {
      continue;
    }
    if (const auto operand = replace(node->operand.text)) {
      text.replace(node->begin, node->end - node->begin, *operand);
    }
  }
  return text;
}

absl::Status FilterExpression::CheckTimes(const std::string& key) const {
  for (const Node& node : nodes_) {
    if (node.kind != Kind::kCompare || node.key != key ||
        node.op == Operator::kHas || node.operand.time.has_value()) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "filter: ", key, " is compared with \"", ShowText(node.operand.text),
        "\", which is no time; write one like ", std::string(kTimeForms)));
  }
  return absl::OkStatus();
}

absl::Status FilterExpression::CheckNumbers(const std::string& key) const {
  for (const Node& node : nodes_) {
    if (node.kind != Kind::kCompare || node.key != key ||
        node.op == Operator::kHas || node.operand.number.has_value()) {
      continue;
    }
    const bool is_doubled = absl::StartsWith(node.operand.text, "=");
    return absl::InvalidArgumentError(absl::StrCat(
        "filter: ", key, " is compared with \"", ShowText(node.operand.text),
        "\", which is no number",
        is_doubled ? "; what is equal is written with one =" : ""));
  }
  return absl::OkStatus();
}

TimeRange FilterExpression::RangeOf(const std::string& key) const {
  return nodes_.empty() ? TimeRange{} : RangeOfNode(root_, key);
}

TimeRange FilterExpression::RangeOfNode(std::size_t index,
                                        const std::string& key) const {
  const Node& node = nodes_[index];
  TimeRange range;
  if (node.kind == Kind::kAnd || node.kind == Kind::kOr) {
    const TimeRange left = RangeOfNode(node.left, key);
    const TimeRange right = RangeOfNode(node.right, key);
    const bool is_and = node.kind == Kind::kAnd;
    range.from = is_and ? std::max(left.from, right.from)
                        : std::min(left.from, right.from);
    range.until = is_and ? std::min(left.until, right.until)
                         : std::max(left.until, right.until);
    return range;
  }
  // Below a NOT the whole of time is a safe answer: it only leaves out less.
  if (node.kind != Kind::kCompare || node.key != key) return range;
  const std::optional<Timestamp>& time = node.operand.time;
  if (!time.has_value()) return range;
  // Bounds are included: one microsecond more does no harm.
  if (node.op == Operator::kEq || node.op == Operator::kGt ||
      node.op == Operator::kGe) {
    range.from = *time;
  }
  if (node.op == Operator::kEq || node.op == Operator::kLt ||
      node.op == Operator::kLe) {
    range.until = *time;
  }
  return range;
}

std::optional<std::string> FilterExpression::RequiredValue(
    const std::string& key) const {
  return nodes_.empty() ? std::nullopt : RequiredOfNode(root_, key);
}

std::optional<std::string> FilterExpression::RequiredOfNode(
    std::size_t index, const std::string& key) const {
  const Node& node = nodes_[index];
  if (node.kind == Kind::kAnd) {
    const auto left = RequiredOfNode(node.left, key);
    return left.has_value() ? left : RequiredOfNode(node.right, key);
  }
  if (node.kind == Kind::kCompare && node.key == key &&
      node.op == Operator::kEq) {
    return node.operand.text;
  }
  return std::nullopt;
}

}  // namespace vernier
