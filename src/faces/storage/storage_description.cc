#include "faces/storage/storage_description.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "faces/storage/storage_route.h"

namespace vernier {
namespace {

Json Content(const char* type, Json schema) {
  return {{type, {{"schema", std::move(schema)}}}};
}

Json JsonContent(Json schema) {
  return Content("application/json", std::move(schema));
}

Json Described(const char* description) {
  return {{"description", description}};
}

Json Parameter(const std::string& name, const char* where,
               const std::string& type) {
  return {{"name", name},
          {"in", where},
          {"required", where == std::string_view("path")},
          {"schema", {{"type", type}}}};
}

/// Returns the pattern with names in braces; each is also added to
/// `parameters`.
std::string PathOf(const StorageMethodRow& row, Json* parameters) {
  std::string path(row.prefix);
  int names = 0;
  const std::vector<std::string> segments =
      absl::StrSplit(std::string(row.pattern), '/');
  for (const std::string& segment : segments) {
    if (!path.empty() && path.back() != '/' && !segment.empty()) path += '/';
    if (segment != "B" && segment != "O") {
      path += segment;
      continue;
    }
    std::string name = segment == "B" ? "bucket" : "object";
    // A copy has four names; the third and fourth are its destination.
    if (++names > 2) name = segment == "B" ? "toBucket" : "toObject";
    absl::StrAppend(&path, "{", name, "}");
    parameters->push_back(Parameter(name, "path", "string"));
  }
  return path;
}

void AddQuery(std::string_view query, Json* parameters) {
  const std::vector<std::string> words =
      absl::StrSplit(std::string(query), ' ', absl::SkipEmpty());
  for (const std::string& word : words) {
    const std::size_t colon = word.find(':');
    parameters->push_back(Parameter(
        word.substr(0, colon), "query",
        colon == std::string::npos ? "string" : word.substr(colon + 1)));
  }
}

/// Returns the description of a method's body; null if it has none.
Json BodyOf(StorageMethod method) {
  const Json object = {{"type", "object"}};
  switch (method) {
    case StorageMethod::kInsertBucket:
      return JsonContent({{"type", "object"},
                          {"required", {"name"}},
                          {"properties", {{"name", {{"type", "string"}}}}}});
    case StorageMethod::kComposeObject:
      return JsonContent(
          {{"type", "object"},
           {"required", {"sourceObjects"}},
           {"properties",
            {{"sourceObjects", {{"type", "array"}, {"items", object}}}}}});
    case StorageMethod::kPatchObject:
    case StorageMethod::kUpdateObject:
    case StorageMethod::kRewriteObject:
    case StorageMethod::kCopyObject:
      return JsonContent(object);
    case StorageMethod::kUploadObject:
    case StorageMethod::kResumeUpload:
      return Content("application/octet-stream", Json::object());
    case StorageMethod::kBatch:
      return Content("multipart/mixed", {{"type", "string"}});
    default:
      return nullptr;
  }
}

/// Returns the description of a method's answer on success.
Json AnswersOf(StorageMethod method) {
  switch (method) {
    case StorageMethod::kDeleteBucket:
    case StorageMethod::kDeleteObject:
      return {{"204", Described("Done.")}};
    case StorageMethod::kDownloadObject:
      return {{"200", Described("The bytes, of the object's own type.")},
              {"206", Described("A part of them.")}};
    case StorageMethod::kUploadObject:
      return {{"200", Described("The object; of a resumable upload, its place "
                                "in Location.")}};
    case StorageMethod::kResumeUpload:
      return {{"200", Described("The object, which is whole.")},
              {"308", Described("More is wanted; Range says what is here.")}};
    case StorageMethod::kCancelUpload:
      return {{"499", Described("It is given up.")}};
    case StorageMethod::kBatch:
      return {
          {"200", Described("An answer for each call, in multipart/mixed.")}};
    default:
      break;
  }
  Json done = Described("Done.");
  done["content"] =
      JsonContent({{"type", "object"},
                   {"required", {"kind"}},
                   {"properties", {{"kind", {{"type", "string"}}}}}});
  Json answers = {{"200", std::move(done)}};
  if (method == StorageMethod::kGetObject) {
    answers["304"] = Described("It is as the caller knows it.");
  }
  return answers;
}

}  // namespace

Json StoragePaths() {
  Json paths = Json::object();
  for (const StorageMethodRow& row : StorageMethods()) {
    Json parameters = Json::array();
    const std::string path = PathOf(row, &parameters);
    AddQuery(row.query, &parameters);
    Json answers = AnswersOf(row.method);
    answers["default"] = Described("An error.");
    answers["default"]["content"] =
        JsonContent({{"$ref", "#/components/schemas/Error"}});
    Json operation = {
        {"operationId", row.id},
        {"summary", row.summary},
        {"description",
         absl::StrCat(
             "Needs the permission ",
             row.http_method == "GET" ? "READ_OBJECTS" : "WRITE_OBJECTS", ".")},
        {"parameters", std::move(parameters)},
        {"responses", std::move(answers)}};
    if (Json body = BodyOf(row.method); !body.is_null()) {
      operation["requestBody"]["content"] = std::move(body);
    }
    paths[path][absl::AsciiStrToLower(std::string(row.http_method))] =
        std::move(operation);
  }
  return paths;
}

}  // namespace vernier
