#ifndef VERNIER_HTTP_LAST_ANSWER_H_
#define VERNIER_HTTP_LAST_ANSWER_H_

#include <string>

#include "http/http_message.h"

namespace vernier {

/// Returns the bytes of an answer with a body, after which the connection ends,
/// for clients that are refused before there is a stream. Pure.
std::string LastAnswer(const HttpResponse& response);

}  // namespace vernier

#endif  // VERNIER_HTTP_LAST_ANSWER_H_
