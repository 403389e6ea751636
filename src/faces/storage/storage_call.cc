#include "faces/storage/storage_call.h"

#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/attributes_json.h"
#include "buckets/object_copy.h"
#include "faces/storage/storage_json.h"
#include "study/job_id.h"

namespace vernier {
namespace {

using AnswerOr = absl::StatusOr<HttpResponse>;

HttpResponse NoContent() {
  HttpResponse response;
  response.status = 204;
  return response;
}

Json EmptyList(const char* kind) {
  Json json = Json::object();
  json["kind"] = kind;
  return json;
}

// Returns the project of a call about no single bucket: the caller's own, or
// the one that an administrator names. Empty: an administrator named none.
absl::StatusOr<std::string> ProjectOf(const StorageCall& call) {
  const std::string named = call.request.QueryText("project");
  if (call.user.is_administrator()) {
    if (!named.empty()) VERNIER_RETURN_IF_ERROR(CheckProjectId(named));
    return named;
  }
  if (named.empty() || named == call.user.project()) return call.user.project();
  // Callers without the right must not learn what exists.
  return absl::NotFoundError(
      absl::StrCat("there is no project \"", named, "\""));
}

AnswerOr ListBuckets(const StorageCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const std::string project, ProjectOf(call));
  VERNIER_ASSIGN_OR_RETURN(
      const auto buckets,
      call.buckets->List(project.empty() ? BucketUser::Administrator()
                                         : BucketUser::Of(project)));
  const std::string prefix = call.request.QueryText("prefix");
  Json items = Json::array();
  for (const BucketStore::Listed& each : buckets) {
    if (each.bucket->name().compare(0, prefix.size(), prefix) != 0) continue;
    items.push_back(BucketToJson(*each.bucket, call.base_url));
  }
  Json json = EmptyList("storage#buckets");
  json["items"] = std::move(items);
  return JsonResponse(200, json);
}

AnswerOr InsertBucket(const StorageCall& call, const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  const auto name = json.find("name");
  if (name == json.end() || !name->is_string()) {
    return absl::InvalidArgumentError("a bucket needs a name");
  }
  VERNIER_ASSIGN_OR_RETURN(std::string project, ProjectOf(call));
  if (project.empty()) project = kDefaultProject;
  VERNIER_ASSIGN_OR_RETURN(
      const BucketStore::BucketPtr bucket,
      call.buckets->Create(name->get<std::string>(), project));
  return JsonResponse(200, BucketToJson(*bucket, call.base_url));
}

AnswerOr GetStorageLayout(const Bucket& bucket) {
  Json json = Json::object();
  json["kind"] = "storage#storageLayout";
  json["bucket"] = bucket.name();
  json["location"] = "LOCAL";
  json["locationType"] = "region";
  json["hierarchicalNamespace"]["enabled"] = false;
  return JsonResponse(200, json);
}

// Page tokens are object names, encoded so that clients do not interpret them.
absl::StatusOr<ListQuery> ListQueryFrom(const HttpRequest& request) {
  ListQuery query;
  query.prefix = request.QueryText("prefix");
  query.delimiter = request.QueryText("delimiter");
  query.start_offset = request.QueryText("startOffset");
  query.end_offset = request.QueryText("endOffset");
  query.include_trailing_delimiter =
      request.QueryText("includeTrailingDelimiter") == "true";
  VERNIER_ASSIGN_OR_RETURN(const auto max_results,
                           NumberFrom(request, "maxResults"));
  if (max_results && *max_results >= 1 && *max_results < query.max_results) {
    query.max_results = static_cast<int>(*max_results);
  }
  const std::string token(request.QueryText("pageToken"));
  // The decoder skips blanks, which no token of ours has.
  if (!absl::Base64Unescape(token, &query.after) ||
      absl::Base64Escape(query.after) != token) {
    return absl::InvalidArgumentError("pageToken is none of ours");
  }
  return query;
}

AnswerOr ListBucketObjects(const StorageCall& call, Bucket& bucket) {
  if (call.request.QueryText("softDeleted") == "true") {
    return JsonResponse(200, EmptyList("storage#objects"));
  }
  VERNIER_ASSIGN_OR_RETURN(const ListQuery query, ListQueryFrom(call.request));
  VERNIER_ASSIGN_OR_RETURN(const ObjectMetadataPage page, bucket.List(query));
  Json json = EmptyList("storage#objects");
  if (!page.next.empty()) json["nextPageToken"] = absl::Base64Escape(page.next);
  if (!page.prefixes.empty()) json["prefixes"] = page.prefixes;
  Json items = Json::array();
  for (const ObjectMetadata& object : page.objects) {
    items.push_back(ObjectToJson(bucket.name(), object, call.base_url));
  }
  if (!items.empty()) json["items"] = std::move(items);
  return JsonResponse(200, json);
}

// Only the present generation exists; any other one is NOT_FOUND.
absl::Status CheckGeneration(const StorageCall& call, Bucket& bucket) {
  VERNIER_ASSIGN_OR_RETURN(const auto generation,
                           NumberFrom(call.request, "generation"));
  if (!generation) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(const OpenObject object,
                           bucket.OpenObjectToRead(call.route.object));
  if (object.metadata.generation == *generation) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("No such object: ", bucket.name(),
                                          "/", call.route.object, "#",
                                          *generation));
}

