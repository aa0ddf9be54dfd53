package demo

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// script is what is played: a verb a line, with its words. Words with blanks stand in
// single quotes. The lines of stdout say what must have been shown: where it was not, the
// demo fails, so that to play it is to test it.
//
//go:embed script
var script string

// verbs is the one table of what a line of the script may say.
var verbs = map[string]func(s *stage, rest string) error{
	"==":     (*stage).scene,
	"#":      (*stage).say,
	"|":      (*stage).print,
	"plan":   (*stage).loadPlan,
	"age":    (*stage).age,
	"up":     (*stage).startUp,
	"ctrl-c": func(s *stage, _ string) error { return s.stopController() },
	"idumb":  (*stage).run,
	"!":      (*stage).runFailing,
	"stdout": (*stage).wasShown,
	"edit":   (*stage).edit,
	"hook":   (*stage).callHook,
	"await":  (*stage).awaitPhase,
	"exists": (*stage).awaitFile,
	"mark": func(s *stage, _ string) error {
		s.marked = s.context()
		return nil
	},
	"changed": (*stage).awaitContext,
	"pause": func(s *stage, _ string) error {
		s.pause(reading)
		return nil
	},
}

// play plays the script, line by line.
func (s *stage) play(script string) error {
	number := 0
	for line := range strings.Lines(script) {
		number++
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if verb == "" {
			continue
		}
		do, known := verbs[verb]
		if !known {
			return fmt.Errorf("line %d of the demo: there is no verb %q", number, verb)
		}
		if err := do(s, rest); err != nil || s.ctx.Err() != nil {
			return fmt.Errorf("line %d of the demo: %w", number, err)
		}
	}
	return nil
}

// words splits a line as a shell does: what stands in single quotes is one word.
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

// scene prints a heading, once what stands above it was read.
func (s *stage) scene(title string) error {
	s.pause(reading)
	s.printf("\n=== %s\n\n", title)
	return nil
}

// say prints what a person or an agent does.
func (s *stage) say(text string) error {
	s.printf("%s", wrap("  # ", "  # ", text))
	return nil
}

func (s *stage) print(text string) error {
	s.printf("%s\n", text)
	return nil
}

// run shows a command, runs it, and shows what it printed. What the controller says
// of it is shown after that.
func (s *stage) run(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "  $ idumb %s\n", line)
	out, err := s.command(words(line)...).CombinedOutput()
	s.show(indent(out))
	if err != nil {
		return fmt.Errorf("idumb %s: %w", line, err)
	}
	return nil
}

// runFailing is run for a command that is to find something wrong.
func (s *stage) runFailing(line string) error {
	line = strings.TrimPrefix(line, "idumb ")
	err := s.run(line)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return errors.Join(err, fmt.Errorf("idumb %s found nothing", line))
}

// wasShown checks what the line before has shown.
func (s *stage) wasShown(pattern string) error {
	found, err := regexp.MatchString(words(pattern)[0], s.shown)
	if err == nil && !found {
		err = fmt.Errorf("%s is not in what was shown:\n%s", pattern, s.shown)
	}
	return err
}

// awaitPhase waits for a phase that the controller writes, then lets its line about it be
// seen.
func (s *stage) awaitPhase(rest string) error {
	object, phase, _ := strings.Cut(rest, " ")
	return s.await(object+" to be "+phase, func() bool {
		data, err := os.ReadFile(s.path("status/" + object + ".json"))
		return err == nil && strings.Contains(string(data), `"phase": "`+phase+`"`)
	})
}

func (s *stage) awaitFile(file string) error {
	return s.await(file, func() bool { _, err := os.Stat(s.path(file)); return err == nil })
}

// awaitContext waits until the packed context is not what was marked, and shows some of what
// changed.
func (s *stage) awaitContext(string) error {
	if err := s.await("the context to change", func() bool { return s.context() != s.marked }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show(changedLines(s.marked, s.context(), 8))
	return nil
}

// await waits until done returns true, and then for the controller's lines to be printed.
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
	s.pause(reading / 2)
	return nil
}
