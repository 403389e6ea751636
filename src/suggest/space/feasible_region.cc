#include "suggest/space/feasible_region.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/rng.h"
#include "study/parameter_value.h"
#include "suggest/space/decimal_grid.h"
#include "suggest/space/parameter_levels.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::RowVectorXd;

// The largest number of steps of narrowing, each of which reads one term.
constexpr std::int64_t kMostWork = 10'000'000;

constexpr int kPlainDraws = 300;  // Before points are constructed.
constexpr int kTries = 200;
constexpr int kRepairs = 8;             // The nearest one counts.
constexpr int kMostNarrowRounds = 256;  // Before anything is chosen.
constexpr int kMostMoves = 40;
constexpr int kProjectionRounds = 40;

// The fraction of a range that rounding may miss at its ends.
constexpr double kSlip = 1e-12;

// The fractions of the ranges by which later tries keep away from borders.
constexpr double kMargins[] = {0, 1e-7, 0, 1e-5};

// A coarse number has this many digits within its range.
constexpr int kCoarseDigits = 2;

// The step of NumberAt's derivative.
constexpr double kColumnStep = 1e-6;
constexpr double kInside = 1e-9;  // How far inside points are projected.

double NumberOrZero(const ParameterValue& value) {
  return vernier::NumberOf(value).value_or(0);
}

bool IsContinuous(const ParameterSpec& spec) {
  return spec.type == ParameterType::kDouble && spec.min_value < spec.max_value;
}

}  // namespace

FeasibleRegion::FeasibleRegion(
    const std::vector<ParameterSpec>& space,
    const std::vector<ParameterConstraint>& constraints,
    const SearchSpaceEncoding& encoding)
    : space_(space),
      encoding_(encoding),
      clauses_about_(encoding.coordinates().size()) {
  if (constraints.empty()) return;
  coordinate_of_.assign(space.size(), kNoCoordinate);
  for (std::size_t c = 0; c < encoding.coordinates().size(); ++c) {
    for (const std::size_t i : encoding.coordinates()[c].parameters) {
      coordinate_of_[i] = c;
    }
  }
  is_bound_.assign(encoding.coordinates().size(), false);
  const auto term_of = [&](const std::string& name, double weight) {
    Term term{{}, weight};
    for (std::size_t i = 0; i < space.size(); ++i) {
      if (space[i].name != name) continue;
      term.parameters.push_back(i);
      if (coordinate_of_[i] != kNoCoordinate) {
        is_bound_[coordinate_of_[i]] = true;
      }
    }
    return term;
  };
  for (const ParameterConstraint& constraint : constraints) {
    for (const ComparisonClause& comparisons : constraint.clauses) {
      Clause& clause = clauses_.emplace_back();
      for (const ParameterComparison& comparison : comparisons) {
        Literal& literal = clause.emplace_back();
        literal.sign = comparison.sign;
        literal.constant = comparison.constant;
        if (comparison.terms.empty()) {
          literal.category = comparison.category;
          literal.terms.push_back(term_of(comparison.parameter, 1));
        }
        for (const WeightedParameter& term : comparison.terms) {
          literal.terms.push_back(term_of(term.parameter, term.weight));
        }
        for (const Term& term : literal.terms) {
          for (const std::size_t i : term.parameters) {
            literal.has_continuous |= IsContinuous(space[i]);
            if (coordinate_of_[i] == kNoCoordinate) continue;
            clauses_about_[coordinate_of_[i]].push_back(clauses_.size() - 1);
          }
        }
        work_of_narrowing_ += std::ssize(literal.terms);
      }
    }
  }
}

FeasibleRegion::Standing FeasibleRegion::StandingOf(
    const Term& term, const std::vector<Activity>& activity) {
  Standing standing;
  for (const std::size_t i : term.parameters) {
    if (activity[i] == Activity::kActive) return {Activity::kActive, i};
    if (activity[i] == Activity::kUnknown) {
      standing.activity = Activity::kUnknown;
    }
  }
  return standing;
}

