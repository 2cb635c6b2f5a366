// SPDX-License-Identifier: Apache-2.0
//
// The writer against a real file system: whole lines, no overwriting, and hosts that close or
// limit its file.
#include "libcoalcheck/recording/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/support/files.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::recording {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class WriterTest : public ::testing::Test {
 protected:
  std::string Recording() const { return folder_ / "deep" / "recording"; }
  std::string Lines() const { return support::FileText(fs::path(Recording()) / kRecordsFile); }

  const support::ScratchFolder scratch_;
  const fs::path folder_ = fs::canonical(scratch_.path());
};

// The descriptor that is open on `path`, found the way any host could.
int DescriptorOf(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (fs::read_symlink(entry.path(), error) == path) return std::stoi(entry.path().filename());
  }
  return -1;
}

TEST_F(WriterTest, MakesAFolderThatOnlyTheOwnerCanRead) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok()) << writer.error();
  struct stat status = {};
  ASSERT_EQ(stat(Recording().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  EXPECT_TRUE(fs::is_directory(fs::path(Recording()) / kCubinFolder));
  EXPECT_EQ(writer.value()->folder(), Recording());
}

TEST_F(WriterTest, RefusesAFolderThatHoldsARecording) {
  { ASSERT_TRUE(Writer::Create(Recording()).ok()); }
  const auto second = Writer::Create(Recording());
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error(), HasSubstr("never overwritten"));
}

TEST_F(WriterTest, RefusesAPathThatIsAFile) {
  std::ofstream(folder_ / "file") << "x";
  const auto writer = Writer::Create(folder_ / "file");
  ASSERT_FALSE(writer.ok());
  EXPECT_THAT(writer.error(), EndsWith("Not a directory"));
}

// The names of files that are made in a folder while this lives, not of those that are moved there.
class MadeFiles {
 public:
  explicit MadeFiles(const std::string& folder) : events_(inotify_init1(IN_NONBLOCK)) {
    inotify_add_watch(events_, folder.c_str(), IN_CREATE);
  }
  ~MadeFiles() { close(events_); }
  MadeFiles(const MadeFiles&) = delete;
  MadeFiles& operator=(const MadeFiles&) = delete;

  std::vector<std::string> Names() const {
    alignas(inotify_event) std::array<char, 4096> bytes{};
    const ssize_t size = read(events_, bytes.data(), bytes.size());
    std::vector<std::string> names;
    for (std::size_t at = 0; size > 0 && at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, &bytes[at], sizeof(event));
      names.emplace_back(&bytes[at + sizeof(event)]);
      at += sizeof(event) + event.len;
    }
    return names;
  }

 private:
  int events_;
};

TEST_F(WriterTest, AHostThatIsKilledLeavesNoEmptyFileOfProgress) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  const MadeFiles made(Recording());
  writer.value()->WriteProgress({.launches = 1});
  writer.value()->WriteProgress({.launches = 2});
  EXPECT_THAT(made.Names(), ::testing::ElementsAre("progress.part"));
  const auto progress = ReadProgress(support::FileText(fs::path(Recording()) / kProgressFile));
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->launches, 2U);
  EXPECT_FALSE(fs::exists(fs::path(Recording()) / "progress.part"));
}

TEST_F(WriterTest, AppendsLinesInOrder) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE(writer.value()->Append(Loss{"a", "", 1}));
  EXPECT_TRUE(writer.value()->Append(Window{}));
  EXPECT_EQ(Lines(), ToJsonLine(Loss{"a", "", 1}) + ToJsonLine(Window{}));
}

