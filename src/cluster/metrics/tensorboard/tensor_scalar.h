#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_TENSOR_SCALAR_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_TENSOR_SCALAR_H_

#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns the number in a TensorFlow tensor of one element: a float, double,
/// half, bfloat16, bool, or an integer of 8 to 64 bits, signed or unsigned, in
/// `tensor_content` or in the list of its type. A tensor without any value is
/// 0, which TensorFlow does not write. Pure.
///
/// Otherwise returns INVALID_ARGUMENT with a description of the tensor ("a
/// tensor of several elements").
absl::StatusOr<double> ReadTensorScalar(std::string_view tensor);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_TENSOR_SCALAR_H_
