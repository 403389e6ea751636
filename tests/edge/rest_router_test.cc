#include "edge/http/rest_router.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

class RestRouterTest : public testing::Test {
 protected:
  RestRouterTest() {
    Add("get", "GET", "/v1/projects/{p}/jobs/{j}");
    Add("list", "GET", "/v1/projects/{p}/jobs");
    Add("create", "POST", "/v1/projects/{p}/jobs");
    Add("cancel", "POST", "/v1/projects/{p}/jobs/{j}:cancel");
    Add("config", "GET", "/v1/projects/{p}:getConfig");
    Add("entries", "POST", "/v2/entries:list");
  }
  void Add(const std::string& id, const std::string& method,
           const std::string& pattern) {
    RestRoute route;
    route.id = id;
    route.method = method;
    route.pattern = pattern;
    router_.Add(std::move(route));
  }
  std::string Find(const std::string& method, const std::string& path) {
    const RestRouter::Match match = router_.Find(method, path);
    if (match.route == nullptr) return "none";
    std::string text = match.route->id;
    for (const auto& [name, value] : match.variables) {
      text += " " + name + "=" + value;
    }
    return text;
  }

  RestRouter router_;
};

TEST_F(RestRouterTest, FindsRoutesAndTheirVariables) {
  EXPECT_EQ(Find("GET", "/v1/projects/a/jobs/b"), "get j=b p=a");
  EXPECT_EQ(Find("HEAD", "/v1/projects/a/jobs/b"), "get j=b p=a");
  EXPECT_EQ(Find("GET", "/v1/projects/a/jobs"), "list p=a");
  EXPECT_EQ(Find("POST", "/v1/projects/a/jobs"), "create p=a");
  EXPECT_EQ(Find("POST", "/v1/projects/a/jobs/b:cancel"), "cancel j=b p=a");
  EXPECT_EQ(Find("GET", "/v1/projects/a:getConfig"), "config p=a");
  // Projects of a domain.
  EXPECT_EQ(Find("GET", "/v1/projects/d.org:a/jobs/b"), "get j=b p=d.org:a");
  EXPECT_EQ(Find("GET", "/v1/projects/d.org:a/jobs"), "list p=d.org:a");
  EXPECT_EQ(Find("GET", "/v1/projects/d.org:a:getConfig"), "config p=d.org:a");
  EXPECT_EQ(Find("POST", "/v2/entries:list"), "entries");
}

TEST_F(RestRouterTest, ARowContinuesTheIdAndThePathOfItsTable) {
  router_.AddRows("ml.", "/v3/{p}",
                  {{"get", "GET /jobs/{j}", v1::READ, "Describes a job.",
                    nullptr, nullptr, nullptr},
                   {"config", "POST :getConfig", v1::WRITE, "", nullptr,
                    nullptr, nullptr}});
  EXPECT_EQ(Find("GET", "/v3/a/jobs/b"), "ml.get j=b p=a");
  EXPECT_EQ(Find("POST", "/v3/a:getConfig"), "ml.config p=a");
  EXPECT_EQ(router_.routes().back()->permission, v1::WRITE);
}

TEST_F(RestRouterTest, DecodesEachSegmentOnceByItself) {
  EXPECT_EQ(Find("GET", "/v1/projects/a%2Fb/jobs/c%252Fd"),
            "get j=c%2Fd p=a/b");
  EXPECT_EQ(Find("POST", "/v1/projects/a/jobs/b%3Acancel"), "none");
  EXPECT_EQ(Find("GET", "/v1/projects/a/jobs/b%3Acancel"),
            "get j=b:cancel p=a");
}

TEST_F(RestRouterTest, FindsNothingElse) {
  for (const char* path :
       {"/", "", "/v1", "/v1/projects", "/v1/projects//jobs",
        "/v1/projects/a/jobs/", "/v1/projects/a/jobs/b/c",
        "//v1/projects/a/jobs", "/v1/projects/a/jobs/b:frob",
        "/v1/projects/a/jobs/%", "/v1/projects/%00/jobs",
        "/v1/projects/a/jobs/:cancel", "/V1/projects/a/jobs"}) {
    EXPECT_EQ(Find("GET", path), "none") << path;
    EXPECT_EQ(Find("POST", path), "none") << path;
  }
}

TEST_F(RestRouterTest, TellsWhichMethodsThereWouldBe) {
  const RestRouter::Match match = router_.Find("PUT", "/v1/projects/a/jobs");
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allowed, (std::vector<std::string>{"GET", "HEAD", "POST"}));
}

}  // namespace
}  // namespace vernier
