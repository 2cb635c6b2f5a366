// SPDX-License-Identifier: Apache-2.0
//
// Copies bodies, one call inside the other, with what they name renumbered.
#include "libcoalcheck/ptx/inline_calls.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace coalcheck::ptx {
namespace {

constexpr std::size_t kDeepest = 16;                // calls inside one another
constexpr std::size_t kElementsOfInstruction = 16;  // of vectors, on average at most
// To copy a variable of the module, and its name, takes as long as to read so many bytes of text.
constexpr std::size_t kBytesOfVariable = 4;
constexpr std::size_t kBytesOfBody = 256;  // and to read a body without anything in it

// `call (results), name, (arguments)`; both lists may be missing.
struct Call {
  std::string_view name;
  std::span<const Operand> results;
  std::span<const Operand> arguments;
};

Call CallOf(const Function& function, const Instruction& instruction) {
  Call call;
  for (const Operand& operand : function.OperandsOf(instruction)) {
    if (operand.kind == Operand::Kind::kName) {
      if (!call.name.empty()) return {};  // through a register, with a prototype
      call.name = function.names[operand.id];
    } else if (operand.kind == Operand::Kind::kVector) {
      (call.name.empty() ? call.results : call.arguments) = function.ElementsOf(operand);
    } else {
      return {};
    }
  }
  return call;
}

bool AreVariables(std::span<const Operand> operands) {
  return std::ranges::all_of(operands,
                             [](const Operand& one) { return one.kind == Operand::Kind::kSymbol; });
}

class Inliner {
 public:
  Inliner(const Module& module, FindModule elsewhere, std::size_t most)
      : module_(module), elsewhere_(elsewhere), most_(most) {}

  Function Inline(const Function& function) && {
    result_ = function;
    result_.instructions.clear();
    result_.operands.clear();
    result_.elements.clear();
    result_.targets.clear();
    Numbers numbers{module_, 0, 0, {}};
    for (std::uint32_t id = 0; id < function.symbols.size(); ++id) numbers.symbols.push_back(id);
    Copy(function, numbers);
    return std::move(result_);
  }

 private:
  // What a function's registers, names and variables are called in the result.
  struct Numbers {
    const Module& module;  // that the function is of
    std::uint32_t first_register;
    std::uint32_t first_name;
    std::vector<std::uint32_t> symbols;
  };
  struct Body {
    const Function function;
    Numbers numbers;
    std::vector<std::uint32_t> parameters;  // those of its symbols that are some
  };

  void Copy(const Function& from, const Numbers& numbers) {
    std::vector<std::uint32_t> begins;  // of each instruction, and of what follows the last
    std::vector<std::uint32_t> labels;  // operands that are one of `from`
    const std::size_t first_target = result_.targets.size();
    for (const std::uint32_t target : from.targets) result_.targets.push_back(target);
    for (const Instruction& one : from.instructions) {
      begins.push_back(Here());
      if (one.code.op == Op::kCall && Expand(from, one, numbers)) continue;
      if (one.code.op == Op::kRet && !stack_.empty()) {
        AddReturn(one, numbers, static_cast<std::uint32_t>(from.instructions.size()), labels);
      } else {
        Add(from, one, numbers, static_cast<std::uint32_t>(first_target), labels);
      }
    }
    begins.push_back(Here());
    const auto moved = [&](std::uint32_t label) {
      return begins[std::min<std::size_t>(label, begins.size() - 1)];
    };
    for (const std::uint32_t operand : labels) {
      result_.operands[operand].id = moved(result_.operands[operand].id);
    }
    for (std::size_t i = 0; i < from.targets.size(); ++i) {
      std::uint32_t& target = result_.targets[first_target + i];
      if (target != kNone) target = moved(target);
    }
  }

  std::uint32_t Here() const { return static_cast<std::uint32_t>(result_.instructions.size()); }

  void Add(const Function& from, Instruction one, const Numbers& numbers,
           std::uint32_t first_target, std::vector<std::uint32_t>& labels) {
    const std::span<const Operand> operands = from.OperandsOf(one);
    if (one.guard != kNone) one.guard += numbers.first_register;
    one.first_operand = static_cast<std::uint32_t>(result_.operands.size());
    for (Operand operand : operands) {
      if (operand.kind == Operand::Kind::kVector) {
        const std::span<const Operand> elements = from.ElementsOf(operand);
        operand.id = static_cast<std::uint32_t>(result_.elements.size());
        for (const Operand& element : elements) {
          result_.elements.push_back(Renumbered(element, numbers));
        }
      } else if (operand.kind == Operand::Kind::kLabel && one.code.op == Op::kBrx) {
        operand.id += first_target;
      } else if (operand.kind == Operand::Kind::kLabel) {
        labels.push_back(static_cast<std::uint32_t>(result_.operands.size()));
      }
      result_.operands.push_back(Renumbered(operand, numbers));
    }
    result_.instructions.push_back(one);
  }

  static Operand Renumbered(Operand operand, const Numbers& numbers) {
    if (operand.kind == Operand::Kind::kRegister) operand.id += numbers.first_register;
    if (operand.kind == Operand::Kind::kName) operand.id += numbers.first_name;
    if (operand.kind == Operand::Kind::kSymbol) operand.id = numbers.symbols[operand.id];
    return operand;
  }

