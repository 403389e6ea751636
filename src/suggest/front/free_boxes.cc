#include "suggest/front/free_boxes.h"

#include <algorithm>
#include <utility>

#include "suggest/front/pareto_front.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

// A row of the front, as positions in the levels.
using Place = std::vector<std::size_t>;

// True if `a` is at least as good as `b` in the first `count` metrics.
bool Covers(const Place& a, const Place& b, std::size_t count) {
  return std::equal(
      b.begin(), b.begin() + static_cast<std::ptrdiff_t>(count), a.begin(),
      [](std::size_t low, std::size_t high) { return low <= high; });
}

class Decomposition {
 public:
  explicit Decomposition(FreeBoxes* boxes)
      : boxes_(*boxes), lower_(boxes->num_metrics()), upper_(lower_) {}

  // Adds the free boxes of the first `count` metrics, within the bounds that
  // the others have in lower_ and upper_. No place covers another one there.
  void Slice(std::vector<Place> places, std::size_t count) {
    const std::size_t k = count - 1;
    std::sort(places.begin(), places.end(),
              [k](const Place& a, const Place& b) { return a[k] > b[k]; });
    if (k == 0) {
      SetBounds(0, places.empty() ? 0 : places.front()[0], Top(0));
      AddBox();
      return;
    }
    // The places that reach the slice's upper end, without those that others
    // cover in the metrics below.
    std::vector<Place> reaching;
    std::size_t top = Top(k);
    bool has_changed = true;
    std::size_t first_box = 0;
    for (std::size_t i = 0; i <= places.size();) {
      const std::size_t bottom = i < places.size() ? places[i][k] : 0;
      if (bottom < top) {
        if (has_changed) {
          first_box = boxes_.num_boxes();
          SetBounds(k, bottom, top);
          Slice(reaching, k);
        } else {
          Lower(first_box, k, bottom);
        }
        has_changed = false;
        top = bottom;
      }
      if (i == places.size()) break;
      has_changed = Insert(places[i], k, &reaching) || has_changed;
      ++i;
    }
  }

 private:
  std::size_t Top(std::size_t k) const { return boxes_.levels[k].size(); }

  void SetBounds(std::size_t k, std::size_t lower, std::size_t upper) {
    lower_[k] = lower;
    upper_[k] = upper;
  }

  void AddBox() {
    boxes_.bounds.insert(boxes_.bounds.end(), lower_.begin(), lower_.end());
    boxes_.bounds.insert(boxes_.bounds.end(), upper_.begin(), upper_.end());
  }

  // Nothing has changed since the last slice, so its boxes are extended
  // downwards.
  void Lower(std::size_t first_box, std::size_t k, std::size_t bottom) {
    const std::size_t width = 2 * boxes_.num_metrics();
    for (std::size_t box = first_box; box < boxes_.num_boxes(); ++box) {
      boxes_.bounds[box * width + k] = bottom;
    }
  }

  static bool Insert(const Place& place, std::size_t count,
                     std::vector<Place>* front) {
    for (const Place& other : *front) {
      if (Covers(other, place, count)) return false;
    }
    std::erase_if(*front, [&](const Place& other) {
      return Covers(place, other, count);
    });
    front->push_back(place);
    return true;
  }

  FreeBoxes& boxes_;
  std::vector<std::size_t> lower_;
  std::vector<std::size_t> upper_;
};

}  // namespace

FreeBoxes DecomposeFree(const MatrixXd& merits, const RowVectorXd& reference) {
  const MatrixXd front = FrontAbove(merits, reference);
  FreeBoxes boxes;
  std::vector<Place> places(static_cast<std::size_t>(front.rows()));
  for (Index k = 0; k < reference.size(); ++k) {
    std::vector<double> levels(front.col(k).begin(), front.col(k).end());
    levels.push_back(reference[k]);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (Index row = 0; row < front.rows(); ++row) {
      const auto at =
          std::lower_bound(levels.begin(), levels.end(), front(row, k));
      places[static_cast<std::size_t>(row)].push_back(
          static_cast<std::size_t>(at - levels.begin()));
    }
    boxes.levels.push_back(std::move(levels));
  }
  Decomposition(&boxes).Slice(std::move(places), boxes.num_metrics());
  return boxes;
}

}  // namespace vernier