// ---- Checking whole rows.

std::vector<FeasibleRegion::Activity> FeasibleRegion::ActivityOf(
    const RowVectorXd& row) const {
  const std::vector<bool> active = encoding_.ActiveParameters(row);
  std::vector<Activity> activity(active.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    activity[i] = active[i] ? Activity::kActive : Activity::kInactive;
  }
  return activity;
}

double FeasibleRegion::NumberOf(std::size_t parameter,
                                const RowVectorXd& row) const {
  const std::size_t c = coordinate_of_[parameter];
  if (c == kNoCoordinate) {
    return NumberOrZero(ValueAtLevel(space_[parameter], 0));
  }
  return NumberOrZero(encoding_.Value(c, row));
}

// Returns nullopt if it names an inactive parameter.
std::optional<bool> FeasibleRegion::Holds(const Literal& literal,
                                          const std::vector<Activity>& activity,
                                          const RowVectorXd& row) const {
  RoundedSum sum;
  for (const Term& term : literal.terms) {
    const Standing standing = StandingOf(term, activity);
    if (standing.activity != Activity::kActive) return std::nullopt;
    if (literal.category.has_value()) {
      const std::size_t c = coordinate_of_[standing.parameter];
      const ParameterValue value =
          c == kNoCoordinate ? ValueAtLevel(space_[standing.parameter], 0)
                             : encoding_.Value(c, row);
      return (std::get<std::string>(value) == *literal.category) ==
             (literal.sign == ComparisonSign::kEqual);
    }
    sum.Add(term.weight, NumberOf(standing.parameter, row));
  }
  sum.Add(1, literal.constant);
  if (!sum.Compares(literal.sign)) return false;
  // Another order of the same sum may round to the other side.
  const bool is_near = literal.sign == ComparisonSign::kAtMost &&
                       literal.has_continuous && sum.value != 0 &&
                       sum.value > -sum.error;
  return !is_near;
}

bool FeasibleRegion::Contains(const RowVectorXd& row) const {
  if (is_whole()) return true;
  const std::vector<Activity> activity = ActivityOf(row);
  return std::all_of(
      clauses_.begin(), clauses_.end(), [&](const Clause& clause) {
        bool holds = false;
        for (const Literal& literal : clause) {
          const std::optional<bool> here = Holds(literal, activity, row);
          if (!here.has_value()) return true;
          holds = holds || *here;
        }
        return holds;
      });
}

// ---- Narrowing.

FeasibleRegion::Range FeasibleRegion::FullRange(std::size_t coordinate) const {
  const ParameterSpec& spec = encoding_.SpecOf(coordinate);
  switch (spec.type) {
    case ParameterType::kCategorical:
      return {0, 0, std::vector<bool>(spec.categorical_values.size(), true)};
    case ParameterType::kDiscrete:
      return {spec.discrete_values.front(), spec.discrete_values.back(), {}};
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      break;
  }
  return {spec.min_value, spec.max_value, {}};
}

FeasibleRegion::Range FeasibleRegion::RangeOf(const Partial& partial,
                                              std::size_t parameter) const {
  const std::size_t c = coordinate_of_[parameter];
  if (c != kNoCoordinate) return partial.ranges[c];
  const double value = NumberOrZero(ValueAtLevel(space_[parameter], 0));
  return {value, value, std::vector<bool>(1, true)};
}

// The space lists parents first, so their activity is known.
void FeasibleRegion::UpdateActivity(Partial* partial) const {
  if (!encoding_.is_conditional()) return;
  const std::vector<bool> active = encoding_.ActiveParameters(partial->row);
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const auto& condition = space_[i].condition;
    if (!condition.has_value()) continue;
    const Activity above = partial->activity[condition->parent];
    const std::size_t c = coordinate_of_[condition->parent];
    if (above == Activity::kInactive) {
      partial->activity[i] = Activity::kInactive;
    } else if (above == Activity::kUnknown ||
               (c != kNoCoordinate && !partial->is_chosen[c])) {
      partial->activity[i] = Activity::kUnknown;
    } else {
      partial->activity[i] =
          active[i] ? Activity::kActive : Activity::kInactive;
    }
  }
}

