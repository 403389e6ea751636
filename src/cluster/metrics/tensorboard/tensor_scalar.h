#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_TENSOR_SCALAR_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_TENSOR_SCALAR_H_

#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// The number that a TensorFlow tensor of one element holds: a float, double,
/// half, bfloat16, bool, or an integer of 8 to 64 bits, with or without a sign,
/// in `tensor_content` or in the list of its type. Where there is no value at
/// all it is 0, which TensorFlow leaves out. Pure.
///
/// INVALID_ARGUMENT says what else it is ("a tensor of several elements").
absl::StatusOr<double> ReadTensorScalar(std::string_view tensor);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_TENSOR_SCALAR_H_
