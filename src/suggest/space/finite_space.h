#ifndef VERNIER_SUGGEST_SPACE_FINITE_SPACE_H_
#define VERNIER_SUGGEST_SPACE_FINITE_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// Spaces of at most this many configurations are enumerated, so that no
/// suggester repeats a configuration while another is untried.
inline constexpr std::int64_t kMaxEnumeratedConfigurations = 20000;

/// The configurations of a space in which no DOUBLE can vary, numbered from 0
/// in the order of nested loops: the last parameter changes fastest, and the
/// children of a value before the parent's next value.
class FiniteSpace {
 public:
  /// nullopt if some DOUBLE has min_value < max_value. `space` is borrowed and
  /// must outlive the object.
  static std::optional<FiniteSpace> Create(
      const std::vector<ParameterSpec>& space);

  /// Returns the number of configurations; saturates at 2^63 - 1.
  std::int64_t size() const { return size_; }

  /// `index` in [0, size()).
  Parameters At(std::int64_t index) const;

  /// Inverse of At, or nullopt if the number passes 2^63 - 1. `parameters` must
  /// fit the space.
  std::optional<std::int64_t> IndexOf(const Parameters& parameters) const;

 private:
  explicit FiniteSpace(const std::vector<ParameterSpec>& space);

  // The part of a space that one value of a parent activates.
  struct Branch {
    std::vector<std::size_t> children;  // Positions in the space.
    std::int64_t size = 1;              // Configurations of the children.
  };
  struct Node {
    std::int64_t num_levels = 0;
    std::map<std::int64_t, Branch> branches;  // By level, where there are any.
    std::int64_t size = 1;  // Configurations with everything below it.
  };

  std::int64_t SizeOf(const std::vector<std::size_t>& list) const;
  void Fill(const std::vector<std::size_t>& list, std::int64_t index,
            Parameters* parameters) const;
  std::optional<std::int64_t> Find(
      const std::vector<std::size_t>& list,
      const std::vector<const ParameterValue*>& values) const;

  const std::vector<ParameterSpec>* space_;  // Never null.
  std::vector<Node> nodes_;                  // Per parameter.
  std::vector<std::size_t> roots_;
  std::int64_t size_ = 1;
};

/// The configurations of a small space that were not suggested yet.
class UntriedConfigurations {
 public:
  /// nullopt unless the space is finite with at most
  /// kMaxEnumeratedConfigurations. `space` is borrowed.
  static std::optional<UntriedConfigurations> Create(
      const std::vector<ParameterSpec>& space);

  /// Idempotent. `parameters` must fit the space.
  void MarkTried(const Parameters& parameters);

  /// Marks all configurations for which `is_out(parameters)`, calling it once
  /// for each.
  void MarkTriedIf(const std::function<bool(const Parameters&)>& is_out);

  bool IsTried(const Parameters& parameters) const;
  bool empty() const { return num_untried_ == 0; }

  /// Returns the untried configurations by ascending index.
  std::vector<std::int64_t> Indices() const;

  /// Returns one of them, uniformly. Must not be empty.
  Parameters Draw(std::mt19937_64& rng) const;

  const FiniteSpace& space() const { return space_; }

 private:
  explicit UntriedConfigurations(FiniteSpace space);

  FiniteSpace space_;
  std::vector<bool> tried_;
  std::int64_t num_untried_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_FINITE_SPACE_H_
