#ifndef VERNIER_HTTP_LAST_ANSWER_H_
#define VERNIER_HTTP_LAST_ANSWER_H_

#include <string>

#include "http/http_message.h"

namespace vernier {

/// The bytes of an answer with a body, after which the connection ends. It is
/// for clients that are refused before there is a stream. Pure.
std::string LastAnswer(const HttpResponse& response);

}  // namespace vernier

#endif  // VERNIER_HTTP_LAST_ANSWER_H_
