#include "daemon/open_api.h"

#include <google/protobuf/descriptor.h>
#include <vernier/v1/permission.pb.h>

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/version.h"
#include "faces/storage/storage_description.h"

namespace vernier {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// Describes messages by their proto3 JSON forms (protobuf.dev, "JSON mapping")
/// and collects those that they refer to.
class SchemaWriter {
 public:
  Json Reference(const Descriptor* message) {
    if (pending_.insert(message).second) order_.push_back(message);
    return {{"$ref", "#/components/schemas/" + NameOf(message)}};
  }

  /// Returns the schemas of all messages that were referred to.
  Json Write() {
    Json schemas = Json::object();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Descriptor* message = order_[i];
      schemas[NameOf(message)] = SchemaOf(message);
    }
    return schemas;
  }

 private:
  static std::string NameOf(const Descriptor* message) {
    std::string name = message->full_name();
    const std::string prefix = message->file()->package() + ".";
    if (name.rfind(prefix, 0) == 0) name.erase(0, prefix.size());
    return name;
  }

  Json SchemaOf(const Descriptor* message) {
    Json properties = Json::object();
    for (int i = 0; i < message->field_count(); ++i) {
      const FieldDescriptor* field = message->field(i);
      Json schema = FieldSchema(field);
      if (field->options().GetExtension(v1::output_only)) {
        schema["readOnly"] = true;
      }
      properties[field->json_name()] = std::move(schema);
    }
    return {{"type", "object"}, {"properties", std::move(properties)}};
  }

  Json FieldSchema(const FieldDescriptor* field) {
    if (field->is_map()) {
      return {{"type", "object"},
              {"additionalProperties",
               ValueSchema(field->message_type()->FindFieldByNumber(2))}};
    }
    if (field->is_repeated()) {
      return {{"type", "array"}, {"items", ValueSchema(field)}};
    }
    return ValueSchema(field);
  }

  Json ValueSchema(const FieldDescriptor* field) {
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
      case FieldDescriptor::CPPTYPE_UINT32:
        return {{"type", "integer"}, {"format", "int32"}};
      case FieldDescriptor::CPPTYPE_INT64:
      case FieldDescriptor::CPPTYPE_UINT64:
        return {{"type", Json::array({"string", "integer"})},
                {"format", "int64"}};
      case FieldDescriptor::CPPTYPE_DOUBLE:
      case FieldDescriptor::CPPTYPE_FLOAT:
        return {{"type", Json::array({"number", "string"})}};
      case FieldDescriptor::CPPTYPE_BOOL:
        return {{"type", "boolean"}};
      case FieldDescriptor::CPPTYPE_ENUM:
        return EnumSchema(field);
      case FieldDescriptor::CPPTYPE_STRING:
        if (field->type() == FieldDescriptor::TYPE_BYTES) {
          return {{"type", "string"}, {"format", "byte"}};
        }
        return {{"type", "string"}};
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return MessageSchema(field->message_type());
    }
    return Json::object();
  }

  static Json EnumSchema(const FieldDescriptor* field) {
    Json names = Json::array();
    for (int i = 0; i < field->enum_type()->value_count(); ++i) {
      names.push_back(field->enum_type()->value(i)->name());
    }
    return {{"type", "string"}, {"enum", std::move(names)}};
  }

  Json MessageSchema(const Descriptor* message) {
    const std::string& name = message->full_name();
    if (name == "google.protobuf.Timestamp") {
      return {{"type", "string"}, {"format", "date-time"}};
    }
    if (name == "google.protobuf.Duration") {
      return {{"type", "string"}, {"pattern", "^-?[0-9]+(\\.[0-9]+)?s$"}};
    }
    if (name == "google.protobuf.Struct" || name == "google.protobuf.Any") {
      return {{"type", "object"}};
    }
    if (name == "google.protobuf.Value") return Json::object();
    if (name == "google.protobuf.ListValue") {
      return {{"type", "array"}, {"items", Json::object()}};
    }
    return Reference(message);
  }

  std::set<const Descriptor*> pending_;
  std::vector<const Descriptor*> order_;
};

