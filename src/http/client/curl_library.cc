#include "http/client/curl_library.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr long kConnectMs = 5000;

// Returns the error of the last dlopen or dlsym of this thread.
absl::Status LoadError(const char* what) {
  const char* reason = dlerror();
  return absl::FailedPreconditionError(
      absl::StrCat("cannot load ", what,
                   ", which calls other services; install the Debian "
                   "package libcurl4: ",
                   reason == nullptr ? "unknown" : reason));
}

template <typename Function>
void Find(void* library, const char* name, Function* function,
          absl::Status* status) {
  if (!status->ok()) return;
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function == nullptr) *status = LoadError(name);
}

}  // namespace

absl::StatusOr<CurlLibrary> CurlLibrary::Open(const char* shared_object) {
  void* library = dlopen(shared_object, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return LoadError(shared_object);
  CurlLibrary curl;
  absl::Status status;
  Find(library, "curl_global_init", &curl.global_init, &status);
  Find(library, "curl_easy_init", &curl.easy_init, &status);
  Find(library, "curl_easy_setopt", &curl.easy_setopt, &status);
  Find(library, "curl_easy_getinfo", &curl.easy_getinfo, &status);
  Find(library, "curl_easy_pause", &curl.easy_pause, &status);
  Find(library, "curl_easy_strerror", &curl.easy_strerror, &status);
  Find(library, "curl_easy_cleanup", &curl.easy_cleanup, &status);
  Find(library, "curl_multi_init", &curl.multi_init, &status);
  Find(library, "curl_multi_add_handle", &curl.multi_add_handle, &status);
  Find(library, "curl_multi_remove_handle", &curl.multi_remove_handle, &status);
  Find(library, "curl_multi_perform", &curl.multi_perform, &status);
  Find(library, "curl_multi_poll", &curl.multi_poll, &status);
  Find(library, "curl_multi_wakeup", &curl.multi_wakeup, &status);
  Find(library, "curl_multi_info_read", &curl.multi_info_read, &status);
  Find(library, "curl_multi_cleanup", &curl.multi_cleanup, &status);
  Find(library, "curl_slist_append", &curl.slist_append, &status);
  Find(library, "curl_slist_free_all", &curl.slist_free_all, &status);
  VERNIER_RETURN_IF_ERROR(status);
  if (curl.global_init(CURL_GLOBAL_ALL) != CURLE_OK) {
    return absl::FailedPreconditionError("libcurl cannot be initialized");
  }
  return curl;
}

void CurlLibrary::SetUpConnection(CURL* easy) const {
  const auto set = [&](CURLoption option, auto value) {
    easy_setopt(easy, option, value);
  };
  // Signals for time limits would reach any thread of the service.
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
  set(CURLOPT_USERAGENT, "vernier");
}

}  // namespace vernier
