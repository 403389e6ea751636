#ifndef VERNIER_HTTP_CLIENT_CURL_LIBRARY_H_
#define VERNIER_HTTP_CLIENT_CURL_LIBRARY_H_

#include <curl/curl.h>

#include "absl/status/statusor.h"

namespace vernier {

/// The functions of libcurl that are used here, found at run time. libcurl's
/// archive cannot be linked, since Debian has none of Kerberos, and a binary
/// that needed the shared object would not start on a machine that only
/// supervises a trial. The shared object stays open. Copyable; thread-safe.
class CurlLibrary {
 public:
  static constexpr const char* kSharedObject = "libcurl.so.4";

  /// FAILED_PRECONDITION, naming the Debian package to install, if the shared
  /// object or one of its functions cannot be found.
  static absl::StatusOr<CurlLibrary> Open(
      const char* shared_object = kSharedObject);

  /// Makes the transfer verify certificates, follow no redirect, and speak
  /// nothing but HTTP.
  void SetUpConnection(CURL* easy) const;

  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_pause) easy_pause = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;

 private:
  CurlLibrary() = default;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_CURL_LIBRARY_H_
