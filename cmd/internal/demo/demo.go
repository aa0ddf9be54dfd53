// Package demo plays a realistic hour of work in a few seconds, with a scratch repository, a plan,
// a real controller, and edits by users and agents. Only the edits are scripted: all output comes
// from the program that users run.
package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// script is the script of the demo. Each line contains a verb and its arguments. Arguments with blanks
// are in single quotes. A stdout line is a pattern for the output of the previous line. The demo fails if
// it does not match, so that playing the demo tests it.
//
//go:embed script
var script string

// plan contains the resources of the demo, as a user would write them.
//
//go:embed plan
var plan embed.FS

// Run plays the demo and writes its output to out. program is the path of idumb, which the demo
// runs for every command. It removes all its files and processes, also if ctx is cancelled or out
// is closed, as by "| head".
func Run(parent context.Context, program string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "idumb-demo-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE) // it must not end the process before the demo's processes are stopped
	defer signal.Stop(pipes)
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s := &stage{ctx: ctx, cancel: cancel, dir: dir, program: program, output: out}
	defer s.stopController()
	err = s.play(script)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// readingTime is the time to read a few lines.
const readingTime = 700 * time.Millisecond

// verbs maps the verbs of the script to their functions.
var verbs = map[string]func(s *stage, rest string) error{
	"==":      (*stage).scene,
	"#":       func(s *stage, text string) error { s.print(wrap("  # ", "  # ", text)); return nil },
	"|":       func(s *stage, text string) error { s.print(text + "\n"); return nil },
	"plan":    (*stage).loadPlan,
	"age":     (*stage).age,
	"up":      (*stage).startUp,
	"ctrl-c":  func(s *stage, _ string) error { return s.stopController() },
	"idumb":   (*stage).run,
	"!":       (*stage).runFailing,
	"stdout":  (*stage).checkOutput,
	"edit":    (*stage).edit,
	"hook":    (*stage).callHook,
	"await":   (*stage).awaitFile,
	"mark":    func(s *stage, _ string) error { s.marked = s.read("context/context.xml"); return nil },
	"changed": (*stage).awaitContext,
	"pause":   func(s *stage, _ string) error { s.pause(readingTime); return nil },
}

// play executes the script line by line.
func (s *stage) play(script string) error {
	for number, line := range strings.Split(script, "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		if verb == "" {
			continue
		}
		do, known := verbs[verb]
		if !known {
			return fmt.Errorf("line %d of the demo: there is no verb %q", number+1, verb)
		}
		if err := do(s, rest); err != nil || s.ctx.Err() != nil {
			return fmt.Errorf("line %d of the demo: %w", number+1, err)
		}
	}
	return nil
}

// words splits a line like a shell: text in single quotes is one word.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// scene prints a heading after a pause. It always returns nil, so that it can be called like the verbs.
func (s *stage) scene(title string) error {
	s.pause(readingTime)
	s.print("\n=== " + title + "\n\n")
	return nil
}

// run prints a command, runs it, and prints its output. The controller's lines about it follow the
// output.
func (s *stage) run(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write("  $ idumb " + line + "\n")
	out, err := s.command(words(line)...).CombinedOutput()
	s.show(indent(out))
	if err != nil {
		return fmt.Errorf("idumb %s: %w", line, err)
	}
	return nil
}

// runFailing is run for a command that must fail.
func (s *stage) runFailing(line string) error {
	line = strings.TrimPrefix(line, "idumb ")
	err := s.run(line)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return errors.Join(err, fmt.Errorf("idumb %s found nothing", line))
}

// checkOutput checks the output of the previous line.
func (s *stage) checkOutput(pattern string) error {
	found, err := regexp.MatchString(words(pattern)[0], s.shown)
	if err == nil && !found {
		err = fmt.Errorf("the output does not match %s:\n%s", pattern, s.shown)
	}
	return err
}

// awaitFile waits until a file, for example one of the controller, exists and contains a text.
func (s *stage) awaitFile(line string) error {
	want := append(words(line), "")
	return s.await(line, func() bool {
		_, err := os.Stat(s.path(want[0]))
		return err == nil && strings.Contains(s.read(want[0]), want[1])
	})
}

// awaitContext waits until the packed context differs from the marked one, and shows some of the
// changes.
func (s *stage) awaitContext(string) error {
	const file = "context/context.xml"
	if err := s.await("the context to change", func() bool { return s.read(file) != s.marked }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.read(file)
	s.show(linesWithout("-", s.marked, now, 4) + linesWithout("+", now, s.marked, 4))
	return nil
}

// await waits until done returns true, and then until the controller's lines are printed.
func (s *stage) await(what string, done func() bool) error {
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if s.pause(5 * time.Millisecond); s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("waited 20s for %s", what)
		}
	}
	s.pause(readingTime / 2)
	return nil
}
