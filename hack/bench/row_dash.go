package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// measureDash measures the dashboard in a terminal, with a controller of 1,000 tasks: from its
// start to the first screen, and from the rename of a task's file to the cells that show it.
func measureDash(b *bench) ([]Result, error) {
	n := b.size(1000, 300)
	k, err := newKitchen(b, n, n)
	if err != nil {
		return nil, err
	}
	defer k.end()
	starts, rounds := b.size(20, 5), b.size(100, 20)
	var first, edits []time.Duration
	for range starts {
		settle(k.controller.PID())
		s, took, err := k.openDash()
		if err != nil {
			return nil, err
		}
		s.end()
		first = append(first, took)
	}
	s, _, err := k.openDash()
	if err != nil {
		return nil, err
	}
	defer s.end()
	if err := s.types("2", "Task number 1 "); err != nil {
		return nil, err
	}
	for round := range rounds {
		took, err := k.shownAfter(s, round)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", round, err)
		}
		edits = append(edits, took)
	}
	row := func(what string, p int, ours []time.Duration, goal string) Result {
		return Result{What: fmt.Sprintf("%s, %s, p%d", what, k, p), Unit: "ms", Ours: ms(percentile(ours, p)), Goal: goal}
	}
	return []Result{
		row("idumb dash -> first screen", 50, first, "60 ms"), row("idumb dash -> first screen", 99, first, ""),
		row("edit -> cell", 50, edits, "20 ms"), row("edit -> cell", 99, edits, "60 ms"),
	}, nil
}

// shownAfter changes the title of the active task, and measures the time until the terminal
// receives it. The letters differ each time, because only changed cells are sent.
func (k *backend) shownAfter(s *screen, round int) (time.Duration, error) {
	settle(k.controller.PID())
	time.Sleep(60 * time.Millisecond) // longer than the minimal time between two screens
	spec := taskSpec(activeTask, mixed)
	title := strings.Repeat(string(rune('A'+round%26)), 12)
	spec["state"], spec["title"] = "active", title
	s.forget()
	began := time.Now()
	if err := k.repo.ReplaceTask(taskName(activeTask), spec); err != nil {
		return 0, err
	}
	return until(began, func() bool { return s.sent(title) })
}

// screen is a dashboard in a terminal that records its output.
type screen struct {
	terminal *os.File
	process  *exec.Cmd

	mu     sync.Mutex
	output bytes.Buffer
}

// openDash starts a dashboard and measures the time until its first screen.
func (k *backend) openDash() (*screen, time.Duration, error) {
	ours, theirs, err := openTerminal(80, 24)
	if err != nil {
		return nil, 0, err
	}
	defer theirs.Close()
	cmd := exec.Command(k.repo.Bin.Path("idumb"), "dash")
	cmd.Dir, cmd.Env = k.repo.Dir, append(k.repo.Env(), "IDUMB_AUTOSTART=off", "TERM=xterm-256color", "LANG=C.UTF-8", "XDG_STATE_HOME="+k.repo.Dir+"/.git")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	inTerminal(cmd)
	s := &screen{terminal: ours, process: cmd}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	go s.read()
	took, err := until(began, func() bool { return s.sent("AGENTS") })
	if err != nil {
		s.end()
	}
	return s, took, err
}

// read records the terminal's output, and answers queries for its type.
func (s *screen) read() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := s.terminal.Read(buffer)
		if err != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte("\x1b[c")) {
			_, _ = s.terminal.WriteString("\x1b[?62;22c")
		}
		s.mu.Lock()
		s.output.Write(buffer[:n])
		s.mu.Unlock()
	}
}

func (s *screen) sent(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Contains(s.output.Bytes(), []byte(text))
}

func (s *screen) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.output.Reset()
}

// types presses a key and waits for a text.
func (s *screen) types(key, text string) error {
	if _, err := s.terminal.WriteString(key); err != nil {
		return err
	}
	_, err := until(time.Now(), func() bool { return s.sent(text) })
	return err
}

func (s *screen) end() {
	_, _ = s.terminal.WriteString("q")
	done := make(chan struct{})
	go func() { _ = s.process.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = s.process.Process.Kill()
		<-done
	}
	s.terminal.Close()
}