// Marks the value in `row` as chosen.
void FeasibleRegion::Fix(std::size_t coordinate, Partial* partial) const {
  partial->is_chosen[coordinate] = true;
  Range& range = partial->ranges[coordinate];
  if (encoding_.coordinates()[coordinate].kind ==
      CoordinateKind::kCategorical) {
    const auto level =
        static_cast<std::size_t>(encoding_.Level(coordinate, partial->row));
    std::fill(range.categories.begin(), range.categories.end(), false);
    range.categories[level] = true;
  } else {
    range.low = NumberOrZero(encoding_.Value(coordinate, partial->row));
    range.high = range.low;
  }
  Unsettle(coordinate, partial);
  if (!encoding_.HasChildren(coordinate)) return;
  UpdateActivity(partial);
  partial->is_settled.assign(clauses_.size(), false);
}

FeasibleRegion::Truth FeasibleRegion::TruthOf(const Literal& literal,
                                              const Partial& partial) const {
  RoundedSum lowest;
  RoundedSum highest;
  for (const Term& term : literal.terms) {
    const Standing standing = StandingOf(term, partial.activity);
    // With an inactive parameter, the clause does not apply.
    if (standing.activity == Activity::kInactive) return Truth::kTrue;
    if (standing.activity == Activity::kUnknown) return Truth::kUnknown;
    const Range range = RangeOf(partial, standing.parameter);
    if (literal.category.has_value()) {
      const auto& values = space_[standing.parameter].categorical_values;
      bool has_others = false;
      bool is_possible = false;
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (!range.categories[k]) continue;
        (values[k] == *literal.category ? is_possible : has_others) = true;
      }
      const bool wants = literal.sign == ComparisonSign::kEqual;
      if (!is_possible) return wants ? Truth::kFalse : Truth::kTrue;
      if (!has_others) return wants ? Truth::kTrue : Truth::kFalse;
      return Truth::kOpen;
    }
    lowest.Add(term.weight, term.weight > 0 ? range.low : range.high);
    highest.Add(term.weight, term.weight > 0 ? range.high : range.low);
  }
  lowest.Add(1, literal.constant);
  highest.Add(1, literal.constant);
  const bool may_be_0 = lowest.Compares(ComparisonSign::kAtMost) &&
                        !highest.Compares(ComparisonSign::kBelow);
  const bool is_0 = lowest.Compares(ComparisonSign::kEqual) &&
                    highest.Compares(ComparisonSign::kEqual);
  switch (literal.sign) {
    case ComparisonSign::kAtMost:
    case ComparisonSign::kBelow:
      if (highest.Compares(literal.sign)) return Truth::kTrue;
      return lowest.Compares(literal.sign) ? Truth::kOpen : Truth::kFalse;
    case ComparisonSign::kEqual:
      if (is_0) return Truth::kTrue;
      return may_be_0 ? Truth::kOpen : Truth::kFalse;
    case ComparisonSign::kNotEqual:
      if (is_0) return Truth::kFalse;
      return may_be_0 ? Truth::kOpen : Truth::kTrue;
  }
  return Truth::kOpen;
}

