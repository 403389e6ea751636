#include "http/client/curl_poster.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr int kPollMs = 1000;

// One request. It is never moved, since libcurl holds its address.
struct Transfer {
  std::size_t kept_bytes = 0;
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  std::string received = "";
  bool is_cut_off = false;
};

std::size_t Receive(char* data, std::size_t size, std::size_t count,
                    void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  const std::size_t bytes = size * count;
  std::string& received = transfer.received;
  received.append(data, std::min(bytes, transfer.kept_bytes - received.size()));
  if (received.size() < transfer.kept_bytes) return bytes;
  transfer.is_cut_off = true;
  return 0;  // Ends it: what counts, the status, has come.
}

// `post` must outlive the transfer.
void SetUp(const CurlLibrary& curl, const HttpPost& post, Transfer* transfer) {
  transfer->easy = curl.easy_init();
  const auto set = [&](CURLoption option, auto value) {
    curl.easy_setopt(transfer->easy, option, value);
  };
  curl.SetUpConnection(transfer->easy);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(post.time_limit.count()));
  if (!post.ca_file.empty()) set(CURLOPT_CAINFO, post.ca_file.c_str());
  set(CURLOPT_URL, post.url.c_str());
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDSIZE, static_cast<long>(post.body.size()));
  set(CURLOPT_POSTFIELDS, post.body.data());
  const auto add_header = [&](const char* header) {
    transfer->headers = curl.slist_append(transfer->headers, header);
  };
  for (const std::string& header : post.headers) add_header(header.c_str());
  // Without this, curl waits for "100 Continue" before a large body.
  add_header("Expect:");
  set(CURLOPT_HTTPHEADER, transfer->headers);
  set(CURLOPT_WRITEFUNCTION, &Receive);
  set(CURLOPT_WRITEDATA, static_cast<void*>(transfer));
}

}  // namespace

absl::StatusOr<std::unique_ptr<CurlPoster>> CurlPoster::Create(
    std::size_t kept_bytes) {
  VERNIER_ASSIGN_OR_RETURN(CurlLibrary curl, CurlLibrary::Open());
  return std::unique_ptr<CurlPoster>(new CurlPoster(curl, kept_bytes));
}

CurlPoster::CurlPoster(CurlLibrary curl, std::size_t kept_bytes)
    : curl_(curl), kept_bytes_(kept_bytes), multi_(curl_.multi_init()) {}

CurlPoster::~CurlPoster() { curl_.multi_cleanup(multi_); }

absl::StatusOr<HttpPostAnswer> CurlPoster::Post(const HttpPost& post) {
  if (is_stopping_) return absl::CancelledError("the service ends");
  Transfer transfer{kept_bytes_};
  SetUp(curl_, post, &transfer);
  bool is_done = curl_.multi_add_handle(multi_, transfer.easy) != CURLM_OK;
  CURLcode result = is_done ? CURLE_FAILED_INIT : CURLE_OK;
  while (!is_done && !is_stopping_) {
    int running = 0;
    curl_.multi_perform(multi_, &running);
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      is_done = true;
      result = message->data.result;
    }
    if (!is_done) curl_.multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
  }
  long status = 0;
  curl_off_t retry_after = 0;
  curl_.easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
  curl_.easy_getinfo(transfer.easy, CURLINFO_RETRY_AFTER, &retry_after);
  curl_.multi_remove_handle(multi_, transfer.easy);
  curl_.easy_cleanup(transfer.easy);
  curl_.slist_free_all(transfer.headers);
  if (!is_done) return absl::CancelledError("the service ends");
  if (result != CURLE_OK && !transfer.is_cut_off) {
    return absl::UnavailableError(
        absl::StrCat(OriginOf(post.url), ": ", curl_.easy_strerror(result)));
  }
  return HttpPostAnswer{static_cast<int>(status), std::move(transfer.received),
                        std::chrono::seconds(retry_after), transfer.is_cut_off};
}

void CurlPoster::Stop() {
  is_stopping_ = true;
  curl_.multi_wakeup(multi_);
}

}  // namespace vernier