Json ParameterJson(const std::string& name, const char* where,
                   const std::string& type, bool is_required) {
  return {{"name", name},
          {"in", where},
          {"required", is_required},
          {"schema", {{"type", type}}}};
}

Json JsonContent(Json schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

Json ParametersOf(const RestRoute& route) {
  Json parameters = Json::array();
  for (std::size_t at = route.pattern.find('{'); at != std::string::npos;
       at = route.pattern.find('{', at + 1)) {
    const std::size_t end = route.pattern.find('}', at);
    parameters.push_back(ParameterJson(
        route.pattern.substr(at + 1, end - at - 1), "path", "string", true));
  }
  for (const RestParameter& parameter : route.parameters) {
    parameters.push_back(ParameterJson(parameter.name, "query", parameter.type,
                                       parameter.is_required));
  }
  for (const char* name : {"fields", "alt"}) {
    parameters.push_back(ParameterJson(name, "query", "string", false));
  }
  parameters.push_back(ParameterJson("prettyPrint", "query", "boolean", false));
  return parameters;
}

Json ErrorSchema() {
  return {{"type", "object"},
          {"required", {"error"}},
          {"properties",
           {{"error",
             {{"type", "object"},
              {"required", {"code", "message", "status"}},
              {"properties",
               {{"code", {{"type", "integer"}}},
                {"message", {{"type", "string"}}},
                {"status", {{"type", "string"}}},
                {"details",
                 {{"type", "array"}, {"items", {{"type", "object"}}}}}}}}}}}};
}

}  // namespace

std::string OpenApiDocument(const RestRouter& router) {
  SchemaWriter schemas;
  Json paths = Json::object();
  for (const auto& route : router.routes()) {
    if (!route->is_offered) continue;
    const auto schema_of = [&schemas](const Descriptor* message) {
      return message == nullptr ? Json{{"type", "object"}}
                                : schemas.Reference(message);
    };
    Json operation = {
        {"operationId", route->id},
        {"summary", route->summary},
        {"description",
         absl::StrCat("Needs the permission ",
                      v1::Permission_Name(route->permission), ".")},
        {"parameters", ParametersOf(*route)},
        {"responses",
         {{"200",
           {{"description", "Done."},
            {"content", JsonContent(schema_of(route->response))}}},
          {"default",
           {{"description", "An error."},
            {"content",
             JsonContent({{"$ref", "#/components/schemas/Error"}})}}}}}};
    if (route->method != "GET" && route->method != "DELETE") {
      operation["requestBody"] = {
          {"content", JsonContent(schema_of(route->request))}};
    }
    paths[route->pattern][absl::AsciiStrToLower(route->method)] =
        std::move(operation);
  }
  paths.update(StoragePaths());
  Json components = {{"schemas", schemas.Write()}};
  components["schemas"]["Error"] = ErrorSchema();
  components["securitySchemes"] = {
      {"token", {{"type", "http"}, {"scheme", "bearer"}}}};
  const Json document = {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Vernier"},
        {"version", kVersion},
        {"description",
         "Hyperparameter tuning: the ml v1 API of AI Platform, Cloud "
         "Storage's JSON API and what clients need beside them."},
        {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
      {"security", Json::array({{{"token", Json::array()}}})},
      {"paths", std::move(paths)},
      {"components", std::move(components)}};
  return DumpJson(document);
}

void AddDescriptionRoute(RestRouter* router) {
  RestRoute route;
  route.id = "vernier.description.get";
  route.method = "GET";
  route.pattern = "/openapi.json";
  route.permission = v1::READ;
  route.summary = "This document.";
  // The document is made when it is requested, because routes may still be
  // added.
  route.handle = [router](const RestCall&) {
    return absl::StatusOr<RestAnswer>(
        std::make_shared<const std::string>(OpenApiDocument(*router)));
  };
  router->Add(std::move(route));
}

}  // namespace vernier