// Restricts the remaining values of a parameter to those from `low` to `high`.
bool FeasibleRegion::Cut(std::size_t parameter, double low, double high,
                         Partial* partial, bool* changed) const {
  const std::size_t c = coordinate_of_[parameter];
  if (c == kNoCoordinate || partial->is_chosen[c]) return true;
  Range& range = partial->ranges[c];
  const ParameterSpec& spec = space_[parameter];
  const double slip =
      kSlip * std::max({std::fabs(range.low), std::fabs(range.high)});
  if (spec.type == ParameterType::kInteger) {
    low = std::ceil(low - slip);
    high = std::floor(high + slip);
  } else if (spec.type == ParameterType::kDiscrete) {
    const auto& values = spec.discrete_values;
    const auto first =
        std::lower_bound(values.begin(), values.end(), low - slip);
    const auto last =
        std::upper_bound(values.begin(), values.end(), high + slip);
    if (first >= last) return false;
    low = *first;
    high = *std::prev(last);
  }
  if (low > range.low || high < range.high) Unsettle(c, partial);
  if (low > range.low) {
    *changed |= low > range.low + slip;
    range.low = low;
  }
  if (high < range.high) {
    *changed |= high < range.high - slip;
    range.high = high;
  }
  if (range.low <= range.high) return true;
  if (spec.type != ParameterType::kDouble || range.low > range.high + slip) {
    return false;
  }
  // The bounds differ only by rounding of one number.
  range.high = range.low =
      std::clamp(range.low, spec.min_value, spec.max_value);
  return true;
}

// Narrows the ranges so that `literal` holds, the only one of its clause that
// still can.
bool FeasibleRegion::Enforce(const Literal& literal, Partial* partial,
                             bool* changed) const {
  if (literal.category.has_value()) {
    const std::size_t parameter =
        StandingOf(literal.terms.front(), partial->activity).parameter;
    const std::size_t c = coordinate_of_[parameter];
    if (c == kNoCoordinate) return true;
    const auto& values = space_[parameter].categorical_values;
    Range& range = partial->ranges[c];
    bool is_any = false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool fits = (values[k] == *literal.category) ==
                        (literal.sign == ComparisonSign::kEqual);
      if (range.categories[k] && !fits) {
        range.categories[k] = false;
        *changed = true;
        Unsettle(c, partial);
      }
      is_any |= range.categories[k];
    }
    return is_any;
  }
  double lowest = literal.constant;
  double highest = literal.constant;
  for (const Term& term : literal.terms) {
    const Range range =
        RangeOf(*partial, StandingOf(term, partial->activity).parameter);
    lowest += term.weight * (term.weight > 0 ? range.low : range.high);
    highest += term.weight * (term.weight > 0 ? range.high : range.low);
  }
  const double margin = partial->margin * (highest - lowest);
  for (const Term& term : literal.terms) {
    const std::size_t parameter = StandingOf(term, partial->activity).parameter;
    const Range range = RangeOf(*partial, parameter);
    const double low_part =
        term.weight * (term.weight > 0 ? range.low : range.high);
    const double high_part =
        term.weight * (term.weight > 0 ? range.high : range.low);
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    if (literal.sign == ComparisonSign::kNotEqual) {
      if (literal.terms.size() > 1 ||
          space_[parameter].type != ParameterType::kInteger) {
        continue;
      }
      const double hole = -literal.constant / term.weight;
      if (std::round(hole) == std::round(range.low)) low = range.low + 1;
      if (std::round(hole) == std::round(range.high)) high = range.high - 1;
    } else {
      // The lowest sum of the other terms leaves at most this for the
      // parameter, and their highest sum leaves at least this.
      const double most = (low_part - lowest - margin) / term.weight;
      (term.weight > 0 ? high : low) = most;
      if (literal.sign == ComparisonSign::kEqual) {
        const double least = (high_part - highest) / term.weight;
        (term.weight > 0 ? low : high) = least;
      }
    }
    if (!Cut(parameter, low, high, partial, changed)) return false;
  }
  return true;
}

bool FeasibleRegion::NarrowBy(const Clause& clause, Partial* partial,
                              bool* changed) const {
  const Literal* left = nullptr;
  for (const Literal& literal : clause) {
    const Truth truth = TruthOf(literal, *partial);
    if (truth == Truth::kTrue || truth == Truth::kUnknown) return true;
    if (truth == Truth::kFalse) continue;
    if (left != nullptr) return true;
    left = &literal;
  }
  if (left == nullptr) return false;
  return Enforce(*left, partial, changed);
}

void FeasibleRegion::Unsettle(std::size_t coordinate, Partial* partial) const {
  for (const std::size_t clause : clauses_about_[coordinate]) {
    partial->is_settled[clause] = false;
  }
}

