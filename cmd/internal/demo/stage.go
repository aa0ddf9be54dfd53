package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/trust"
)

// stage is the scratch repository with everything that acts in it.
type stage struct {
	ctx     context.Context
	dir     string
	program string

	mu  sync.Mutex // guards out: the controller's lines come at any time
	out io.Writer

	controller *exec.Cmd
	lines      chan struct{} // closed when the controller's last line was shown
}

func (s *stage) printf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format, args...)
}

// scene prints a heading, once what stands above it was read.
func (s *stage) scene(title string) {
	s.pause(700 * time.Millisecond)
	s.printf("\n=== %s\n\n", title)
}

// say prints what a person or an agent does.
func (s *stage) say(format string, args ...any) {
	s.printf("%s", wrap("  # ", "  # ", fmt.Sprintf(format, args...)))
}

// command prepares idumb in the scratch repository.
func (s *stage) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.ctx, s.program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+s.dir, "IDUMB_ENFORCE=", trust.Variable+"="+s.dir)
	return cmd
}

// run shows a command, runs it, and shows what it printed. What the controller says
// of it is shown after that.
func (s *stage) run(args ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "  $ idumb %s\n", typed(args))
	out, err := s.command(args...).CombinedOutput()
	fmt.Fprint(s.out, indent(out))
	if err != nil {
		return fmt.Errorf("idumb %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// typed writes arguments as a person types them into a shell.
func typed(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a
		if strings.ContainsAny(a, ` "?*{}()[]$`) {
			words[i] = "'" + a + "'"
		}
	}
	return strings.Join(words, " ")
}

// path returns a path below .idumb.
func (s *stage) path(elements ...string) string {
	return filepath.Join(append([]string{s.dir, ".idumb"}, elements...)...)
}

// edit changes a file as an editor does: it truncates it and writes it again.
func (s *stage) edit(file, old, changed string) error {
	path := s.path(filepath.FromSlash(file))
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	edited := bytes.Replace(data, []byte(old), []byte(changed), 1)
	if bytes.Equal(edited, data) {
		return fmt.Errorf("edit .idumb/%s: %q is not in it", file, old)
	}
	return os.WriteFile(path, edited, 0o644)
}

// await waits until done returns true.
func (s *stage) await(what string, done func() bool) error {
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		select {
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("waited 20s for %s", what)
		}
	}
	return nil
}

// phase reads a phase that the controller wrote, "" if there is none yet.
func (s *stage) phase(plural, name string) string {
	data, err := os.ReadFile(s.path("status", plural, name+".json"))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(data), `"phase": "`)
	phase, _, _ := strings.Cut(rest, `"`)
	return phase
}

// awaitPhase waits for a phase, then lets the controller's line about it be seen.
func (s *stage) awaitPhase(plural, name, phase string) error {
	return s.await(fmt.Sprintf("%s/%s to be %s", plural, name, phase), func() bool { return s.phase(plural, name) == phase })
}

// startUp starts idumb up and shows its lines as they come.
func (s *stage) startUp() error {
	cmd := exec.Command(s.program, "up") // not with the context: it is to end cleanly
	cmd.Dir = s.dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	s.controller, s.lines = cmd, make(chan struct{})
	go func() {
		defer close(s.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			_, line, _ := strings.Cut(scanner.Text(), " ") // the time of day
			s.printf("%s", wrap("    up | ", "       |   ", strings.ReplaceAll(line, s.dir, "shop")))
		}
	}()
	return nil
}

// stopController ends the controller as Ctrl-C does and waits for its last line.
func (s *stage) stopController() error {
	if s.controller == nil {
		return nil
	}
	cmd := s.controller
	s.controller = nil
	if err := interrupt(cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop the controller: %w", err)
	}
	<-s.lines
	return cmd.Wait()
}

// breathe gives the controller's lines the time to be printed before what the demo
// prints next.
func (s *stage) breathe() { s.pause(300 * time.Millisecond) }

func (s *stage) pause(d time.Duration) {
	select {
	case <-s.ctx.Done():
	case <-time.After(d):
	}
}
