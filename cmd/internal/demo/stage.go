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

	"github.com/idumb-dev/idumb/controller/trust"
)

// reading is how long people take to read a few lines.
const reading = 700 * time.Millisecond

// stage is the scratch repository with everything that acts in it.
type stage struct {
	ctx     context.Context
	dir     string
	program string

	mu  sync.Mutex // guards out: the controller's lines come at any time
	out io.Writer

	shown  string // what the last line showed
	marked string // the packed context as it was at a mark

	controller *exec.Cmd
	lines      chan struct{} // closed when the controller's last line was shown
}

func (s *stage) printf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format, args...)
}

// show prints what a line of the script shows, which the next ones may check. s.mu is held.
func (s *stage) show(text string) {
	s.shown = text
	fmt.Fprint(s.out, text)
}

// command prepares idumb in the scratch repository.
func (s *stage) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.ctx, s.program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+s.dir, "IDUMB_ENFORCE=", trust.Variable+"="+s.dir)
	return cmd
}

// path is that of a file below .idumb, which is named with '/'.
func (s *stage) path(file string) string {
	return filepath.Join(s.dir, ".idumb", filepath.FromSlash(file))
}

// context reads the packed context.
func (s *stage) context() string {
	data, _ := os.ReadFile(s.path("context/context.xml")) // there is none yet
	return string(data)
}

// edit changes a file as an editor does: it truncates it and writes it again. The line
// names the file, what stands in it, and what is to stand there.
func (s *stage) edit(line string) error {
	change := words(line)
	file, old, changed := change[0], change[1], change[2]
	path := s.path(file)
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

// startUp starts idumb up and shows its lines as they come.
func (s *stage) startUp(string) error {
	s.printf("  $ idumb up\n")
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
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("the controller did not end cleanly: %w", err)
	}
	return nil
}

func (s *stage) pause(d time.Duration) {
	select {
	case <-s.ctx.Done():
	case <-time.After(d):
	}
}
