#ifndef VERNIER_EDGE_HTTP_SAFETY_HEADERS_H_
#define VERNIER_EDGE_HTTP_SAFETY_HEADERS_H_

#include <string_view>
#include <utility>

#include "http/http_message.h"

namespace vernier {

/// Headers of every answer over HTTP. Nothing here is a web page, so browsers
/// must not guess its type, frame it, run it or store it, or send its address
/// as a referrer.
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

/// Adds those headers that `response` does not set itself, since an object may
/// have its own Cache-Control. Pure.
void AddSafetyHeaders(HttpResponse* response);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_SAFETY_HEADERS_H_
