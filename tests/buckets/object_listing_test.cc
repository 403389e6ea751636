#include "buckets/object_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/buckets/bucket_bed.h"
#include "tests/fakes/row_meter.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ObjectListingTest : public BucketBed {
 protected:
  /// All pages in one; "name" for objects and "prefix/..." for prefixes.
  std::vector<std::string> ListAll(ListQuery query) {
    std::vector<std::string> items;
    while (items.size() <= 10'000) {
      const auto page = bucket_->List(query);
      EXPECT_TRUE(page.ok()) << page.status();
      if (!page.ok()) return items;
      std::vector<std::string> here;
      for (const auto& each : page->objects) here.push_back(each.name);
      for (const auto& each : page->prefixes) here.push_back(each + "...");
      EXPECT_LE(here.size(), static_cast<std::size_t>(query.max_results));
      std::sort(here.begin(), here.end());
      items.insert(items.end(), here.begin(), here.end());
      if (page->next.empty()) return items;
      query.after = page->next;
    }
    ADD_FAILURE() << "the listing has no end";
    return items;
  }
};

/// What the documentation of the API says, without a thought for speed.
std::vector<std::string> Expected(const std::set<std::string>& names,
                                  const ListQuery& query) {
  std::vector<std::string> items;
  for (const std::string& name : names) {
    if (name.rfind(query.prefix, 0) != 0 || name < query.start_offset) continue;
    if (!query.end_offset.empty() && name >= query.end_offset) continue;
    const std::size_t at =
        query.delimiter.empty()
            ? std::string::npos
            : name.find(query.delimiter, query.prefix.size());
    const std::string item =
        at == std::string::npos
            ? name
            : name.substr(0, at + query.delimiter.size()) + "...";
    if (items.empty() || items.back() != item) items.push_back(item);
  }
  return items;
}

TEST_F(ObjectListingTest, OrdersWholeNamesByBytes) {
  for (const char* name : {"a/z", "a.b", "a-b", "a0", "b", "a/b/c", "ab"}) {
    WriteDirectly(name, "");
  }
  EXPECT_THAT(ListAll({}),
              ElementsAre("a-b", "a.b", "a/b/c", "a/z", "a0", "ab", "b"));
}

TEST_F(ObjectListingTest, FoldersWithoutObjectsAreNoPrefixes) {
  WriteDirectly("full/x", "");
  std::filesystem::create_directories(PathOf("empty/below"));
  ListQuery query;
  query.delimiter = "/";
  EXPECT_THAT(ListAll(query), ElementsAre("full/..."));
}

TEST_F(ObjectListingTest, AnUnknownPrefixIsEmpty) {
  WriteDirectly("a/b", "");
  for (const char* prefix :
       {"b", "a/b/", "a/c", "../", "a/../", "/", ".vernier/", "a//"}) {
    ListQuery query;
    query.prefix = prefix;
    EXPECT_THAT(ListAll(query), IsEmpty()) << prefix;
  }
}

TEST_F(ObjectListingTest, APlaceholderIsListedBeforeWhatIsInIt) {
  ASSERT_TRUE(Put("a/", "").ok());
  WriteDirectly("a/b", "");
  EXPECT_THAT(ListAll({}), ElementsAre("a/", "a/b"));
  ListQuery inside;
  inside.prefix = "a/";
  inside.delimiter = "/";
  EXPECT_THAT(ListAll(inside), ElementsAre("a/", "a/b"));
}

TEST_F(ObjectListingTest, AgreesWithASimpleModelOnRandomTrees) {
  std::mt19937_64 rng(20260203);
  const std::string alphabet = "ab.-0";
  const auto pick = [&](std::size_t n) { return rng() % n; };
  const auto random_name = [&](std::size_t parts) {
    std::string name;
    for (std::size_t i = 0; i < 1 + pick(parts); ++i) {
      if (i > 0) name += '/';
      name += 'x';  // Never "." or "..".
      for (std::size_t k = pick(3); k > 0; --k) {
        name += alphabet[pick(alphabet.size())];
      }
    }
    return name;
  };
  std::set<std::string> names;
  for (int i = 0; i < 120; ++i) {
    const std::string name = random_name(4);
    std::error_code in_the_way;
    std::filesystem::create_directories(
        std::filesystem::path(PathOf(name)).parent_path(), in_the_way);
    if (in_the_way || std::filesystem::is_directory(PathOf(name))) continue;
    WriteDirectly(name, "");
    names.insert(name);
  }
  ASSERT_GT(names.size(), 40u);
  for (int i = 0; i < 400; ++i) {
    ListQuery query;
    query.max_results = static_cast<int>(1 + pick(7));
    if (pick(2) == 0) query.prefix = random_name(3).substr(0, pick(8));
    if (pick(2) == 0) query.delimiter = pick(4) == 0 ? "x" : "/";
    if (pick(3) == 0) query.start_offset = random_name(3);
    if (pick(3) == 0) query.end_offset = random_name(3);
    EXPECT_EQ(ListAll(query), Expected(names, query))
        << "prefix=" << query.prefix << " delimiter=" << query.delimiter
        << " start=" << query.start_offset << " end=" << query.end_offset
        << " max=" << query.max_results;
  }
}

// Also where none of what is read is listed.
TEST_F(ObjectListingTest, EndsWithTheRowsThatACallMayRead) {
  for (int i = 0; i < 20; ++i) {
    WriteDirectly("a/" + std::to_string(i), "");
    std::filesystem::create_directories(PathOf("b/" + std::to_string(i)));
  }
  const auto code_of = [&](std::int64_t rows, const ListQuery& query) {
    RowMeter meter(rows);
    const CallMeterScope scope(&meter);
    return bucket_->List(query).status().code();
  };
  ListQuery all;
  all.max_results = 1000;
  EXPECT_EQ(code_of(41, all), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code_of(42, all), absl::StatusCode::kOk);
  // What lies below a prefix is looked for, and "b/" has nothing.
  ListQuery top;
  top.max_results = 1000;
  top.delimiter = "/";
  EXPECT_EQ(code_of(41, top), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace vernier