// A clause about which nothing has changed would change nothing. In a chain of
// many parameters that is nearly every one. The work counts as if all were
// looked at, so that the bound on it does not depend on this.
bool FeasibleRegion::Narrow(Partial* partial, std::int64_t* work,
                            int rounds) const {
  for (int round = 0; round < rounds; ++round) {
    *work += work_of_narrowing_;
    bool changed = false;
    for (std::size_t i = 0; i < clauses_.size(); ++i) {
      if (partial->is_settled[i]) continue;
      partial->is_settled[i] = true;  // Unless it changes a range of its own.
      if (!NarrowBy(clauses_[i], partial, &changed)) return false;
    }
    if (!changed) break;
  }
  return true;
}

std::vector<NumberRange> FeasibleRegion::RangesLeft() const {
  std::vector<NumberRange> left;
  if (is_whole()) return left;
  Partial partial = NothingChosen();
  std::int64_t work = 0;
  if (!Narrow(&partial, &work, kMostNarrowRounds)) return left;
  left.reserve(partial.ranges.size());
  for (const Range& range : partial.ranges) {
    left.push_back({range.low, range.high});
  }
  return left;
}

// ---- Choosing.

FeasibleRegion::Partial FeasibleRegion::NothingChosen() const {
  const std::size_t count = encoding_.coordinates().size();
  Partial partial;
  partial.row = encoding_.RawFromUnitCube(
      RowVectorXd::Constant(static_cast<Index>(count), 0.5));
  partial.is_chosen.assign(count, false);
  partial.is_settled.assign(clauses_.size(), false);
  partial.activity.assign(space_.size(), Activity::kActive);
  partial.ranges.reserve(count);
  for (std::size_t c = 0; c < count; ++c)
    partial.ranges.push_back(FullRange(c));
  UpdateActivity(&partial);
  return partial;
}

FeasibleRegion::Partial FeasibleRegion::ChosenAs(
    const RowVectorXd& row, const std::vector<bool>& is_open) const {
  Partial partial = NothingChosen();
  partial.row = row;
  for (std::size_t c = 0; c < is_open.size(); ++c) {
    if (!is_open[c]) Fix(c, &partial);
  }
  UpdateActivity(&partial);
  return partial;
}

