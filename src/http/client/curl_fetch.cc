#include "http/client/curl_fetch.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "http/client/curl_library.h"
#include "http/client/curl_post.h"

namespace vernier {
namespace {

constexpr int kFetchPollMs = 1000;

// What libcurl has received of one answer.
struct Fetched {
  std::string body;
  std::size_t most_bytes = 0;
  bool is_too_long = false;
};

std::size_t ReceiveFetched(char* data, std::size_t size, std::size_t count,
                           void* user) {
  Fetched& fetched = *static_cast<Fetched*>(user);
  const std::size_t bytes = size * count;
  if (fetched.body.size() + bytes > fetched.most_bytes) {
    fetched.is_too_long = true;
    return 0;  // Ends the transfer.
  }
  fetched.body.append(data, bytes);
  return bytes;
}

// One transfer, and all that libcurl made for it.
class Fetch {
 public:
  explicit Fetch(const CurlLibrary& curl)
      : curl_(curl), easy_(curl.easy_init()), multi_(curl.multi_init()) {}
  ~Fetch() {
    if (multi_ != nullptr) curl_.multi_cleanup(multi_);
    if (easy_ != nullptr) curl_.easy_cleanup(easy_);
    curl_.slist_free_all(headers_);
  }
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;

  void SetUp(const HttpPost& post, Fetched* fetched) {
    headers_ = SetUpPost(curl_, post, {&ReceiveFetched, fetched}, easy_);
  }

  // Returns libcurl's verdict on the transfer.
  CURLcode Run() {
    curl_.multi_add_handle(multi_, easy_);
    int running = 1;
    while (running > 0) {
      if (curl_.multi_perform(multi_, &running) != CURLM_OK) break;
      if (running > 0) {
        curl_.multi_poll(multi_, nullptr, 0, kFetchPollMs, nullptr);
      }
    }
    CURLcode code = CURLE_FAILED_INIT;
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
      if (message->msg == CURLMSG_DONE) code = message->data.result;
    }
    curl_.multi_remove_handle(multi_, easy_);
    return code;
  }

  int Status() {
    long status = 0;
    curl_.easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    return static_cast<int>(status);
  }

  bool is_made() const { return easy_ != nullptr && multi_ != nullptr; }

 private:
  const CurlLibrary& curl_;
  CURL* const easy_;
  CURLM* const multi_;
  curl_slist* headers_ = nullptr;
};

}  // namespace

absl::StatusOr<FetchedAnswer> FetchAnswer(const HttpPost& post,
                                          std::size_t most_bytes) {
  VERNIER_RETURN_IF_ERROR(CheckOutboundUrl(post.url));
  VERNIER_ASSIGN_OR_RETURN(const CurlLibrary curl, CurlLibrary::Open());
  curl.global_init(CURL_GLOBAL_DEFAULT);
  Fetched fetched{"", most_bytes, false};
  Fetch fetch(curl);
  if (!fetch.is_made()) return absl::InternalError("libcurl has no memory");
  fetch.SetUp(post, &fetched);
  const CURLcode code = fetch.Run();
  if (fetched.is_too_long) {
    return absl::ResourceExhaustedError(
        absl::StrCat(OriginOf(post.url), ": its answer has more than ",
                     most_bytes, " bytes"));
  }
  if (code != CURLE_OK) {
    return absl::UnavailableError(
        absl::StrCat(OriginOf(post.url), ": ", curl.easy_strerror(code)));
  }
  return FetchedAnswer{fetch.Status(), std::move(fetched.body)};
}

}  // namespace vernier