bool IsUnchanged(const HttpRequest& request, const Preconditions& conditions,
                 const ObjectMetadata& metadata) {
  return conditions.generation_not_match == metadata.generation ||
         conditions.metageneration_not_match == metadata.metageneration ||
         request.Header("if-none-match") == ObjectTag(metadata);
}

AnswerOr GetObject(const StorageCall& call, Bucket& bucket) {
  VERNIER_ASSIGN_OR_RETURN(const ObjectMetadata metadata,
                           bucket.Stat(call.route.object));
  VERNIER_ASSIGN_OR_RETURN(const Preconditions conditions,
                           PreconditionsFrom(call.request));
  HttpResponse response;
  if (IsUnchanged(call.request, conditions, metadata)) {
    response.status = 304;
  } else {
    VERNIER_RETURN_IF_ERROR(CheckPreconditions(conditions, &metadata));
    response =
        JsonResponse(200, ObjectToJson(bucket.name(), metadata, call.base_url));
  }
  response.headers.emplace_back("ETag", ObjectTag(metadata));
  return response;
}

AnswerOr ChangeAttributes(const StorageCall& call, Bucket& bucket,
                          const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const Preconditions conditions,
                           PreconditionsFrom(call.request));
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  const bool replaces = call.route.method == StorageMethod::kUpdateObject;
  VERNIER_ASSIGN_OR_RETURN(
      const ObjectMetadata metadata,
      bucket.Patch(call.route.object, conditions,
                   [&](ObjectAttributes* attributes) -> absl::Status {
                     try {
                       if (replaces) *attributes = {};
                       PatchAttributes(json, attributes);
                       return absl::OkStatus();
                     } catch (const Json::exception& error) {
                       return absl::InvalidArgumentError(error.what());
                     }
                   }));
  return JsonResponse(200,
                      ObjectToJson(bucket.name(), metadata, call.base_url));
}

AnswerOr Copy(const StorageCall& call, Bucket& bucket,
              const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const BucketStore::BucketPtr destination,
                           call.buckets->Find(call.route.destination_bucket,
                                              call.user, BucketRight::kWrite));
  ObjectSource source;
  source.name = call.route.object;
  VERNIER_ASSIGN_OR_RETURN(source.generation,
                           NumberFrom(call.request, "sourceGeneration"));
  VERNIER_ASSIGN_OR_RETURN(source.preconditions,
                           PreconditionsFrom(call.request, /*of_source=*/true));
  VERNIER_ASSIGN_OR_RETURN(ObjectWrite write, WriteFromJson(body));
  write.name = call.route.destination_object;
  write.expected = {};  // Clients may send the whole source.
  VERNIER_ASSIGN_OR_RETURN(write.preconditions,
                           PreconditionsFrom(call.request));
  const bool replaces = write.attributes != ObjectAttributes();
  VERNIER_ASSIGN_OR_RETURN(
      const ObjectMetadata metadata,
      CopyObject(bucket, source, *destination, std::move(write), replaces));
  Json resource = ObjectToJson(destination->name(), metadata, call.base_url);
  if (call.route.method == StorageMethod::kCopyObject) {
    return JsonResponse(200, resource);
  }
  Json json = EmptyList("storage#rewriteResponse");
  json["totalBytesRewritten"] = absl::StrCat(metadata.size);
  json["objectSize"] = absl::StrCat(metadata.size);
  json["done"] = true;
  json["resource"] = std::move(resource);
  return JsonResponse(200, json);
}

