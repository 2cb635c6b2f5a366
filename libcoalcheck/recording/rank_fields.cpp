// SPDX-License-Identifier: Apache-2.0
//
// Fields that say which rank it was.
#include "libcoalcheck/recording/rank_fields.h"

#include <rapidjson/document.h>

#include "libcoalcheck/recording/parse_json.h"

namespace coalcheck::recording {
JobMembership ReadJobMembership(FieldReader& fields) {
  JobMembership job;
  if (fields.Has("rank")) job.rank = fields.SmallNumber("rank");
  if (fields.Has("local_rank")) job.local_rank = fields.SmallNumber("local_rank");
  if (fields.Has("world_size")) job.world_size = fields.SmallNumber("world_size");
  job.id = fields.OptionalText("job");
  if (job.rank == kNoRank || job.world_size == kNoRank || job.local_rank == kNoRank) {
    fields.Refuse("rank, local_rank and world_size", "numbers below 4294967295");
  }
  return job;
}

RankSet ReadRanks(const rapidjson::Value& object, FieldReader& fields) {
  std::vector<RankSet::Span> ranks;
  const rapidjson::Value* spans = FieldOf(object, "ranks");
  if (spans == nullptr) return {};
  const bool is_array = spans->IsArray();
  if (!is_array) fields.Refuse("ranks", "an array");
  for (rapidjson::SizeType i = 0; is_array && i < spans->Size(); ++i) {
    const rapidjson::Value& span = (*spans)[i];
    if (!span.IsArray() || span.Size() != 2 || !span[0].IsUint() || !span[1].IsUint()) {
      fields.Refuse("ranks", "pairs of a first and a last rank");
      break;
    }
    ranks.push_back({span[0].GetUint(), span[1].GetUint()});
  }
  return RankSet(std::move(ranks));
}

Origin ReadOrigin(const rapidjson::Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  Origin origin;
  if (fields.Has("rank")) origin.rank = fields.SmallNumber("rank");
  origin.host = fields.OptionalText("host");
  origin.pid = fields.OptionalNumber("pid");
  origin.started = fields.OptionalText("started");
  origin.window = WindowId(fields.Number("window"));
  return origin;
}

}  // namespace coalcheck::recording
