#ifndef VERNIER_HTTP_CLIENT_CURL_POST_H_
#define VERNIER_HTTP_CLIENT_CURL_POST_H_

#include <cstddef>

#include "http/client/curl_library.h"
#include "http/client/http_post.h"

namespace vernier {

/// Receives parts of an answer, as CURLOPT_WRITEFUNCTION does.
struct AnswerSink {
  std::size_t (*receive)(char* data, std::size_t size, std::size_t count,
                         void* user);
  void* user;
};

/// Makes `easy` a transfer of `post`. Certificates are verified, and redirects
/// are not followed. `post` and what `sink` refers to must outlive the
/// transfer. Returns its headers, which slist_free_all frees after it.
curl_slist* SetUpPost(const CurlLibrary& curl, const HttpPost& post,
                      AnswerSink sink, CURL* easy);

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_CURL_POST_H_
