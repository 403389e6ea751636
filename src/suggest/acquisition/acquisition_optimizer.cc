#include "suggest/acquisition/acquisition_optimizer.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "suggest/acquisition/candidate_pool.h"
#include "suggest/acquisition/projected_lbfgs.h"
#include "suggest/gp/descending_order.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

// A coordinate with more levels than this is climbed as if it were continuous
// and then rounded. If a categorical has more categories, only this many are
// compared with the current one.
constexpr std::int64_t kManyLevels = 20;

// One evaluation costs about n^2, so this bounds the cost of enumerating.
constexpr double kEnumerationWork = 2e9;
constexpr int kMinEnumerated = 1000;
constexpr std::size_t kEnumeratedAtOnce = 1024;

// The number of random continuations that are tried when a coordinate activates
// others.
constexpr int kBranchDraws = 4;

// Returns the columns that a climb may move, for each row of `points`. Columns
// that others depend on stay, so that nothing becomes active or inactive during
// a climb.
std::vector<std::vector<bool>> FreeColumns(const SearchSpaceEncoding& encoding,
                                           const MatrixXd& points,
                                           bool with_widely_stepped) {
  std::vector<std::vector<bool>> is_free;
  for (Index i = 0; i < points.rows(); ++i) {
    const std::vector<bool> active = encoding.ActiveCoordinates(points.row(i));
    std::vector<bool>& columns = is_free.emplace_back(
        static_cast<std::size_t>(encoding.num_columns()), false);
    for (std::size_t c = 0; c < active.size(); ++c) {
      const Coordinate& coordinate = encoding.coordinates()[c];
      if (active[c] && !encoding.HasChildren(c) &&
          (coordinate.kind == CoordinateKind::kContinuous ||
           (with_widely_stepped && IsWidelyStepped(coordinate)))) {
        columns[static_cast<std::size_t>(coordinate.first_column)] = true;
      }
    }
  }
  return is_free;
}

// Returns the levels to compare with the current one of a discrete coordinate.
std::vector<std::int64_t> AlternativeLevels(const Coordinate& coordinate,
                                            std::int64_t current,
                                            std::mt19937_64& rng) {
  std::vector<std::int64_t> levels;
  if (IsWidelyStepped(coordinate)) {
    if (current > 0) levels.push_back(current - 1);
    if (current + 1 < coordinate.num_levels) levels.push_back(current + 1);
    return levels;
  }
  if (coordinate.num_levels <= kManyLevels) {
    levels.resize(static_cast<std::size_t>(coordinate.num_levels));
    std::iota(levels.begin(), levels.end(), 0);
  } else {
    for (std::int64_t i = 0; i < kManyLevels; ++i) {
      levels.push_back(static_cast<std::int64_t>(
          UniformInt(rng, static_cast<std::uint64_t>(coordinate.num_levels))));
    }
  }
  std::erase(levels, current);
  return levels;
}

// Collects neighbours of climbed points, and replaces each point by its best
// neighbour if that is better. Few are kept at a time, because a row of a space
// with thousands of categories is long.
class NeighbourSearch {
 public:
  /// Borrows all but `columns`, those of a row.
  NeighbourSearch(const AcquisitionFunction& function,
                  const FeasibleRegion& region, Index columns,
                  ClimbResult* climb, std::mt19937_64* rng)
      : function_(function),
        region_(region),
        climb_(climb),
        rng_(rng),
        rows_(kRowsAtOnce, columns) {}

  /// `row` is a neighbour of point `origin`, from which it differs in
  /// `coordinate`. If it is outside the allowed region, other coordinates move
  /// with it.
  void Add(const RowVectorXd& row, std::size_t coordinate, Index origin) {
    if (region_.Contains(row)) return AddAllowed(row, origin);
    const auto allowed = region_.Repair(row, *rng_, coordinate);
    if (allowed.has_value()) AddAllowed(*allowed, origin);
  }

  /// Returns true if any point was replaced.
  bool Finish() {
    if (!origins_.empty()) Evaluate();
    return improved_;
  }

 private:
  static constexpr Index kRowsAtOnce = 64;

  void AddAllowed(const RowVectorXd& row, Index origin) {
    const auto place = static_cast<Index>(origins_.size());
    rows_.row(place) = row;
    origins_.push_back(origin);
    if (place + 1 == kRowsAtOnce) Evaluate();
  }

  void Evaluate() {
    const auto count = static_cast<Index>(origins_.size());
    VectorXd values;
    function_.Evaluate(rows_.topRows(count), &values, nullptr);
    for (Index i = 0; i < count; ++i) {
      const Index origin = origins_[static_cast<std::size_t>(i)];
      if (!(values[i] > climb_->values[origin])) continue;
      climb_->values[origin] = values[i];
      climb_->points.row(origin) = rows_.row(i);
      improved_ = true;
    }
    origins_.clear();
  }

