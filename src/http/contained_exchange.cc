#include "http/contained_exchange.h"

#include <new>

namespace vernier {

HttpResponse ContainedExchange::Failed(const std::exception& error) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  HttpResponse answer = handler_.Malformed(
      is_memory ? 503 : 500,
      is_memory ? std::string("out of memory; try again") : error.what());
  answer.close = true;
  return answer;
}

}  // namespace vernier
