#ifndef VERNIER_SUGGEST_GP_NLOPT_LIBRARY_H_
#define VERNIER_SUGGEST_GP_NLOPT_LIBRARY_H_

#include <nlopt.h>

#include "absl/status/statusor.h"

namespace vernier {

/// The functions of NLopt that we call, found at run time.
///
/// Debian has NLopt as a shared object only. If it were linked, the binary
/// would not start on a machine without it, although there it may only have to
/// supervise a trial. So it is opened when a model is first fitted, and stays
/// open. Copyable; thread-safe.
class NloptLibrary {
 public:
  static constexpr const char* kSharedObject = "libnlopt.so.0";

  /// FAILED_PRECONDITION, naming the Debian package to install, if the shared
  /// object or one of its functions cannot be found. Cheap after the first
  /// success.
  static absl::StatusOr<NloptLibrary> Open(
      const char* shared_object = kSharedObject);

  decltype(&nlopt_create) create = nullptr;
  decltype(&nlopt_destroy) destroy = nullptr;
  decltype(&nlopt_set_min_objective) set_min_objective = nullptr;
  decltype(&nlopt_set_lower_bounds) set_lower_bounds = nullptr;
  decltype(&nlopt_set_upper_bounds) set_upper_bounds = nullptr;
  decltype(&nlopt_set_ftol_abs) set_ftol_abs = nullptr;
  decltype(&nlopt_set_maxeval) set_maxeval = nullptr;
  decltype(&nlopt_set_vector_storage) set_vector_storage = nullptr;
  decltype(&nlopt_force_stop) force_stop = nullptr;
  decltype(&nlopt_optimize) optimize = nullptr;

 private:
  NloptLibrary() = default;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_NLOPT_LIBRARY_H_