  const AcquisitionFunction& function_;
  const FeasibleRegion& region_;
  ClimbResult* const climb_;
  std::mt19937_64* const rng_;
  MatrixXd rows_;
  std::vector<Index> origins_;  // Whose neighbours the rows are.
  bool improved_ = false;
};

// Adds the possible continuations of `row`, in which one coordinate has just
// taken a value that activates others than the `before` ones. The newly active
// ones keep their imputed values, or take those of a row of `donors`, or random
// ones.
void AddBranches(const SearchSpaceEncoding& encoding, const RowVectorXd& row,
                 const std::vector<bool>& before, const MatrixXd& donors,
                 std::size_t coordinate, Index origin, std::mt19937_64& rng,
                 NeighbourSearch* search) {
  const auto add = [&](const RowVectorXd& source) {
    RowVectorXd branch = row;
    FillNewlyActive(encoding, before, source, &branch);
    search->Add(branch, coordinate, origin);
  };
  add(row);
  for (Index d = 0; d < donors.rows(); ++d) add(donors.row(d));
  for (int i = 0; i < kBranchDraws; ++i) {
    add(encoding.RawFromUnitCube(DrawUnitPoint(encoding, rng)));
  }
}

// Replaces each row by its best neighbour in one discrete coordinate, if that
// is better. Returns true if any was replaced.
bool ImproveDiscrete(const SearchSpaceEncoding& encoding,
                     const AcquisitionFunction& function,
                     const FeasibleRegion& region, const MatrixXd& donors,
                     ClimbResult* climb, std::mt19937_64& rng) {
  NeighbourSearch search(function, region, encoding.num_columns(), climb, &rng);
  for (Index i = 0; i < climb->points.rows(); ++i) {
    const RowVectorXd row = climb->points.row(i);
    const std::vector<bool> active = encoding.ActiveCoordinates(row);
    for (std::size_t c = 0; c < encoding.coordinates().size(); ++c) {
      const Coordinate& coordinate = encoding.coordinates()[c];
      if (!active[c] || coordinate.kind == CoordinateKind::kContinuous) {
        continue;
      }
      for (const std::int64_t level :
           AlternativeLevels(coordinate, encoding.Level(c, row), rng)) {
        RowVectorXd neighbour = row;
        encoding.SetLevel(c, level, &neighbour);
        if (encoding.HasChildren(c)) {
          AddBranches(encoding, neighbour, active, donors, c, i, rng, &search);
        } else {
          search.Add(neighbour, c, i);
        }
      }
    }
  }
  return search.Finish();
}

// A climb ends where the constraints hold up to rounding. Points that cannot be
// moved inside are dropped.
void MoveIntoRegion(const AcquisitionFunction& function,
                    const FeasibleRegion& region, ClimbResult* climb,
                    std::mt19937_64& rng) {
  if (region.is_whole()) return;
  climb->points = MovedInto(region, climb->points, rng);
  if (climb->points.rows() == 0) {
    climb->values.resize(0);
    return;
  }
  function.Evaluate(climb->points, &climb->values, nullptr);
}

// Climbs, rounds the coordinates that were climbed as if continuous, and then
// alternates discrete passes with climbs of the rest. The result holds valid
// configurations.
ClimbResult ClimbMixed(const SearchSpaceEncoding& encoding,
                       const AcquisitionFunction& function,
                       const FeasibleRegion& region, const MatrixXd& starts,
                       const MatrixXd& donors, const AcquisitionBudget& budget,
                       std::mt19937_64& rng) {
  ProjectedLbfgsOptions options;
  options.max_rounds = budget.max_rounds;
  if (!region.is_whole()) {
    options.project = [&region](const std::vector<bool>& is_free,
                                RowVectorXd* row) {
      return region.Project(is_free, row);
    };
  }
  ClimbResult climb = ClimbTogether(
      function, starts, FreeColumns(encoding, starts, true), options);
  const auto& coordinates = encoding.coordinates();
  if (std::all_of(coordinates.begin(), coordinates.end(),
                  [](const Coordinate& coordinate) {
                    return coordinate.kind == CoordinateKind::kContinuous;
                  })) {
    MoveIntoRegion(function, region, &climb, rng);
    return climb;
  }
  for (Index i = 0; i < climb.points.rows(); ++i) {
    RowVectorXd row = climb.points.row(i);
    encoding.Snap(&row);
    climb.points.row(i) = row;
  }
  function.Evaluate(climb.points, &climb.values, nullptr);
  MoveIntoRegion(function, region, &climb, rng);
  for (int round = 0; round < budget.max_discrete_rounds; ++round) {
    if (!ImproveDiscrete(encoding, function, region, donors, &climb, rng)) {
      break;
    }
    climb = ClimbTogether(function, climb.points,
                          FreeColumns(encoding, climb.points, false), options);
    MoveIntoRegion(function, region, &climb, rng);
  }
  return climb;
}

