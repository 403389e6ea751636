#ifndef VERNIER_SUGGEST_SPACE_FEASIBLE_REGION_H_
#define VERNIER_SUGGEST_SPACE_FEASIBLE_REGION_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "study/parameter_constraint.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// The part of a search space that the constraints between its parameters
/// allow, as rows of its encoding, with functions that find points in it.
///
/// Points are found coordinate by coordinate in a random order. Before each
/// choice the constraints narrow the ranges of the coordinates not yet chosen
/// (bounds propagation: the extreme values of the other terms of a sum leave a
/// range for each). So a narrow band that no random point ever hits, such as
/// a <= b <= a, is met by the first try. Several tries differ in their order.
/// Later ones also choose numbers with few digits or keep away from the bounds,
/// because a trial gets rounded values. A point that was found is then moved
/// about by choosing some coordinates anew while the others stay (a block Gibbs
/// sampler), so that the order leaves no trace. Work is counted, not timed: a
/// call ends after some ten million steps, a few tenths of a second, with or
/// without a point.
///
/// Immutable, so thread-safe. Deterministic.
class FeasibleRegion {
 public:
  static constexpr std::size_t kNoCoordinate = static_cast<std::size_t>(-1);

  /// All are borrowed and must outlive the object. `constraints` were read for
  /// `space`.
  FeasibleRegion(const std::vector<ParameterSpec>& space,
                 const std::vector<ParameterConstraint>& constraints,
                 const SearchSpaceEncoding& encoding);

  /// True if there are no constraints, so that all is allowed.
  bool is_whole() const { return clauses_.empty(); }

  /// True if the values that a trial of `row` gets meet all constraints, as
  /// defined by Satisfies. On the border of a DOUBLE's range, where sums may
  /// round to either side, only a sum that is exactly on it counts as inside.
  bool Contains(const Eigen::RowVectorXd& row) const;

  /// Returns the numbers that the constraints leave of each coordinate's range,
  /// by bounds propagation, which may leave too much but never too little. A
  /// categorical has an empty range of 0. Empty if there are no constraints, or
  /// if they exclude one another.
  std::vector<NumberRange> RangesLeft() const;

  /// Returns a valid row inside, at random; nullopt: none was found. Uniform if
  /// some in a hundred points are inside.
  std::optional<Eigen::RowVectorXd> Draw(std::mt19937_64& rng) const;

  /// Returns the row of a point of the unit cube if it is inside. Otherwise the
  /// numbers of the point choose within the ranges that the constraints leave,
  /// so that points which are spread evenly stay so. nullopt: none was found.
  std::optional<Eigen::RowVectorXd> FromUnitCube(const Eigen::RowVectorXd& unit,
                                                 std::mt19937_64& rng) const;

  /// Returns a valid row inside that differs little from `row`, a valid one:
  /// each coordinate keeps its value or takes the nearest possible one, in
  /// several orders, and the nearest row counts. The coordinate `kept` does not
  /// move. nullopt: none was found.
  std::optional<Eigen::RowVectorXd> Repair(
      const Eigen::RowVectorXd& row, std::mt19937_64& rng,
      std::size_t kept = kNoCoordinate) const;

  /// Moves the columns `is_free` of a row to where the constraints hold, as if
  /// INTEGER columns were continuous and nothing was rounded: in turn onto each
  /// border that the row lies beyond, along the border's normal. Returns false
  /// if it finds no such place in some rounds. For climbing; Repair comes after
  /// it.
  bool Project(const std::vector<bool>& is_free, Eigen::RowVectorXd* row) const;

 private:
  static constexpr int kNarrowRounds = 4;

  struct Term {
    std::vector<std::size_t> parameters;  // Positions of those with the name.
    double weight = 1;
  };
  // A comparison with its names looked up.
  struct Literal {
    ComparisonSign sign = ComparisonSign::kAtMost;
    std::vector<Term> terms;  // With a category: one.
    double constant = 0;
    std::optional<std::string> category;
    bool has_continuous = false;  // Of the terms' parameters.
  };
  using Clause = std::vector<Literal>;

  enum class Activity { kUnknown, kActive, kInactive };

  // The remaining values of one coordinate.
  struct Range {
    double low = 0;  // Numbers.
    double high = 0;
    std::vector<bool> categories;
  };

