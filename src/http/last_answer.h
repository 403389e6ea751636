#ifndef VERNIER_HTTP_LAST_ANSWER_H_
#define VERNIER_HTTP_LAST_ANSWER_H_

#include <string>

#include "http/http_message.h"

namespace vernier {

/// The bytes of an answer that has a body, behind which the connection ends.
/// For whoever is turned away before there is a stream to answer with. Pure.
std::string LastAnswer(const HttpResponse& response);

}  // namespace vernier

#endif  // VERNIER_HTTP_LAST_ANSWER_H_
