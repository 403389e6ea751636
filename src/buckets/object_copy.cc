#include "buckets/object_copy.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::StatusOr<OpenObject> OpenSource(Bucket& bucket,
                                      const ObjectSource& source) {
  VERNIER_ASSIGN_OR_RETURN(OpenObject object,
                           bucket.OpenObjectToRead(source.name));
  if (source.generation && *source.generation != object.metadata.generation) {
    return absl::NotFoundError(absl::StrCat("No such object: ", bucket.name(),
                                            "/", source.name, "#",
                                            *source.generation));
  }
  VERNIER_RETURN_IF_ERROR(
      CheckPreconditions(source.preconditions, &object.metadata));
  return object;
}

}  // namespace

absl::StatusOr<ObjectMetadata> CopyObject(Bucket& from,
                                          const ObjectSource& source,
                                          Bucket& to, ObjectWrite write,
                                          bool replaces_attributes) {
  VERNIER_ASSIGN_OR_RETURN(const OpenObject object, OpenSource(from, source));
  VERNIER_ASSIGN_OR_RETURN(StagedFile file, to.Stage());
  VERNIER_RETURN_IF_ERROR(file.CopyFile(object.file.get(), object.metadata.size,
                                        object.metadata.hashes));
  if (!replaces_attributes) write.attributes = object.metadata.attributes;
  return to.Publish(file, write);
}

absl::StatusOr<ObjectMetadata> ComposeObjects(
    Bucket& bucket, const std::vector<ObjectSource>& sources,
    ObjectWrite write) {
  if (sources.empty() || sources.size() > kMaxComposed) {
    return absl::InvalidArgumentError(
        absl::StrCat("sourceObjects must list 1 to ", kMaxComposed,
                     " objects: ", sources.size()));
  }
  VERNIER_ASSIGN_OR_RETURN(StagedFile file, bucket.Stage());
  for (const ObjectSource& source : sources) {
    VERNIER_ASSIGN_OR_RETURN(const OpenObject object,
                             OpenSource(bucket, source));
    VERNIER_RETURN_IF_ERROR(
        file.AppendFile(object.file.get(), object.metadata.size));
    if (write.attributes.content_type.empty()) {
      write.attributes.content_type = object.metadata.attributes.content_type;
    }
  }
  return bucket.Publish(file, write);
}

}  // namespace vernier
