// The decision table, every combination against the rules of the design written out as conditions.
// SPDX-License-Identifier: Apache-2.0
#include "memory/decide.h"

#include <gtest/gtest.h>

namespace zp::memory {
namespace {

constexpr PointerKind kKinds[] = {PointerKind::foreign, PointerKind::pinned,  PointerKind::mapped,
                                  PointerKind::device,  PointerKind::managed, PointerKind::other_device};
constexpr MemoryModel kModels[] = {MemoryModel::no_device, MemoryModel::discrete, MemoryModel::unified,
                                   MemoryModel::coherent};
constexpr Reuse kReuses[] = {Reuse::once, Reuse::neighbourhood, Reuse::many};
constexpr Access kAccesses[] = {Access::in, Access::out, Access::in_out};

Verdict expected(PointerKind kind, MemoryModel model, Reuse reuse, bool in_sequence) {
  if (model == MemoryModel::no_device) return Verdict::refuse;
  if (kind == PointerKind::other_device) return Verdict::refuse;
  if (kind == PointerKind::device) return Verdict::device_resident;
  if (kind == PointerKind::managed) return Verdict::in_place;
  // Only host memory is left.
  if (model == MemoryModel::coherent) return Verdict::in_place;
  if (kind != PointerKind::mapped) return Verdict::staged;
  if (model == MemoryModel::unified) return Verdict::in_place;
  return reuse == Reuse::once && !in_sequence ? Verdict::in_place : Verdict::staged;
}

TEST(Decide, EveryCombinationFollowsTheRules) {
  for (auto kind : kKinds)
    for (auto model : kModels)
      for (auto reuse : kReuses)
        for (auto access : kAccesses)
          for (const bool kept : {false, true})
            EXPECT_EQ(int(decide(kind, model, reuse, access, kept).verdict), int(expected(kind, model, reuse, kept)))
                << "kind " << int(kind) << " model " << name_of(model) << " reuse " << int(reuse) << " access "
                << int(access) << " kept " << kept;
}

TEST(Decide, EveryRowIsReachedAndGivesAReasonOfItsOwn) {
  using decision_table::kRows;
  for (const DecisionRow& row : kRows) {
    bool reached = false;
    for (auto kind : kKinds)
      for (auto model : kModels)
        for (auto reuse : kReuses)
          for (auto access : kAccesses)
            for (const bool kept : {false, true})
              reached = reached || decide(kind, model, reuse, access, kept).reason.data() == row.decision.reason.data();
    EXPECT_TRUE(reached) << row.decision.reason;
    EXPECT_GT(row.decision.reason.size(), 15u);
  }
}

TEST(Decide, IsKnownAtCompileTime) {
  static_assert(decide(PointerKind::mapped, MemoryModel::unified, Reuse::many, Access::in).verdict ==
                Verdict::in_place);
  static_assert(decide(PointerKind::mapped, MemoryModel::discrete, Reuse::many, Access::in).verdict == Verdict::staged);
}

TEST(Decide, ReasonsSayWhy) {
  const auto reason = [](PointerKind kind, MemoryModel model, Reuse reuse = Reuse::once) {
    return std::string(decide(kind, model, reuse, Access::in_out).reason);
  };
  EXPECT_NE(reason(PointerKind::other_device, MemoryModel::discrete).find("another device"), std::string::npos);
  EXPECT_NE(reason(PointerKind::foreign, MemoryModel::unified).find("adopt"), std::string::npos);
  EXPECT_NE(reason(PointerKind::mapped, MemoryModel::discrete).find("bus"), std::string::npos);
  EXPECT_NE(reason(PointerKind::mapped, MemoryModel::discrete, Reuse::neighbourhood).find("more than once"),
            std::string::npos);
  EXPECT_NE(reason(PointerKind::foreign, MemoryModel::no_device).find("no device"), std::string::npos);
}

}  // namespace
}  // namespace zp::memory
