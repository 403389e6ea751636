#include "http/client/curl_post.h"

#include <string>

namespace vernier {
namespace {

constexpr long kConnectMs = 5000;

}  // namespace

curl_slist* SetUpPost(const CurlLibrary& curl, const HttpPost& post,
                      AnswerSink sink, CURL* easy) {
  const auto set = [&](CURLoption option, auto value) {
    curl.easy_setopt(easy, option, value);
  };
  // Signals for time limits would reach any thread of the service.
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(post.time_limit.count()));
  set(CURLOPT_USERAGENT, "vernier");
  if (!post.ca_file.empty()) set(CURLOPT_CAINFO, post.ca_file.c_str());
  set(CURLOPT_URL, post.url.c_str());
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDSIZE, static_cast<long>(post.body.size()));
  set(CURLOPT_POSTFIELDS, post.body.data());
  curl_slist* headers = nullptr;
  for (const std::string& header : post.headers) {
    headers = curl.slist_append(headers, header.c_str());
  }
  // Without this, curl waits for "100 Continue" before a large body.
  headers = curl.slist_append(headers, "Expect:");
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_WRITEFUNCTION, sink.receive);
  set(CURLOPT_WRITEDATA, sink.user);
  return headers;
}

}  // namespace vernier
