#ifndef VERNIER_FACES_KATIB_KATIB_SPACE_H_
#define VERNIER_FACES_KATIB_KATIB_SPACE_H_

#include <katib/v1beta1/katib.pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/parameter.h"

namespace vernier {

namespace katib = ::api::v1::beta1;

/// The search space of a Katib experiment as the engine sees it, and the texts
/// in which Katib writes its values. Immutable.
///
/// With a step and no logarithmic distribution the engine sees the number of
/// the step. NORMAL and LOG_NORMAL count as UNIFORM and LOG_UNIFORM, because
/// the engine knows bounds and scales but no densities.
class KatibSpace {
 public:
  using Specs = google::protobuf::RepeatedPtrField<katib::ParameterSpec>;
  using Assignments =
      google::protobuf::RepeatedPtrField<katib::ParameterAssignment>;

  static constexpr int kMostParameters = 1000;
  static constexpr int kMostValues = 1000;
  static constexpr std::size_t kLongestName = 256;
  static constexpr std::size_t kLongestValue = 4096;

  /// Reads the parameters of an experiment; none is an empty space.
  /// INVALID_ARGUMENT names the parameter, its value and what would be right.
  static absl::StatusOr<KatibSpace> Read(const Specs& specs);

  const std::vector<ParameterSpec>& parameters() const { return parameters_; }

  /// OK if a grid can list all configurations; otherwise INVALID_ARGUMENT.
  absl::Status CheckIsGrid() const;
  /// Returns the number of configurations of such a space; saturates at 2^63 -
  /// 1.
  std::int64_t NumConfigurations() const;

  /// Returns the values of a trial; nullopt if it lacks one, or has one that is
  /// not of the space. Other names are ignored.
  std::optional<Parameters> ValuesOf(const Assignments& assignments) const;

  /// Writes a configuration of the space.
  void Write(const Parameters& values, Assignments* assignments) const;

 private:
  /// The way from the engine's values to Katib's texts.
  struct Form {
    /// The type of Katib's values; of a step the engine's is another.
    ParameterType type = ParameterType::kDouble;
    std::optional<double> step;  ///< The engine's value numbers the steps.
    double first = 0;            ///< With a step: the value of number 0.
    double last = 0;             ///< With a step: no value is above it.
    /// The texts of DISCRETE values, parallel to ParameterSpec's.
    std::vector<std::string> texts = {};
  };

  absl::Status Add(const katib::ParameterSpec& spec);
  absl::Status AddNumber(const katib::ParameterSpec& spec);
  absl::Status AddList(const katib::ParameterSpec& spec);
  void AddSteps(double step, ParameterSpec parameter, Form form);
  std::optional<ParameterValue> ValueOf(std::size_t place,
                                        const std::string& text) const;
  std::string TextOf(std::size_t place, const ParameterValue& value) const;

  std::vector<ParameterSpec> parameters_;
  std::vector<Form> forms_;  // Parallel to parameters_.
};

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_SPACE_H_
