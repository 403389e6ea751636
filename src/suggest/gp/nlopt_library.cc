#include "suggest/gp/nlopt_library.h"

#include <dlfcn.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// Returns the message of the last dlopen or dlsym of this thread.
absl::Status LoadError(const char* what) {
  const char* reason = dlerror();
  return absl::FailedPreconditionError(absl::StrCat(
      "cannot load ", what, ", which the default algorithm needs; install the ",
      "Debian package libnlopt0: ", reason == nullptr ? "unknown" : reason));
}

template <typename Function>
bool Find(void* library, const char* name, Function* function,
          absl::Status* status) {
  if (!status->ok()) return false;
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function == nullptr) *status = LoadError(name);
  return *function != nullptr;
}

}  // namespace

absl::StatusOr<NloptLibrary> NloptLibrary::Open(const char* shared_object) {
  // The library is never unloaded, so the pointers stay valid and opening it
  // again only increments a reference count.
  void* library = dlopen(shared_object, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return LoadError(shared_object);
  NloptLibrary nlopt;
  absl::Status status;
  Find(library, "nlopt_create", &nlopt.create, &status);
  Find(library, "nlopt_destroy", &nlopt.destroy, &status);
  Find(library, "nlopt_set_min_objective", &nlopt.set_min_objective, &status);
  Find(library, "nlopt_set_lower_bounds", &nlopt.set_lower_bounds, &status);
  Find(library, "nlopt_set_upper_bounds", &nlopt.set_upper_bounds, &status);
  Find(library, "nlopt_set_ftol_abs", &nlopt.set_ftol_abs, &status);
  Find(library, "nlopt_set_maxeval", &nlopt.set_maxeval, &status);
  Find(library, "nlopt_set_vector_storage", &nlopt.set_vector_storage, &status);
  Find(library, "nlopt_force_stop", &nlopt.force_stop, &status);
  Find(library, "nlopt_optimize", &nlopt.optimize, &status);
  dlclose(library);
  if (!status.ok()) return status;
  return nlopt;
}

}  // namespace vernier
