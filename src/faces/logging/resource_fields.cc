#include "faces/logging/resource_fields.h"

#include <google/protobuf/descriptor.h>
#include <vernier/v1/access_service.pb.h>
#include <vernier/v1/insights.pb.h>
#include <vernier/v1/job.pb.h>
#include <vernier/v1/job_service.pb.h>
#include <vernier/v1/project_service.pb.h>
#include <vernier/v1/study_service.pb.h>
#include <vernier/v1/trial.pb.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"

namespace vernier {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

const Descriptor* DescriptorOf(Resource resource) {
  switch (resource) {
    case Resource::kJob:
      return v1::Job::descriptor();
    case Resource::kTrial:
      return v1::Trial::descriptor();
    case Resource::kMeasurement:
      return v1::Measurement::descriptor();
    case Resource::kStudy:
      return v1::Study::descriptor();
    case Resource::kProject:
      return v1::Project::descriptor();
    case Resource::kToken:
      return v1::Token::descriptor();
    case Resource::kServiceInfo:
      return v1::ServiceInfo::descriptor();
    case Resource::kInsights:
      return v1::Insights::descriptor();
  }
  return nullptr;
}

const FieldDescriptor* FieldOf(const Descriptor& type, std::string_view key) {
  for (int i = 0; i < type.field_count(); ++i) {
    if (type.field(i)->json_name() == key) return type.field(i);
  }
  return nullptr;
}

// The messages of google.protobuf have special JSON forms.
bool IsOurs(const Descriptor* type) {
  return type != nullptr && type->file()->package() != "google.protobuf";
}

bool HasFreeKeys(const FieldDescriptor& field) {
  return field.is_map() ||
         (field.message_type() != nullptr &&
          field.message_type()->full_name() == "google.protobuf.Struct");
}

bool HasParameterNames(const FieldDescriptor& field) {
  return field.json_name() == "parameters" ||
         field.json_name() == "hyperparameters" ||
         field.json_name() == "queuedPoints";
}

absl::Status Unknown(const std::vector<std::string>& keys, std::size_t at,
                     const Descriptor& type) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(type.field_count()));
  for (int i = 0; i < type.field_count(); ++i) {
    names.push_back(type.field(i)->json_name());
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string above =
      absl::StrJoin(keys.begin(), keys.begin() + static_cast<long>(at), ".");
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no \"", keys[at], "\"", above.empty() ? "" : " in ", above,
      DidYouMean(keys[at], known), "; there are ", absl::StrJoin(names, ", ")));
}

}  // namespace

absl::StatusOr<FieldKind> FindField(Resource resource,
                                    const std::vector<std::string>& keys) {
  const Descriptor* type = DescriptorOf(resource);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const FieldDescriptor* field = FieldOf(*type, keys[i]);
    const std::size_t below = keys.size() - i - 1;
    if (type == v1::Trial::descriptor()) {
      // The command line shows this list as an object, and as the list, too.
      if (keys[i] == "parameterList") return FieldKind::kField;
      if (keys[i] == "parameters" && below > 0) return FieldKind::kParameter;
    }
    if (field == nullptr) return Unknown(keys, i, *type);
    if (below == 0) break;
    if (HasFreeKeys(*field)) {
      return HasParameterNames(*field) && below == 1 ? FieldKind::kParameter
                                                     : FieldKind::kFreeKey;
    }
    type = field->message_type();
    if (!IsOurs(type)) {
      return absl::InvalidArgumentError(
          absl::StrCat(keys[i], " is a single value, and has no \"",
                       keys[i + 1], "\" in it"));
    }
  }
  return FieldKind::kField;
}

}  // namespace vernier