  // Leaves the copy for what follows the call.
  void AddReturn(Instruction one, const Numbers& numbers, std::uint32_t end,
                 std::vector<std::uint32_t>& labels) {
    one.code = ReadOpcode("bra");
    if (one.guard != kNone) one.guard += numbers.first_register;
    one.first_operand = static_cast<std::uint32_t>(result_.operands.size());
    one.operand_count = 1;
    labels.push_back(one.first_operand);
    Operand label;
    label.kind = Operand::Kind::kLabel;
    label.id = end;
    result_.operands.push_back(label);
    result_.instructions.push_back(one);
  }

  // False when the call has to stay.
  bool Expand(const Function& caller, const Instruction& instruction, const Numbers& outside) {
    const Call call = CallOf(caller, instruction);
    const bool is_open = std::ranges::find(stack_, call.name) != stack_.end();
    if (instruction.guard != kNone || is_open || stack_.size() == kDeepest) return false;
    Body* body = BodyOf(call.name, outside.module);
    if (body == nullptr || !Fits(call, body->function)) return false;
    if (!HasRoomFor(body->function)) return false;
    ++result_.inlined_calls;
    Pass(call, outside, *body);
    stack_.push_back(body->function.name);
    Copy(body->function, body->numbers);
    stack_.pop_back();
    return true;
  }

  // An instruction may have many elements, and a jump table many targets: each copy has its own.
  bool HasRoomFor(const Function& body) const {
    const auto fits = [](std::size_t now, std::size_t more, std::size_t most) {
      return more == 0 || now + more <= most;
    };
    // A call counts as an instruction, as a body need not have any.
    const std::size_t now = result_.instructions.size() + result_.inlined_calls;
    return fits(now, 1 + body.instructions.size(), most_) &&
           fits(result_.elements.size(), body.elements.size(), kElementsOfInstruction * most_) &&
           fits(result_.targets.size(), body.targets.size(), most_);
  }

  Body* BodyOf(std::string_view name, const Module& caller) {
    if (name.empty()) return nullptr;
    const Module* module = &caller;
    const Module::Entry* entry = module->Find(name);
    if (entry == nullptr) {
      module = elsewhere_(name);
      if (module != nullptr) entry = module->Find(name);
    }
    if (entry == nullptr || entry->is_kernel) return nullptr;
    std::unique_ptr<Body>& body = bodies_[entry];
    if (body == nullptr) {
      result_.inlined_bytes +=
          entry->end - entry->begin + kBytesOfBody + kBytesOfVariable * module->globals();
      Function function = module->Read(*entry);
      Numbers numbers = NumbersOf(function, *module);
      std::vector<std::uint32_t> parameters = ParametersOf(function);
      body = std::make_unique<Body>(
          Body{std::move(function), std::move(numbers), std::move(parameters)});
    }
    return body->function.is_complete ? body.get() : nullptr;
  }

  static std::vector<std::uint32_t> ParametersOf(const Function& body) {
    std::vector<std::uint32_t> parameters;
    for (std::uint32_t id = 0; id < body.symbols.size(); ++id) {
      if (body.symbols[id].parameter != kNone) parameters.push_back(id);
    }
    return parameters;
  }

  static bool Fits(const Call& call, const Function& body) {
    return call.results.size() == body.results && AreVariables(call.results) &&
           call.arguments.size() == body.parameters.size() && AreVariables(call.arguments);
  }

  Numbers NumbersOf(const Function& body, const Module& module) {
    Numbers inside{module,
                   static_cast<std::uint32_t>(result_.registers.size()),
                   static_cast<std::uint32_t>(result_.names.size()),
                   {}};
    result_.registers.insert(result_.registers.end(), body.registers.begin(), body.registers.end());
    result_.names.insert(result_.names.end(), body.names.begin(), body.names.end());
    for (std::uint32_t id = 0; id < body.symbols.size(); ++id) {
      const bool is_own = &module == &module_ && id < module.globals();
      inside.symbols.push_back(is_own ? id : static_cast<std::uint32_t>(result_.symbols.size()));
      if (!is_own) result_.symbols.push_back(body.symbols[id]);
      // The function's parameters are variables of who calls it.
      result_.symbols[inside.symbols.back()].parameter = kNone;
    }
    return inside;
  }

  // What the body reads and leaves are the caller's variables, of this call.
  static void Pass(const Call& call, const Numbers& outside, Body& body) {
    const std::size_t first = body.numbers.module.globals();
    std::vector<std::uint32_t>& symbols = body.numbers.symbols;
    for (std::size_t i = 0; i < call.results.size(); ++i) {
      symbols[first + i] = outside.symbols[call.results[i].id];
    }
    for (const std::uint32_t id : body.parameters) {
      const std::uint32_t parameter = body.function.symbols[id].parameter;
      symbols[id] = outside.symbols[call.arguments[parameter].id];
    }
  }

  const Module& module_;
  const FindModule elsewhere_;
  const std::size_t most_;
  Function result_;
  std::vector<std::string_view> stack_;  // of functions that are being copied
  absl::flat_hash_map<const Module::Entry*, std::unique_ptr<Body>> bodies_;
};

}  // namespace

Function WithCallsInlined(const Module& module, const Function& function, FindModule elsewhere,
                          std::size_t most) {
  return Inliner(module, elsewhere, most).Inline(function);
}

bool CallsUnseen(const Function& function) {
  constexpr std::array<std::string_view, 4> kReturn = {"vprintf", "malloc", "free", "__assertfail"};
  return std::ranges::any_of(function.instructions, [&](const Instruction& one) {
    return one.code.op == Op::kCall &&
           std::ranges::find(kReturn, CallOf(function, one).name) == kReturn.end();
  });
}

}  // namespace coalcheck::ptx
