// SPDX-License-Identifier: Apache-2.0
//
// When a line names the array of an access, and when it says nothing.
#include "libcoalcheck/findings/words/array_name.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace coalcheck::findings {
namespace {

std::string Store(std::string_view line) { return ArrayName(line, cubin::AccessKind::kStore); }
std::string Load(std::string_view line) { return ArrayName(line, cubin::AccessKind::kLoad); }

TEST(ArrayName, OfAStoreIsWhatIsAssignedTo) {
  EXPECT_EQ(Store("out[col*height+row]=in[row*width+col];"), "out");
  EXPECT_EQ(Store("a[i][j]=2*(x+1);"), "a");
  EXPECT_EQ(Store("out[i]+=x;"), "out");
  EXPECT_EQ(Store("out[i<n]=x"), "out");
}

TEST(ArrayName, OfALoadIsTheOnlyArrayOnTheRight) {
  EXPECT_EQ(Load("out[col*height+row]=in[row*width+col];"), "in");
  EXPECT_EQ(Load("constfloatvalue=2.5*a[i*32]+1;"), "a");
  EXPECT_EQ(Load("sum+=a[i]*a[i+1];"), "a");
  EXPECT_EQ(Load("b[i]+=1;"), "b");
  EXPECT_EQ(Load("b[i]+=a[i];"), "");  // of both
  EXPECT_EQ(Load("*b+=a[i];"), "");
  EXPECT_EQ(Load("y=(a[i]+a[i+1])*0.5f;"), "a");
}

TEST(ArrayName, IsNoneWhereAnotherReadingIsPossible) {
  for (const char* line : {"y=a[b[i]];",
                           "y=a[i]+b[i];",
                           "y=a[i]+*p;",
                           "y=a[i]+p->x;",
                           "y=a[i]+q.x;",
                           "y=a[i]+f(i);",
                           "y=p.a[i];",
                           "y=f(x)[i];",
                           "y=x;",
                           "a[i];",
                           "y=a[i]==b;",
                           "x=y=a[i];",
                           "y=&a[i];",
                           "if(y)x=a[i];",
                           "returna[i];",
                           "y=a[i];z=b[i];",
                           "y=c?a[i]:d;",
                           "y=\"a[i]\";",
                           "y=std::a[i];",
                           "floatt[2]={a[i],1};",
                           "",
                           "=",
                           "[",
                           "]=a[i]",
                           "y=[i];",
                           "y=1[i];",
                           "y=a[i"}) {
    EXPECT_EQ(Load(line), "") << line;
  }
  for (const char* line :
       {"elseout[i]=x;", "*out=x;", "p->out[i]=x;", "s.out[i]=x;", "f(x)[i]=y;", "out[b[i]]=x;",
        "out[i]=f(x);", "out[i].x=y;", "x=y;", "out[i]==x;", "(out)[i]=x;"}) {
    EXPECT_EQ(Store(line), "") << line;
  }
  EXPECT_EQ(ArrayName("out[i]=x;", cubin::AccessKind::kAtomic), "");
}

TEST(ArrayName, IsAWordOfTheLineWhateverThatHolds) {
  std::mt19937 draw(1);
  constexpr std::string_view kCharacters = "ab[]()=+-*.;&>?{}1_ \xff";
  for (int i = 0; i < 100000; ++i) {
    std::string line;
    for (std::size_t k = draw() % 14; k > 0; --k) line += kCharacters[draw() % kCharacters.size()];
    for (const std::string& name : {Store(line), Load(line)}) {
      EXPECT_NE(line.find(name), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace coalcheck::findings
