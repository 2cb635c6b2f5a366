# SPDX-License-Identifier: Apache-2.0
#
# The completion scripts in the shells themselves.
"""Run by ctest: completion_test.py Class.test_name. Without zsh or fish their tests are skipped."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import terminal
import tools

COALCHECK = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"]) / "bin" / "coalcheck"
BASH = "/bin/bash"

# The words, the last of which is completed, and what is offered: exactly these, or these among others.
CASES = [
    (["rep"], {"report"}),
    (["baseline", ""], {"write", "check"}),
    (["report", "--verb"], {"--verbosity"}),
    (["report", "--verbosity", ""], {"quiet", "normal", "verbose"}),
    (["report", "--format", "ju"], {"junit"}),
    (["run", "--sampling", "ev"], {"every:"}),
    (["--sampling", "fi"], {"first"}),
    (["--exit-zero", "dia"], set()),
    (["--exit-zero", "dif"], {"diff"}),
    (["report", "--path-map", ""], set()),
    (["baseline", "check", "--tight"], {"--tighten"}),
    (["baseline", "write", "--tight"], set()),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["report", "--source-root", ""], {"a folder", "run.rec"}),
    (["report", ""], {"a folder", "run.rec"}),
    (["inspect", "a."], {"a.cubin"}),
    (["diff", "--format", "m"], {"markdown"}),
]
COMMANDS = (["run"], ["report"], ["verdict"], ["diff"], ["inspect"], ["doctor"], ["baseline", "check"],
            ["baseline", "write"], ["patterns"], ["manual"])


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, timeout=100,
                          stdin=subprocess.DEVNULL, **more).stdout


def options_of_help(*command):
    text = run(COALCHECK, *command, "--help")
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", " ".join(re.findall(r"^  (-\S.*?)(?:  |$)", text, re.M))))
    assert "--help" in options, text
    return options


class Completion(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-completion-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name, "here")
        self.folder.mkdir()
        for name in ("a folder", "run.rec"):
            (self.folder / name).mkdir()
        (self.folder / "a.cubin").touch()
        self.scripts = pathlib.Path(scratch.name, "scripts")
        run(COALCHECK, "manual", "--write-all", self.scripts)
        programs = pathlib.Path(scratch.name, "bin")  # the only programs that the shells see
        programs.mkdir()
        (programs / "coalcheck").symlink_to(COALCHECK)
        self.environment = {"PATH": str(programs), "HOME": scratch.name, "TERM": "dumb",
                            "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": scratch.name, "LINES": "50", "COLUMNS": "200"}

    def bash(self, words, cursor=None):
        """What bash's completion function offers for the words behind coalcheck."""
        script = self.scripts / "bash-completion" / "completions" / "coalcheck"
        text = (f"source '{script}'; COMP_WORDS=(coalcheck \"$@\"); COMP_CWORD={cursor or len(words)}; "
                "_coalcheck; printf '%s\\n' \"${COMPREPLY[@]}\"")
        shown = run(BASH, "--norc", "-c", text, "bash", *words, env=self.environment, cwd=self.folder)
        return {word for word in shown.splitlines() if word}

    def fish(self, words):
        script = self.scripts / "fish" / "vendor_completions.d" / "coalcheck.fish"
        shown = run(tools.need("fish"), "--no-config", "-c", f"source {script}; complete -C $argv[1]",
                    "coalcheck " + " ".join(words), env=self.environment, cwd=self.folder)
        return {line.split("\t")[0].rstrip("/") for line in shown.splitlines()}

    def test_bash_offers_what_the_command_takes(self):
        for words, offered in CASES:
            self.assertEqual(self.bash(words), offered, words)

    def test_fish_offers_what_the_command_takes(self):
        tools.need("fish")
        for words, offered in CASES:
            found = {name for name in self.fish(words) if name.startswith(words[-1])}  # it also guesses
            if words[-1] == "":  # fish shows options only behind a dash, and hides folders behind nothing
                self.assertLessEqual(offered - {"a folder"}, {name.replace("\\", "") for name in found}, words)
            else:
                self.assertEqual(found, offered, words)

    def test_bash_knows_every_option_of_help_and_no_other(self):
        for command in COMMANDS:
            offered = {name for name in self.bash([*command, "--"]) if name.startswith("--")}
            self.assertEqual(offered, options_of_help(*command), command)

    def test_fish_knows_every_option_of_help_and_no_other(self):
        for command in COMMANDS:
            offered = {name.rstrip("=") for name in self.fish([*command, "--"])}
            self.assertEqual(offered, options_of_help(*command), command)

    def test_bash_understands_values_behind_an_equal_sign(self):
        self.assertEqual(self.bash(["report", "--format", "=", "call"]), {"callgrind"})
        self.assertEqual(self.bash(["report", "--format", "="]), self.bash(["report", "--format", ""]))
        self.assertEqual(self.bash(["--color", "=", "never", "verd"]), {"verdict"})

    def test_behind_a_program_nothing_of_coalcheck_is_offered(self):
        for words in (["--", "app", "a"], ["run", "./app", "a"], ["./app", "--exit-zero", "a"]):
            self.assertEqual(self.bash(words), {"a folder", "a.cubin"}, words)
        self.assertEqual(self.bash(["./app", "--verb"]), set())

    def test_a_program_stands_in_the_place_of_a_command(self):
        for words in (["coalch"], ["run", "coalch"], ["--", "coalch"], ["--exit-zero", "coalch"]):
            self.assertEqual(self.bash(words), {"coalcheck"}, words)
        self.assertEqual(self.bash(["run", "--library", "a."]), {"a.cubin"})

    def type_to(self, shell, start, line, shown):
        """Types a line with tabs in an interactive shell; `shown` has to appear."""
        typed = terminal.Terminal(shell, self.environment)
        self.addCleanup(typed.close)
        typed.type(f"cd '{self.folder}'; PS1='ready''> '; {start}; echo be''gin\n")
        typed.read_until("begin")
        typed.read_until("ready> ")
        typed.type(line)
        typed.read_until(shown)

    def test_an_interactive_bash_completes(self):
        script = self.scripts / "bash-completion" / "completions" / "coalcheck"
        self.type_to([BASH, "--norc", "--noprofile", "-i"], f"source '{script}'",
                     "coalcheck repo\t--verb\tqui\tr\t", "coalcheck report --verbosity quiet run.rec/")

    def test_an_interactive_zsh_completes(self):
        functions = self.scripts / "zsh" / "site-functions"
        zsh = tools.need("zsh")
        start = f"fpath=('{functions}' $fpath); autoload -Uz compinit; compinit -u -D"
        self.type_to([zsh, "-f", "-i"], start, "coalcheck repo\t--verb\tqui\tr\t",
                     "coalcheck report --verbosity=quiet run.rec/")
        self.type_to([zsh, "-f", "-i"], start, "coalcheck baseline che\t--tight\t",
                     "coalcheck baseline check --tighten")
        self.type_to([zsh, "-f", "-i"], start, "coalcheck --sampling fir\tcoalche\tcomple\tfis\t",
                     "coalcheck --sampling first coalcheck completion fish")

    def test_bash_sees_no_mistake_in_its_script(self):
        run(BASH, "-n", self.scripts / "bash-completion" / "completions" / "coalcheck")

    def test_zsh_sees_no_mistake_in_its_script(self):
        run(tools.need("zsh"), "-n", self.scripts / "zsh" / "site-functions" / "_coalcheck")

    def test_fish_sees_no_mistake_in_its_script(self):
        run(tools.need("fish"), "--no-execute", self.scripts / "fish" / "vendor_completions.d" / "coalcheck.fish")


if __name__ == "__main__":
    unittest.main()
