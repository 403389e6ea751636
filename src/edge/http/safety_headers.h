#ifndef VERNIER_EDGE_HTTP_SAFETY_HEADERS_H_
#define VERNIER_EDGE_HTTP_SAFETY_HEADERS_H_

#include <string_view>
#include <utility>

#include "http/http_message.h"

namespace vernier {

/// What every answer over HTTP says to browsers, whatever it is: nothing here
/// is a page, so nobody may sniff, frame, run or keep it, or learn from where
/// it was called.
inline constexpr std::pair<std::string_view, std::string_view>
    kSafetyHeaders[] = {
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Content-Security-Policy",
         "sandbox; default-src 'none'; frame-ancestors 'none'"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "private, no-store"},
};

/// Adds those that `response` does not set itself: an object may have a
/// Cache-Control of its own. Pure.
void AddSafetyHeaders(HttpResponse* response);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_SAFETY_HEADERS_H_