TEST_F(WriterTest, ManyThreadsNeverMixTheirLines) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  std::array<std::thread, 8> threads;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&writer, t] {
      for (int i = 0; i < 100; ++i) {
        writer.value()->Append(Loss{std::string(50 * t, static_cast<char>('a' + t)), "", 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(Lines());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::size_t t = (line.size() - ToJsonLine(Loss{"", "", 1}).size() + 1) / 50;
    EXPECT_EQ(line + "\n",
              ToJsonLine(Loss{std::string(50 * t, static_cast<char>('a' + t)), "", 1}));
  }
  EXPECT_EQ(count, 800);
}

TEST_F(WriterTest, AnEndVouchesForWhatIsBeforeIt) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  writer.value()->Append(Header{});
  writer.value()->Append(Loss{"one", "", 1});
  writer.value()->Append(Window{});
  writer.value()->Append(Loss{"two", "", 1});
  writer.value()->Append(End{"exit", 1, {}});
  writer.value()->Append(ProcessEnd{});
  const std::string whole = Lines();
  const auto run = ParseRecords(whole);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->lost_lines.empty());
  ASSERT_TRUE(run->end && run->end->before);
  EXPECT_EQ(run->end->before->records,
            (std::map<std::string, std::uint64_t>{{"header", 1}, {"loss", 2}, {"window", 1}}));

  const std::size_t second = whole.find(ToJsonLine(Loss{"two", "", 1}));
  std::string cut = whole;
  cut.erase(second, whole.find('\n', second) + 1 - second);
  std::string altered = whole;
  altered.replace(altered.find("two"), 3, "too");
  std::string fewer = whole;
  fewer.replace(fewer.find("\"loss\":2"), 8, "\"loss\":1");
  for (const auto& [bytes, why] :
       {std::pair(cut, "1 of 2 records of the kind loss cannot be read"),
        std::pair(altered, "the bytes before it are not those that were written"),
        std::pair(fewer, "it says that there are 1 records of the kind loss, and there are 2")}) {
    const auto damaged = ParseRecords(bytes);
    ASSERT_TRUE(damaged.ok());
    ASSERT_EQ(damaged->lost_lines.size(), 1U) << why;
    EXPECT_EQ(damaged->lost_lines[0].why, LineLoss::kNotAsWritten);
    EXPECT_EQ(damaged->lost_lines[0].first_detail, why);
  }
}

TEST_F(WriterTest, GoesOnAfterTheHostClosedTheFile) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  const int file = DescriptorOf(fs::path(Recording()) / kRecordsFile);
  ASSERT_GE(file, 0);
  ASSERT_EQ(close(file), 0);
  EXPECT_TRUE(writer.value()->Append(Loss{"after", "", 1}));
  EXPECT_THAT(Lines(), HasSubstr("after"));
}

TEST_F(WriterTest, NeverWritesIntoAFileThatTookItsDescriptor) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  const int file = DescriptorOf(fs::path(Recording()) / kRecordsFile);
  FILE* hosts = std::fopen((folder_ / "hosts").c_str(), "w");
  ASSERT_NE(hosts, nullptr);
  ASSERT_EQ(dup2(fileno(hosts), file), file);
  EXPECT_TRUE(writer.value()->Append(Loss{"mine", "", 1}));
  std::fclose(hosts);
  close(file);
  EXPECT_EQ(support::FileText(folder_ / "hosts"), "");
  EXPECT_THAT(Lines(), HasSubstr("mine"));
}

TEST_F(WriterTest, SaysWhyWhenTheRecordingWasRemoved) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  close(DescriptorOf(fs::path(Recording()) / kRecordsFile));
  fs::remove_all(Recording());
  EXPECT_FALSE(writer.value()->Append(Loss{}));
  EXPECT_THAT(writer.value()->last_error(), HasSubstr("No such file"));
}

// Also the test that the limit's signal does not end the process.
TEST_F(WriterTest, ALineCutShortDoesNotSpoilTheNextOne) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value()->Append(Loss{"first", "", 1}));
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = Lines().size() + 10;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const bool appended = writer.value()->Append(Loss{"second", "", 1});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(appended);
  EXPECT_THAT(writer.value()->last_error(), HasSubstr("File too large"));
  EXPECT_TRUE(writer.value()->Append(Loss{"third", "", 1}));
  EXPECT_EQ(Lines(), ToJsonLine(Loss{"first", "", 1}) + ToJsonLine(Loss{}).substr(0, 10) + "\n" +
                         ToJsonLine(Loss{"third", "", 1}));
}

TEST_F(WriterTest, StoresACubinOnceUnderItsHash) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  const std::string bytes("cu\0bin", 6);
  const CubinId id = HashCubin(bytes);
  EXPECT_TRUE(writer.value()->StoreCubin(id, bytes));
  EXPECT_TRUE(writer.value()->StoreCubin(id, "other bytes are not looked at again"));
  const fs::path cubins = fs::path(Recording()) / kCubinFolder;
  EXPECT_EQ(support::FileText(cubins / (ToHex(id) + ".cubin")), bytes);
  EXPECT_EQ(std::distance(fs::directory_iterator(cubins), fs::directory_iterator()), 1);
}

TEST_F(WriterTest, ACubinThatDoesNotFitLeavesNothingBehind) {
  auto writer = Writer::Create(Recording());
  ASSERT_TRUE(writer.ok());
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 100;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const bool stored = writer.value()->StoreCubin(CubinId(1), std::string(1000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(stored);
  EXPECT_THAT(writer.value()->last_error(), HasSubstr("File too large"));
  EXPECT_TRUE(fs::is_empty(fs::path(Recording()) / kCubinFolder));
}

}  // namespace
}  // namespace coalcheck::recording
