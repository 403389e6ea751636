#include "edge/http/rest_router.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "http/url.h"

namespace vernier {
namespace {

/// Removes the next segment from the path and returns it.
std::string_view TakeSegment(std::string_view* path) {
  if (!path->empty() && path->front() == '/') path->remove_prefix(1);
  const std::size_t slash = path->find('/');
  const std::string_view segment = path->substr(0, slash);
  *path = slash == std::string_view::npos ? "" : path->substr(slash);
  return segment;
}

bool MatchSegment(std::string_view pattern, std::string_view segment,
                  bool is_last, std::map<std::string, std::string>* variables) {
  if (pattern.empty() || pattern.front() != '{') return pattern == segment;
  const std::size_t end = pattern.find('}');
  const std::string_view verb = pattern.substr(end + 1);  // ":cancel" or none.
  if (verb.empty()) {
    // A verb that no pattern has is not part of a name. Only the last segment
    // can have a verb: "projects/example.com:tuning/jobs" has none.
    if (is_last && segment.find(':') != std::string_view::npos) return false;
  } else {
    if (segment.size() <= verb.size() ||
        segment.substr(segment.size() - verb.size()) != verb) {
      return false;
    }
    segment.remove_suffix(verb.size());
  }
  std::optional<std::string> value = PercentDecode(segment, false);
  if (!value.has_value() || value->empty()) return false;
  variables->emplace(pattern.substr(1, end - 1), *std::move(value));
  return true;
}

bool MatchPath(std::string_view pattern, std::string_view path,
               std::map<std::string, std::string>* variables) {
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = TakeSegment(&pattern);
    const std::string_view segment = TakeSegment(&path);
    if (!MatchSegment(wanted, segment, path.empty(), variables)) return false;
  }
  return pattern.empty() && path.empty();
}

}  // namespace

void RestRouter::Add(RestRoute route) {
  routes_.push_back(std::make_unique<const RestRoute>(std::move(route)));
}

void RestRouter::AddRows(const std::string& id, const std::string& path,
                         const std::vector<RestRow>& rows) {
  for (const RestRow& row : rows) {
    const std::size_t space = row.call.find(' ');
    Add({id + row.id, row.call.substr(0, space),
         path + row.call.substr(space + 1), row.permission, row.summary,
         row.request, row.response, row.parameters, row.handle});
  }
}

RestRouter::Match RestRouter::Find(std::string_view method,
                                   std::string_view path) const {
  Match match;
  // HEAD is GET without the body, which the server leaves out.
  if (method == "HEAD") method = "GET";
  for (const auto& route : routes_) {
    std::map<std::string, std::string> variables;
    if (!MatchPath(route->pattern, path, &variables)) continue;
    match.allowed.push_back(route->method);
    if (route->method == "GET") match.allowed.push_back("HEAD");
    if (route->method != method) continue;
    match.route = route.get();
    match.variables = std::move(variables);
    return match;
  }
  return match;
}

}  // namespace vernier