absl::StatusOr<std::vector<ObjectSource>> SourcesFrom(const Json& json) {
  std::vector<ObjectSource> sources;
  try {
    for (const Json& each : json.at("sourceObjects")) {
      ObjectSource source;
      source.name = each.at("name").get<std::string>();
      // 64-bit numbers come as texts, from some clients as numbers.
      const auto number = [](const Json& value) {
        return value.is_string() ? std::stoll(value.get<std::string>())
                                 : value.get<std::int64_t>();
      };
      if (each.contains("generation")) {
        source.generation = number(each.at("generation"));
      }
      if (each.contains("objectPreconditions")) {
        source.preconditions.generation_match =
            number(each.at("objectPreconditions").at("ifGenerationMatch"));
      }
      sources.push_back(std::move(source));
    }
    return sources;
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("bad sourceObjects: ", error.what()));
  }
}

AnswerOr Compose(const StorageCall& call, Bucket& bucket,
                 const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  VERNIER_ASSIGN_OR_RETURN(const std::vector<ObjectSource> sources,
                           SourcesFrom(json));
  ObjectWrite write;
  if (json.contains("destination")) {
    VERNIER_ASSIGN_OR_RETURN(write,
                             WriteFromJson(DumpJson(json.at("destination"))));
    write.expected = {};
  }
  write.name = call.route.object;
  VERNIER_ASSIGN_OR_RETURN(write.preconditions,
                           PreconditionsFrom(call.request));
  VERNIER_ASSIGN_OR_RETURN(const ObjectMetadata metadata,
                           ComposeObjects(bucket, sources, std::move(write)));
  return JsonResponse(200,
                      ObjectToJson(bucket.name(), metadata, call.base_url));
}

AnswerOr RemoveObject(const StorageCall& call, Bucket& bucket) {
  VERNIER_ASSIGN_OR_RETURN(const Preconditions conditions,
                           PreconditionsFrom(call.request));
  VERNIER_RETURN_IF_ERROR(bucket.Remove(call.route.object, conditions));
  return NoContent();
}

AnswerOr AnswerInBucket(const StorageCall& call, const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const BucketStore::BucketPtr bucket, BucketOf(call));
  if (!call.route.object.empty()) {
    VERNIER_RETURN_IF_ERROR(CheckGeneration(call, *bucket));
  }
  switch (call.route.method) {
    case StorageMethod::kGetBucket:
      return JsonResponse(200, BucketToJson(*bucket, call.base_url));
    case StorageMethod::kGetStorageLayout:
      return GetStorageLayout(*bucket);
    case StorageMethod::kListManagedFolders:
      return JsonResponse(200, EmptyList("storage#managedFolders"));
    case StorageMethod::kListObjects:
      return ListBucketObjects(call, *bucket);
    case StorageMethod::kGetObject:
      if (call.request.Query("alt") == "media") return AnswerDownload(call);
      return GetObject(call, *bucket);
    case StorageMethod::kDownloadObject:
      return AnswerDownload(call);
    case StorageMethod::kPatchObject:
    case StorageMethod::kUpdateObject:
      return ChangeAttributes(call, *bucket, body);
    case StorageMethod::kDeleteObject:
      return RemoveObject(call, *bucket);
    case StorageMethod::kRewriteObject:
    case StorageMethod::kCopyObject:
      return Copy(call, *bucket, body);
    case StorageMethod::kComposeObject:
      return Compose(call, *bucket, body);
    default:
      return absl::InternalError("no such storage method");
  }
}

AnswerOr AnswerOrError(const StorageCall& call, const std::string& body) {
  switch (call.route.method) {
    case StorageMethod::kListBuckets:
      return ListBuckets(call);
    case StorageMethod::kInsertBucket:
      return InsertBucket(call, body);
    case StorageMethod::kDeleteBucket:
      VERNIER_RETURN_IF_ERROR(
          call.buckets->Remove(call.route.bucket, call.user));
      return NoContent();
    default:
      return AnswerInBucket(call, body);
  }
}

}  // namespace

absl::StatusOr<BucketStore::BucketPtr> BucketOf(const StorageCall& call) {
  return call.buckets->Find(call.route.bucket, call.user,
                            RightNeededBy(call.route.method));
}

HttpResponse AnswerStorageCall(const StorageCall& call,
                               const std::string& body) {
  AnswerOr answer = AnswerOrError(call, body);
  return answer.ok() ? *std::move(answer) : ErrorResponse(answer.status());
}

}  // namespace vernier
