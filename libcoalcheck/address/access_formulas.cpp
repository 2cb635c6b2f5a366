// SPDX-License-Identifier: Apache-2.0
//
// An access of the machine code and the instruction of the PTX that stands in its line.
#include "libcoalcheck/address/access_formulas.h"

#include "libcoalcheck/base/short_name.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

// A long name is kept shortened; an access knows the line that it was made of.
const ptx::Module::Entry* EntryOf(const ptx::Module& module, const cubin::Function& function) {
  const ptx::Module::Entry* entry = module.Find(function.name);
  if (entry != nullptr || function.accesses.empty()) return entry;
  entry = module.At(function.accesses.front().ptx_line);
  return entry != nullptr && ShortName(entry->name) == function.name ? entry : nullptr;
}

}  // namespace

const ptx::Module* PtxModules::Of(const cubin::Function& function) {
  if (function.ptx_text.empty()) return nullptr;
  std::unique_ptr<ptx::Module>& module = modules_[function.ptx_text.data()];
  if (module == nullptr) {
    module = std::make_unique<ptx::Module>(function.ptx_text);
    NoteLoads(function, *module);
  }
  return module.get();
}

void PtxModules::NoteLoads(const cubin::Function& function, ptx::Module& module) {
  if (!compiled_) {
    compiled_.emplace();
    if (cubin_ != nullptr) {
      for (const cubin::Function& one : cubin_->functions()) {
        if (!one.accesses.empty()) (*compiled_)[one.ptx_text.data()].push_back(&one);
      }
    }
  }
  const auto found = compiled_->find(function.ptx_text.data());
  const std::vector<const cubin::Function*> alone{&function};
  for (const cubin::Function* one : found == compiled_->end() ? alone : found->second) {
    for (const cubin::GlobalAccess& access : one->accesses) {
      if (access.kind != cubin::AccessKind::kLoad || access.width == Bytes(0)) continue;
      module.NoteLoad(access.ptx_line, static_cast<std::uint32_t>(access.width.count()));
    }
  }
}

const ptx::Module* PtxModules::Of(std::string_view name) {
  const cubin::Function* function = cubin_ == nullptr ? nullptr : cubin_->FindFunction(name);
  return function == nullptr ? nullptr : Of(*function);
}

AccessFormulas::AccessFormulas(const cubin::Function& function, PtxModules& modules) {
  const ptx::Module* module = modules.Of(function);
  const ptx::Module::Entry* entry = module == nullptr ? nullptr : EntryOf(*module, function);
  if (entry == nullptr) {
    why_not_ = module == nullptr ? "the code carries no PTX" : "its PTX is not in the code";
    return;
  }
  code_ = std::make_unique<Code>(*module, *entry);
  Join(function);
}

std::uint64_t AccessFormulas::work() const {
  // The cost of a function whose formulas cost nothing: its name and its code are read.
  constexpr std::uint64_t kLeast = 20;
  constexpr std::uint64_t kOfInstruction = 10;
  if (code_ == nullptr) return 0;
  return kLeast + kOfInstruction * code_->function.instructions.size() + code_->formulas.work() +
         code_->lanes.work() + code_->loads.work();
}

void AccessFormulas::Join(const cubin::Function& function) {
  const std::vector<ptx::Instruction>& instructions = code_->function.instructions;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> by_line;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (!ptx::MayAccessGlobal(code_->function, instructions[i])) continue;
    const bool is_followed = ptx::IsGlobalAccess(instructions[i]);
    if (is_followed) by_text_.emplace(instructions[i].text.data(), i);
    const auto [line, is_first] =
        by_line.try_emplace(instructions[i].line, is_followed ? i : ptx::kNone);
    if (!is_first) line->second = ptx::kNone;  // nobody knows which one is meant
  }
  for (const cubin::GlobalAccess& access : function.accesses) {
    // An access of a PTX file names its statement in the same text. Machine code names the whole
    // line, which may hold more than one statement.
    const bool is_statement = access.ptx.find(';') + 1 == access.ptx.size();
    std::uint32_t instruction = is_statement ? InstructionWith(access.ptx) : ptx::kNone;
    const auto line = by_line.find(access.ptx_line);
    if (instruction == ptx::kNone && line != by_line.end()) instruction = line->second;
    if (instruction != ptx::kNone) instructions_.emplace(access.pc, instruction);
  }
}

std::uint32_t AccessFormulas::InstructionWith(std::string_view text) const {
  const auto found = by_text_.find(text.data());
  return found == by_text_.end() ? ptx::kNone : found->second;
}

std::uint32_t AccessFormulas::InstructionAt(PcOffset pc) const {
  const auto found = instructions_.find(pc);
  return found == instructions_.end() ? ptx::kNone : found->second;
}

const Formula* AccessFormulas::Of(std::uint32_t instruction) const {
  if (code_ == nullptr || instruction == ptx::kNone) return nullptr;
  const Formula* formula = code_->formulas.Of(instruction);
  return formula == nullptr || code_->formulas.HasUnknownPart(*formula) ? nullptr : formula;
}

LanePart AccessFormulas::LanesOf(std::uint32_t instruction) const {
  if (Of(instruction) == nullptr) return {LanePart::Kind::kNotKnown, {}, {}};
  return code_->lanes.Of(instruction);
}

std::string AccessFormulas::WordsAt(PcOffset pc, const FormulaNames& names) const {
  const Formula* formula = Of(InstructionAt(pc));
  return formula == nullptr ? std::string() : Words(code_->formulas, *formula, names);
}

std::string AccessFormulas::LaneWordsAt(PcOffset pc, Bytes width, const FormulaNames& names) const {
  const LanePart lanes = LanesOf(InstructionAt(pc));
  if (lanes.kind == LanePart::Kind::kNotKnown) return {};
  return LaneWords(code_->formulas, lanes, width, names);
}

}  // namespace coalcheck::address
