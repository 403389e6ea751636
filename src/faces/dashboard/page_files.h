#ifndef VERNIER_FACES_DASHBOARD_PAGE_FILES_H_
#define VERNIER_FACES_DASHBOARD_PAGE_FILES_H_

#include <memory>
#include <string_view>

#include "http/http_handler.h"

namespace vernier {

/// True for a path of the page: "/", and all paths below "/ui/" except the
/// session and those of DashboardApi. The page shows no data before somebody
/// has signed in, so everybody may have it.
bool IsPagePath(std::string_view path);

/// Answers such a path with a file, or with the page itself for any address in
/// it, so that a person may keep or send that address. Not null.
std::unique_ptr<HttpExchange> ServePage(const HttpRequest& request);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_PAGE_FILES_H_