// Returns an order in which coordinates that others depend on come first,
// parents before children, so that activity is known. The rest is in a random
// order.
std::vector<std::size_t> FeasibleRegion::OrderOf(std::mt19937_64& rng) const {
  std::vector<std::size_t> order(encoding_.coordinates().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto parents = std::stable_partition(
      order.begin(), order.end(),
      [&](std::size_t c) { return encoding_.HasChildren(c); });
  const auto others = static_cast<std::size_t>(order.end() - parents);
  for (std::size_t k = others; k > 1; --k) {
    std::swap(parents[static_cast<std::ptrdiff_t>(k - 1)],
              parents[static_cast<std::ptrdiff_t>(UniformInt(rng, k))]);
  }
  return order;
}

// Chooses one value within the coordinate's range. Returns false if rounding
// left none.
bool FeasibleRegion::Choose(std::size_t coordinate, const Wish& wish,
                            std::mt19937_64& rng, Partial* partial) const {
  const double u = wish.unit != nullptr
                       ? (*wish.unit)[static_cast<Index>(coordinate)]
                       : UniformDouble(rng);
  const bool is_category =
      encoding_.coordinates()[coordinate].kind == CoordinateKind::kCategorical;
  return is_category ? ChooseCategory(coordinate, wish, u, partial)
                     : ChooseNumber(coordinate, wish, u, partial);
}

bool FeasibleRegion::ChooseCategory(std::size_t coordinate, const Wish& wish,
                                    double u, Partial* partial) const {
  const Range& range = partial->ranges[coordinate];
  std::vector<std::int64_t> levels;
  for (std::size_t k = 0; k < range.categories.size(); ++k) {
    if (range.categories[k]) levels.push_back(static_cast<std::int64_t>(k));
  }
  if (levels.empty()) return false;
  std::int64_t level =
      levels[static_cast<std::size_t>(u * static_cast<double>(levels.size()))];
  if (wish.nearest != nullptr) {
    const std::int64_t wanted = encoding_.Level(coordinate, *wish.nearest);
    if (range.categories[static_cast<std::size_t>(wanted)]) level = wanted;
  }
  encoding_.SetLevel(coordinate, level, &partial->row);
  return true;
}

bool FeasibleRegion::ChooseNumber(std::size_t coordinate, const Wish& wish,
                                  double u, Partial* partial) const {
  const Coordinate& place = encoding_.coordinates()[coordinate];
  const Range& range = partial->ranges[coordinate];
  RowVectorXd& row = partial->row;
  const auto [first, last] =
      encoding_.UnitsBetween(coordinate, range.low, range.high);
  const double chosen = std::clamp(first + u * (last - first), 0.0, 1.0);
  encoding_.SetFromUnit(coordinate, chosen, &row);
  const auto write = [&](double number) {
    if (encoding_.SpecOf(coordinate).type == ParameterType::kInteger) {
      encoding_.WriteValue(coordinate, static_cast<std::int64_t>(number), &row);
    } else {
      encoding_.WriteValue(coordinate, number, &row);
    }
  };
  if (wish.nearest != nullptr) {
    const double wanted =
        NumberOrZero(encoding_.Value(coordinate, *wish.nearest));
    if (wanted >= range.low && wanted <= range.high) {
      row[place.first_column] = (*wish.nearest)[place.first_column];
      return true;
    }
    write(wanted < range.low ? range.low : range.high);
  } else if (wish.is_coarse && range.low < range.high &&
             std::isfinite(range.high - range.low) &&
             place.kind == CoordinateKind::kContinuous) {
    const double value = NumberOrZero(encoding_.Value(coordinate, row));
    const double coarse = RoundToPowerOfTen(
        value, DecimalExponent(range.high - range.low) - kCoarseDigits);
    if (coarse >= range.low && coarse <= range.high) {
      write(coarse);
    }
  }
  // Rounding may have moved the value beyond an end of the range; then an end
  // is tried.
  const auto is_within = [&] {
    const double value = NumberOrZero(encoding_.Value(coordinate, row));
    const double slip =
        kSlip * std::max(std::fabs(range.low), std::fabs(range.high));
    return value >= range.low - slip && value <= range.high + slip;
  };
  if (is_within()) return true;
  if (place.kind != CoordinateKind::kContinuous) return false;
  for (const double end : {range.low, range.high}) {
    write(end);
    if (is_within()) return true;
  }
  return false;
}

std::optional<RowVectorXd> FeasibleRegion::Complete(Partial partial,
                                                    const Wish& wish,
                                                    std::mt19937_64& rng,
                                                    std::int64_t* work) const {
  partial.margin = wish.margin;
  if (!Narrow(&partial, work)) return std::nullopt;
  for (const std::size_t c : OrderOf(rng)) {
    if (partial.is_chosen[c]) continue;
    const auto& parameters = encoding_.coordinates()[c].parameters;
    const bool is_active =
        std::any_of(parameters.begin(), parameters.end(), [&](std::size_t i) {
          return partial.activity[i] == Activity::kActive;
        });
    if (!is_active) {
      partial.is_chosen[c] = true;
      continue;
    }
    if (!Choose(c, wish, rng, &partial)) return std::nullopt;
    Fix(c, &partial);
    const bool tells = is_bound_[c] || encoding_.HasChildren(c);
    if (tells && !Narrow(&partial, work)) return std::nullopt;
  }
  encoding_.Snap(&partial.row);
  if (!Contains(partial.row)) return std::nullopt;
  return partial.row;
}

// Chooses one or two coordinates anew, many times.
void FeasibleRegion::MoveAbout(std::mt19937_64& rng, std::int64_t* work,
                               RowVectorXd* row) const {
  const std::size_t count = encoding_.coordinates().size();
  const int moves = std::min<int>(kMostMoves, 4 * static_cast<int>(count));
  for (int i = 0; i < moves && *work < kMostWork; ++i) {
    std::vector<bool> is_open(count, false);
    is_open[UniformInt(rng, count)] = true;
    is_open[UniformInt(rng, count)] = true;
    // A parent with children stays, because its value decides which coordinates
    // are active.
    if (encoding_.is_conditional()) {
      const std::vector<bool> active = encoding_.ActiveCoordinates(*row);
      for (std::size_t c = 0; c < count; ++c) {
        if (!active[c] || (is_open[c] && encoding_.HasChildren(c))) {
          is_open[c] = !active[c];
        }
      }
    }
    const auto moved = Complete(ChosenAs(*row, is_open), {}, rng, work);
    if (moved.has_value()) *row = *moved;
  }
}

std::optional<RowVectorXd> FeasibleRegion::Draw(std::mt19937_64& rng) const {
  const auto count = static_cast<Index>(encoding_.coordinates().size());
  const auto draw_unit = [&] {
    RowVectorXd unit(count);
    for (double& u : unit) u = UniformDouble(rng);
    return unit;
  };
  for (int i = 0; i < kPlainDraws; ++i) {
    RowVectorXd row = encoding_.FromUnitCube(draw_unit());
    encoding_.Snap(&row);
    if (Contains(row)) return row;
  }
  std::optional<RowVectorXd> row = FromUnitCube(draw_unit(), rng);
  std::int64_t work = 0;
  if (row.has_value()) MoveAbout(rng, &work, &*row);
  return row;
}

std::optional<RowVectorXd> FeasibleRegion::FromUnitCube(
    const RowVectorXd& unit, std::mt19937_64& rng) const {
  RowVectorXd plain = encoding_.FromUnitCube(unit);
  encoding_.Snap(&plain);
  if (Contains(plain)) return plain;
  const Partial nothing = NothingChosen();
  std::int64_t work = 0;
  for (int i = 0; i < kTries && work < kMostWork; ++i) {
    Wish wish;
    if (i == 0) wish.unit = &unit;
    wish.is_coarse = i % 2 == 1;
    wish.margin = kMargins[static_cast<std::size_t>(i) % std::size(kMargins)];
    if (auto row = Complete(nothing, wish, rng, &work)) return row;
  }
  // If the ranges alone restrict too little, points are projected along the
  // borders' normals.
  const std::vector<bool> all(static_cast<std::size_t>(encoding_.num_columns()),
                              true);
  for (int i = 0; i < kTries && work < kMostWork; ++i) {
    RowVectorXd cube(unit.size());
    for (double& u : cube) u = UniformDouble(rng);
    RowVectorXd row = encoding_.FromUnitCube(cube);
    Project(all, &row);
    encoding_.Snap(&row);
    work += kProjectionRounds * work_of_narrowing_;
    Wish wish;
    wish.nearest = &row;
    if (Contains(row)) return row;
    if (auto found = Complete(nothing, wish, rng, &work)) return found;
  }
  return std::nullopt;
}

std::optional<RowVectorXd> FeasibleRegion::Repair(const RowVectorXd& row,
                                                  std::mt19937_64& rng,
                                                  std::size_t kept) const {
  RowVectorXd valid = row;
  encoding_.Snap(&valid);
  if (Contains(valid)) return valid;
  std::vector<bool> is_open(encoding_.coordinates().size(), true);
  if (kept != kNoCoordinate) is_open[kept] = false;
  const Partial start = ChosenAs(valid, is_open);
  std::optional<RowVectorXd> nearest;
  double distance = 0;
  std::int64_t work = 0;
  for (int i = 0; i < kRepairs && work < kMostWork; ++i) {
    Wish wish;
    wish.nearest = &valid;
    wish.margin = kMargins[static_cast<std::size_t>(i) % std::size(kMargins)];
    const auto found = Complete(start, wish, rng, &work);
    if (!found.has_value()) continue;
    const double here = (*found - valid).squaredNorm();
    if (nearest.has_value() && !(here < distance)) continue;
    nearest = found;
    distance = here;
  }
  return nearest;
}

// ---- Climbing.

double FeasibleRegion::RelaxedNumber(std::size_t parameter,
                                     const RowVectorXd& row) const {
  const std::size_t c = coordinate_of_[parameter];
  if (c == kNoCoordinate ||
      space_[parameter].type == ParameterType::kDiscrete) {
    return NumberOf(parameter, row);
  }
  return encoding_.NumberAt(c, row[encoding_.coordinates()[c].first_column]);
}

// Returns nullopt if it names an inactive parameter.
std::optional<double> FeasibleRegion::RelaxedSum(
    const Literal& literal, const std::vector<Activity>& activity,
    const RowVectorXd& row) const {
  double sum = literal.constant;
  for (const Term& term : literal.terms) {
    const Standing standing = StandingOf(term, activity);
    if (standing.activity != Activity::kActive) return std::nullopt;
    sum += term.weight * RelaxedNumber(standing.parameter, row);
  }
  return sum;
}

// Moves the row against the gradient of a sum that is too large, as far as a
// linear sum would need.
bool FeasibleRegion::PushInside(const Literal& literal,
                                const std::vector<Activity>& activity,
                                double sum, const std::vector<bool>& is_free,
                                RowVectorXd* row) const {
  std::vector<std::pair<Index, double>> slopes;
  double length = 0;
  for (const Term& term : literal.terms) {
    const std::size_t parameter = StandingOf(term, activity).parameter;
    const std::size_t c = coordinate_of_[parameter];
    if (c == kNoCoordinate ||
        space_[parameter].type == ParameterType::kDiscrete) {
      continue;
    }
    const Index column = encoding_.coordinates()[c].first_column;
    if (!is_free[static_cast<std::size_t>(column)]) continue;
    const double left = std::max(0.0, (*row)[column] - kColumnStep);
    const double right = std::min(1.0, (*row)[column] + kColumnStep);
    const double slope =
        term.weight *
        (encoding_.NumberAt(c, right) - encoding_.NumberAt(c, left)) /
        (right - left);
    // At an end of its range a column cannot move further.
    if ((slope > 0 && (*row)[column] <= 0) ||
        (slope < 0 && (*row)[column] >= 1)) {
      continue;
    }
    slopes.emplace_back(column, slope);
    length += slope * slope;
  }
  if (!(length > 0) || !std::isfinite(length)) return false;
  const double step = sum / length + kInside / std::sqrt(length);
  for (const auto& [column, slope] : slopes) {
    (*row)[column] = std::clamp((*row)[column] - step * slope, 0.0, 1.0);
  }
  return true;
}

bool FeasibleRegion::Project(const std::vector<bool>& is_free,
                             RowVectorXd* row) const {
  const std::vector<Activity> activity = ActivityOf(*row);
  for (int round = 0; round < kProjectionRounds; ++round) {
    bool is_inside = true;
    for (const Clause& clause : clauses_) {
      const Literal* least = nullptr;
      double least_sum = 0;
      bool holds = false;
      for (const Literal& literal : clause) {
        if (literal.category.has_value() ||
            literal.sign == ComparisonSign::kNotEqual ||
            literal.sign == ComparisonSign::kEqual) {
          // No columns change it, so it stays as it is.
          holds = holds || Holds(literal, activity, *row).value_or(true);
          continue;
        }
        const std::optional<double> sum = RelaxedSum(literal, activity, *row);
        holds = holds || !sum.has_value() || *sum <= 0;
        if (holds) break;
        if (least == nullptr || *sum < least_sum) {
          least = &literal;
          least_sum = *sum;
        }
      }
      if (holds) continue;
      is_inside = false;
      if (least == nullptr ||
          !PushInside(*least, activity, least_sum, is_free, row)) {
        return false;
      }
    }
    if (is_inside) return true;
  }
  return false;
}

}  // namespace vernier