std::optional<ScoredPoint> BestUntried(const MatrixXd& points,
                                       const VectorXd& values,
                                       const TriedPoints& tried) {
  for (const Index i : DescendingOrder(values)) {
    const RowVectorXd row = points.row(i);
    if (!tried.Contains(row)) return ScoredPoint{row, values[i]};
  }
  return std::nullopt;
}

std::optional<ScoredPoint> MaximizeByEnumeration(
    const SearchSpaceEncoding& encoding, const AcquisitionFunction& function,
    const UntriedConfigurations& untried, int max_enumerated,
    std::mt19937_64& rng) {
  std::vector<std::int64_t> indices = untried.Indices();
  if (indices.empty()) return std::nullopt;
  const std::size_t count =
      std::min(indices.size(), static_cast<std::size_t>(max_enumerated));
  // If there are too many to evaluate, take the head of a random permutation.
  for (std::size_t i = 0; count < indices.size() && i < count; ++i) {
    std::swap(indices[i], indices[i + UniformInt(rng, indices.size() - i)]);
  }
  std::optional<ScoredPoint> best;
  for (std::size_t first = 0; first < count; first += kEnumeratedAtOnce) {
    const std::size_t rows = std::min(count - first, kEnumeratedAtOnce);
    MatrixXd points(static_cast<Index>(rows), encoding.num_columns());
    for (std::size_t i = 0; i < rows; ++i) {
      points.row(static_cast<Index>(i)) =
          encoding.Encode(untried.space().At(indices[first + i]));
    }
    VectorXd values;
    function.Evaluate(points, &values, nullptr);
    Index highest = 0;
    const double value = values.maxCoeff(&highest);
    if (best.has_value() && !(value > best->value)) continue;
    best = ScoredPoint{points.row(highest), value};
  }
  return best;
}

}  // namespace

bool IsWidelyStepped(const Coordinate& coordinate) {
  return coordinate.kind == CoordinateKind::kStepped &&
         coordinate.num_levels > kManyLevels;
}

AcquisitionBudget BudgetFor(Eigen::Index n) {
  AcquisitionBudget budget;
  const double work = static_cast<double>(n) * static_cast<double>(n);
  budget.max_enumerated = static_cast<int>(
      std::clamp(kEnumerationWork / std::max(work, 1.0),
                 static_cast<double>(kMinEnumerated),
                 static_cast<double>(kMaxEnumeratedConfigurations)));
  if (n <= 300) return budget;
  budget.num_sobol = n <= 600 ? 256 : 128;
  budget.num_spray = n <= 600 ? 64 : 32;
  budget.num_starts = n <= 600 ? 6 : 4;
  budget.max_rounds = n <= 600 ? 40 : 25;
  return budget;
}

std::optional<ScoredPoint> MaximizeAcquisition(
    const SearchSpaceEncoding& encoding, const AcquisitionFunction& function,
    const MatrixXd& centres, const TriedPoints& tried,
    const AcquisitionBudget& budget, std::mt19937_64& rng) {
  if (tried.untried().has_value()) {
    return MaximizeByEnumeration(encoding, function, *tried.untried(),
                                 budget.max_enumerated, rng);
  }
  const FeasibleRegion& region = tried.region();
  const MatrixXd spread =
      region.is_whole()
          ? SpreadOverSpace(encoding, budget.num_sobol, rng)
          : SpreadOverRegion(encoding, region, budget.num_sobol, rng);
  MatrixXd spray =
      SprayAround(encoding, centres, budget.num_spray, budget.spray_steps, rng);
  if (!region.is_whole()) spray = MovedInto(region, spray, rng);
  if (spread.rows() + spray.rows() == 0) return std::nullopt;
  MatrixXd pool(spread.rows() + spray.rows(), encoding.num_columns());
  pool << spread, spray;
  VectorXd values;
  function.Evaluate(pool, &values, nullptr);
  const std::vector<Index> chosen =
      ChooseStarts(values, spread.rows(), budget.num_starts, rng);
  MatrixXd starts(std::ssize(chosen), encoding.num_columns());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    starts.row(static_cast<Index>(i)) = pool.row(chosen[i]);
  }
  const ClimbResult climb =
      ClimbMixed(encoding, function, region, starts, centres, budget, rng);
  std::optional<ScoredPoint> best =
      BestUntried(climb.points, climb.values, tried);
  if (best.has_value()) return best;
  return BestUntried(pool, values, tried);
}

}  // namespace vernier
