#include "daemon/open_api.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "faces/logging/logging_api.h"
#include "faces/ml/ml_absent_api.h"
#include "faces/storage/storage_route.h"
#include "tests/faces/rest_bed.h"

namespace vernier {
namespace {

class OpenApiTest : public RestBed {
 protected:
  OpenApiTest() {
    logging_.AddRoutes(&front_.router());
    AddAbsentMlRoutes(&front_.router());
  }
  LoggingApi logging_{store_, clock_};
};

TEST_F(OpenApiTest, DescribesEveryRouteThatIsOfferedOnce) {
  const Json document = ParseJson(OpenApiDocument(front_.router())).value();
  EXPECT_EQ(document["openapi"], "3.1.0");
  std::set<std::string> ids;
  for (const auto& [path, operations] : document["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      EXPECT_TRUE(ids.insert(operation["operationId"]).second) << path;
      for (const auto& parameter : operation["parameters"]) {
        if (parameter["in"] != "path") continue;
        EXPECT_NE(path.find("{" + parameter["name"].get<std::string>() + "}"),
                  std::string::npos)
            << path;
      }
    }
  }
  std::size_t offered = 0;
  for (const auto& route : front_.router().routes()) {
    offered += route->is_offered;
    EXPECT_EQ(ids.count(route->id), route->is_offered) << route->id;
  }
  EXPECT_LT(offered, front_.router().routes().size());
  for (const StorageMethodRow& row : StorageMethods()) {
    EXPECT_EQ(ids.count(std::string(row.id)), 1u) << row.id;
    ++offered;
  }
  EXPECT_EQ(ids.size(), offered);
}

void CollectReferences(const Json& json, std::set<std::string>* references) {
  if (json.is_object() && json.contains("$ref")) {
    references->insert(json["$ref"].get<std::string>());
  }
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) CollectReferences(value, references);
  }
}

TEST_F(OpenApiTest, EveryReferenceLeadsSomewhere) {
  const Json document = ParseJson(OpenApiDocument(front_.router())).value();
  std::set<std::string> references;
  CollectReferences(document, &references);
  EXPECT_GT(references.size(), 10u);
  for (const std::string& reference : references) {
    EXPECT_TRUE(document.contains(Json::json_pointer(reference.substr(1))))
        << reference;
  }
}

// A path of the description, with names in it, is a path that is served.
TEST_F(OpenApiTest, TheStorageApisPathsLeadToTheirMethods) {
  const Json document = ParseJson(OpenApiDocument(front_.router())).value();
  for (const StorageMethodRow& row : StorageMethods()) {
    bool is_found = false;
    for (const auto& [path, operations] : document["paths"].items()) {
      for (const auto& [method, operation] : operations.items()) {
        if (operation["operationId"] != row.id) continue;
        is_found = true;
        EXPECT_TRUE(IsStoragePath(path)) << path;
        const auto route =
            ParseStorageRoute(absl::AsciiStrToUpper(method), path);
        ASSERT_TRUE(route.ok()) << path << ": " << route.status();
        EXPECT_EQ(route->method, row.method) << path;
      }
    }
    EXPECT_TRUE(is_found) << row.id;
  }
}

TEST_F(OpenApiTest, SaysWhatTheJsonOfAJobIs) {
  const Json document = ParseJson(OpenApiDocument(front_.router())).value();
  const Json& job = document["components"]["schemas"]["Job"]["properties"];
  EXPECT_EQ(job["createTime"]["format"], "date-time");
  EXPECT_EQ(job["labels"]["additionalProperties"]["type"], "string");
  EXPECT_EQ(job["etag"]["format"], "byte");
  const Json& output =
      document["components"]["schemas"]["TrainingOutput"]["properties"];
  EXPECT_EQ(output["completedTrialCount"]["format"], "int64");
  EXPECT_EQ(output["trials"]["items"]["$ref"],
            "#/components/schemas/HyperparameterOutput");
}

}  // namespace
}  // namespace vernier
