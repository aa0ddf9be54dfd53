package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/shell"
)

const shellDoc = `Say what the gate makes of a command line, and why. Nothing is run.

The line is read as a shell reads it: words, pipes, wrappers and code within it are
followed as far as the line tells. The answer is allow, ask or deny, with the rule
that decided, the part of the command that it is about, and a safe step in its place.
Where nobody can be asked, ask is deny.

With --stdin each line of the input is a JSON string with one command line, and each
line of the output the answer as JSON. The exit code is 0 whatever the answer is.`

const shellExamples = `  idumb shell check -- 'git push --force'
  idumb shell check --as executor -o json -- 'rm -rf build'
  printf '%s\n' '"git status"' '"rm -rf /"' | idumb shell check --stdin`

func newShell(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "shell (check|rules)", Short: "Ask what the gate makes of a command line", RunE: noSubVerb,
		Long: "Ask what the gate makes of a command line, and by which rules.", Example: shellExamples + "\n  idumb shell rules",
	}
	c.AddCommand(newShellCheck(a), newShellRules(a))
	return c
}

// shellCheck is what is asked, and how it is printed.
type shellCheck struct {
	as     string
	output string
	stdin  bool
}

func newShellCheck(a *app) *cobra.Command {
	var o shellCheck
	c := &cobra.Command{
		Use: "check (--stdin | -- COMMAND) [flags]", Short: "Ask what the gate makes of a command line",
		Long: shellDoc, Example: shellExamples,
		RunE: func(_ *cobra.Command, args []string) error { return a.checkShell(o, args) },
	}
	c.Flags().StringVar(&o.as, "as", "", "the role or agent that would run it (default: an agent without a name)")
	c.Flags().StringVarP(&o.output, "output", "o", "", "json")
	c.Flags().BoolVar(&o.stdin, "stdin", false, "read command lines as JSON strings, one a line")
	completeFlag(c, "output", "json")
	a.completeFlagNames(c, "as", resources.Roles)
	return c
}

func (a *app) checkShell(o shellCheck, args []string) error {
	if o.output != "" && o.output != "json" {
		return fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: json", o.output)
	}
	if o.stdin == (len(args) > 0) {
		return errors.New("say which command, behind --, or --stdin\nUsage: idumb shell check [--as ROLE] [-o json] -- 'COMMAND'")
	}
	dir, err := a.folder()
	if err != nil {
		return err
	}
	judge := a.shellJudge(o.as, dir)
	if o.stdin {
		return a.checkLines(judge)
	}
	v := judge(strings.Join(args, " "))
	if o.output == "json" {
		return a.verdictLine(a.stdout, v)
	}
	a.tellVerdict(v)
	return nil
}

// shellJudge judges command lines in a repository, or where there is none as if it were
// one without files of idumb.
func (a *app) shellJudge(as, dir string) func(line string) shell.Verdict {
	root, err := layout.Find(dir)
	if err != nil {
		root = layout.Root(dir)
	}
	env := os.Environ()
	return func(line string) shell.Verdict { return hook.CheckShell(root, as, dir, line, env, a.now()) }
}

// checkLines answers one line after the other, each at once.
func (a *app) checkLines(judge func(string) shell.Verdict) error {
	in, out := bufio.NewReader(a.stdin), bufio.NewWriter(a.stdout)
	for {
		text, err := in.ReadBytes('\n')
		if len(strings.TrimSpace(string(text))) > 0 {
			if err := a.verdictLine(out, judgeText(text, judge)); err != nil {
				return err
			}
			if in.Buffered() == 0 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return out.Flush()
		case err != nil:
			return errors.Join(out.Flush(), fmt.Errorf("standard input cannot be read: %w", err))
		}
	}
}

// judgeText judges a command line that is written as a JSON string.
func judgeText(text []byte, judge func(string) shell.Verdict) shell.Verdict {
	var line string
	err := json.Unmarshal(text, &line)
	if err == nil && strings.TrimSpace(string(text)) == "null" { // which leaves a string as it is
		err = errors.New("it is null")
	}
	if err != nil {
		return shell.Verdict{Verdict: shell.Ask, Rule: "unreadable", Because: "the line is no JSON string: " + err.Error(), UseInstead: "Write each command line as a JSON string on a line of its own."}
	}
	return judge(line)
}

// verdictLine writes a verdict as JSON, on one line.
func (a *app) verdictLine(w io.Writer, v shell.Verdict) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// tellVerdict writes a verdict for people. What it quotes shows escapes and does not send them.
func (a *app) tellVerdict(v shell.Verdict) {
	if v.Verdict == shell.Allow {
		a.outf("allow\n")
		return
	}
	a.outf("%s (%s)\nBECAUSE: %s\nUSE INSTEAD: %s\n", v.Verdict, v.Rule, admission.Plain(v.Because), admission.Plain(v.UseInstead))
}