  // A configuration of which some coordinates are chosen.
  struct Partial {
    Eigen::RowVectorXd row;
    std::vector<bool> is_chosen;     // By coordinate.
    std::vector<Activity> activity;  // By parameter.
    std::vector<Range> ranges;  // By coordinate; a chosen one's is a value.
    double margin = 0;          // Kept from borders, in parts of ranges.
    // By clause: nothing that it is about has changed since it last narrowed.
    std::vector<bool> is_settled;
  };

  // The rules of choice for one try.
  struct Wish {
    const Eigen::RowVectorXd* unit = nullptr;     // Numbers of a cube's point.
    const Eigen::RowVectorXd* nearest = nullptr;  // Or a row to stay near.
    bool is_coarse = false;                       // Few digits.
    double margin = 0;
  };

  // A term's active parameter in a configuration, if there is one.
  struct Standing {
    Activity activity = Activity::kInactive;
    std::size_t parameter = 0;
  };
  static Standing StandingOf(const Term& term,
                             const std::vector<Activity>& activity);

  Range FullRange(std::size_t coordinate) const;
  Range RangeOf(const Partial& partial, std::size_t parameter) const;
  void UpdateActivity(Partial* partial) const;
  void Fix(std::size_t coordinate, Partial* partial) const;
  void Unsettle(std::size_t coordinate, Partial* partial) const;

  // Returns false if some clause cannot hold any more. More rounds narrow
  // further where the constraints form a chain.
  bool Narrow(Partial* partial, std::int64_t* work,
              int rounds = kNarrowRounds) const;
  bool NarrowBy(const Clause& clause, Partial* partial, bool* changed) const;
  bool Enforce(const Literal& literal, Partial* partial, bool* changed) const;
  enum class Truth { kFalse, kOpen, kTrue, kUnknown };
  Truth TruthOf(const Literal& literal, const Partial& partial) const;
  bool Cut(std::size_t parameter, double low, double high, Partial* partial,
           bool* changed) const;

  // Chooses the coordinates that are not yet chosen in `partial`.
  std::optional<Eigen::RowVectorXd> Complete(Partial partial, const Wish& wish,
                                             std::mt19937_64& rng,
                                             std::int64_t* work) const;
  bool Choose(std::size_t coordinate, const Wish& wish, std::mt19937_64& rng,
              Partial* partial) const;
  // Likewise; `u` in [0, 1) selects the category, unless the wish does.
  bool ChooseCategory(std::size_t coordinate, const Wish& wish, double u,
                      Partial* partial) const;
  bool ChooseNumber(std::size_t coordinate, const Wish& wish, double u,
                    Partial* partial) const;
  std::vector<std::size_t> OrderOf(std::mt19937_64& rng) const;
  Partial NothingChosen() const;
  Partial ChosenAs(const Eigen::RowVectorXd& row,
                   const std::vector<bool>& is_open) const;
  void MoveAbout(std::mt19937_64& rng, std::int64_t* work,
                 Eigen::RowVectorXd* row) const;

  std::optional<bool> Holds(const Literal& literal,
                            const std::vector<Activity>& activity,
                            const Eigen::RowVectorXd& row) const;
  std::optional<double> RelaxedSum(const Literal& literal,
                                   const std::vector<Activity>& activity,
                                   const Eigen::RowVectorXd& row) const;
  double NumberOf(std::size_t parameter, const Eigen::RowVectorXd& row) const;
  double RelaxedNumber(std::size_t parameter,
                       const Eigen::RowVectorXd& row) const;
  std::vector<Activity> ActivityOf(const Eigen::RowVectorXd& row) const;
  bool PushInside(const Literal& literal, const std::vector<Activity>& activity,
                  double sum, const std::vector<bool>& is_free,
                  Eigen::RowVectorXd* row) const;

  const std::vector<ParameterSpec>& space_;
  const SearchSpaceEncoding& encoding_;
  std::vector<Clause> clauses_;
  std::vector<std::vector<std::size_t>> clauses_about_;  // By coordinate.
  std::vector<std::size_t> coordinate_of_;  // Of a parameter, or none.
  std::vector<bool> is_bound_;  // Coordinates that constraints are about.
  std::int64_t work_of_narrowing_ = 1;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_FEASIBLE_REGION_H_
