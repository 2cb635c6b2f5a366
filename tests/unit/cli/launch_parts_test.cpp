// SPDX-License-Identifier: Apache-2.0
//
// The launcher's parts that look at processes, files and folders.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "cli/launch/diagnosis.h"
#include "cli/launch/processes.h"
#include "cli/launch/session_folder.h"
#include "cli/launch/status_line.h"
#include "libcoalcheck/recording/json_line.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Processes, TheNameMayHoldBlanksAndParentheses) {
  const auto process = ParseStat("4711 (a) S (x) T 42 4711 0\n");
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid, 4711);
  EXPECT_EQ(process->parent, 42);
  EXPECT_EQ(process->state, 'T');
  EXPECT_EQ(process->name, "a) S (x");
}

TEST(Processes, WhatIsNoStatIsNoProcess) {
  for (const char* stat :
       {"", "4711", "4711 (a", "x (a) S 1 ", "-3 (a) S 1 ", "4711 (a) ", "4711 (a) S"}) {
    EXPECT_FALSE(ParseStat(stat)) << stat;
  }
}

TEST(Processes, DescendantsAreFoundAtAnyDepthAndInAnyOrder) {
  const std::vector<Process> all = {
      {5, 4, 'S', "e"}, {2, 1, 'S', "b"}, {4, 2, 'S', "d"}, {3, 1, 'S', "c"}, {7, 7, 'S', "loop"}};
  std::vector<pid_t> found;
  for (const Process& one : Descendants(2, all)) found.push_back(one.pid);
  EXPECT_THAT(found, testing::UnorderedElementsAre(4, 5));
}

TEST(StatusLine, ItsNumbersHaveWords) {
  EXPECT_EQ(StatusText({1, 1, 0}), "coalcheck: 1 launch seen, 1 window");
  EXPECT_EQ(StatusText({1, 0, 0, 1999}), "coalcheck: 1 launch seen, 0 windows");
  EXPECT_EQ(StatusText({1, 0, 0, 6400}),
            "coalcheck: 1 launch seen, 0 windows, counting one launch for 6 s");
  EXPECT_EQ(StatusText({2000, 3, 1}),
            "coalcheck: 2\u202F000 launches seen, 3 windows, 1 kernel without line information");
}

// The start of an ELF file with these program headers.
std::string Elf(const std::vector<std::uint32_t>& segments) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phnum = static_cast<Elf64_Half>(segments.size());
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const std::uint32_t type : segments) {
    Elf64_Phdr segment = {};
    segment.p_type = type;
    bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
  }
  return bytes;
}

TEST(Diagnosis, AStaticProgramHasNoInterpreter) {
  EXPECT_TRUE(IsDynamic(Elf({PT_LOAD, PT_INTERP})));
  EXPECT_FALSE(IsDynamic(Elf({PT_LOAD, PT_LOAD})));
  const std::string cut = Elf({PT_LOAD, PT_LOAD});
  EXPECT_TRUE(IsDynamic(cut.substr(0, cut.size() - 1))) << "cannot be told";
  EXPECT_TRUE(IsDynamic("#!/bin/sh\n"));
  EXPECT_TRUE(IsDynamic(""));
}

class SessionFolderTest : public ::testing::Test {
 protected:
  SessionFolder Make() {
    auto made = SessionFolder::Make((scratch_.path() / "session").string());
    EXPECT_TRUE(made.ok()) << made.error();
    return std::move(made).value();
  }
  static void Add(const SessionFolder& session, const std::string& name, pid_t pid) {
    std::filesystem::create_directory(session.path() + "/" + name);
    recording::Header header;
    header.pid = static_cast<std::uint64_t>(pid);
    std::ofstream(Records(session, name)) << recording::ToJsonLine(header);
  }
  static std::string Records(const SessionFolder& session, const std::string& name) {
    return session.path() + "/" + name + "/records.jsonl";
  }
  static std::string Text(const SessionFolder& session, const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(Records(session, name)).rdbuf();
    return text.str();
  }

  support::ScratchFolder scratch_;
};

TEST_F(SessionFolderTest, RecordingsComeInTheOrderTheyWereBegun) {
  const SessionFolder session = Make();
  for (const char* name : {"9.10", "9.2", "9", "10", "x", "9.x", "-1", ".part"}) {
    Add(session, name, 9);
  }
  std::filesystem::create_directory(session.path() + "/11");  // begun, without records
  std::vector<std::string> names;
  for (const SessionRecording& one : session.Recordings()) {
    names.push_back(std::filesystem::path(one.folder).filename());
  }
  EXPECT_THAT(names, testing::ElementsAre("9", "9.2", "9.10", "10"));
}

TEST_F(SessionFolderTest, AnEndGoesToTheLastRecordingOfAProcessAndTheOthersWereReplaced) {
  const SessionFolder session = Make();
  Add(session, "9", 9);
  Add(session, "9.2", 9);
  Add(session, "10", 10);
  EXPECT_TRUE(session.IsRecording(9));
  session.NoteEnd({9, recording::EndKind::kExit, 6});
  EXPECT_THAT(Text(session, "9"), HasSubstr(R"("pid":9,"exec":true})"));
  EXPECT_THAT(Text(session, "9.2"), HasSubstr(R"("pid":9,"exit_code":6})"));
  EXPECT_THAT(Text(session, "10"), Not(HasSubstr("process_end")));
  EXPECT_FALSE(session.IsRecording(9));
  EXPECT_TRUE(session.IsRecording(10));
  session.NoteEnd({9, recording::EndKind::kSignal, 11});  // the number came again
  EXPECT_THAT(Text(session, "9.2"), Not(HasSubstr("signal")));
}

TEST_F(SessionFolderTest, AFolderThatHoldsRecordingsIsNotUsedAgain) {
  const SessionFolder first = Make();
  EXPECT_EQ(Make().path(), first.path()) << "nothing is in it yet";
  Add(first, "9", 9);
  EXPECT_EQ(Make().path(), first.path() + ".2");
}

TEST_F(SessionFolderTest, ProgressIsTheSumOverAllProcesses) {
  const SessionFolder session = Make();
  EXPECT_FALSE(session.Progress());
  for (const char* name : {"9", "10"}) {
    Add(session, name, 9);
    std::ofstream(session.path() + "/" + name + "/progress", std::ios::binary)
        << recording::ProgressBytes({1000, 2, 3});
  }
  const auto progress = session.Progress();
  ASSERT_TRUE(progress);
  EXPECT_EQ(*progress, (recording::Progress{2000, 4, 6}));
}

}  // namespace
}  // namespace coalcheck::cli
