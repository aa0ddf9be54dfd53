package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

// A crasher is the trial crash: it kills commands and the controller with SIGKILL at random
// moments, and suspends, stops and restarts the controller.
//
// After every step each file below .idumb must be complete. In any state of the controller, a
// command that is not killed must succeed, and the gate must deny as required. At the end, every
// change of a command with exit code 0 must exist, and the restarted controller must reach the same
// statuses as a controller that starts without statuses.
type crasher struct {
	*stage
	repo     *clone
	tasks    []string
	acked    map[string][]string // acknowledged annotation keys by task
	killed   int                 // number of killed commands
	refused  int                 // number of refused commands
	survived int                 // number of commands that ended before they were killed
}

func crash(flags *flag.FlagSet) func(*stage) error {
	kills := flags.Int("kills", 1000, "processes to kill")
	return func(s *stage) (err error) {
		c := &crasher{stage: s, acked: map[string][]string{}}
		c.repo, c.tasks, err = s.disturbed("crash", 6, func(i int) map[string]any {
			spec := map[string]any{"expectedOutput": "whole"}
			if i > 0 {
				spec["dependsOn"] = []string{taskName(i - 1)}
			}
			return spec
		})
		for n := 0; err == nil && c.killed+c.repo.chaos.killed < *kills; n++ {
			if err = c.step(n); err != nil {
				err = fmt.Errorf("step %d: %w", n, err)
			}
		}
		return do(func() error { return err }, c.judge, c.converges)
	}
}

// step runs one command and kills it, or disturbs the controller while it runs.
func (c *crasher) step(n int) error {
	task, key := c.tasks[c.random.IntN(len(c.tasks))], fmt.Sprintf("k%d", n)
	cmd := c.repo.Command("annotate", "task", task, key+"=v")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(c.random.Int64N(int64(12 * time.Millisecond))))
	spare := n%2 == 1
	var chaos error
	if spare {
		chaos = c.repo.chaos.step()
	} else {
		cmd.Process.Kill()
	}
	// A change is acknowledged by the line on standard output that a user sees.
	switch err := cmd.Wait(); {
	case strings.Contains(stdout.String(), "annotated"):
		c.acked[task] = append(c.acked[task], key)
		c.survived++
	case err == nil:
		return fmt.Errorf("annotate exited 0 without saying so: %q", stdout.String())
	case spare && c.repo.chaos.hangs && strings.Contains(stderr.String(), "another process is writing"):
		c.refused++ // suspended while writing, as the command reports
	case spare:
		return fmt.Errorf("annotate failed without being killed: %w\n%s", errors.Join(err, chaos), stderr.String())
	default:
		c.killed++
	}
	if spare && chaos == nil {
		chaos = c.repo.AskGate("src/a.go") // no task is active
	}
	return errors.Join(chaos, c.checkJSON())
}

// judge checks the acknowledged changes.
func (c *crasher) judge() error {
	acked, lost := 0, 0
	for task, keys := range c.acked {
		for _, key := range keys {
			acked++
			there, err := c.repo.says(task, `"`+key+`"`)
			if err != nil {
				return err
			}
			if !there {
				lost++
				fmt.Println("lost:", task, key)
			}
		}
	}
	fmt.Printf("commands: %d killed, %d refused, %d were done first or spared\n%s\n", c.killed, c.refused, c.survived, c.repo.chaos)
	fmt.Printf("%d changes acknowledged, %d lost; every file whole after every kill\n", acked, lost)
	switch {
	case lost > 0:
		return fmt.Errorf("%d acknowledged changes were lost", lost)
	case acked == 0:
		return errors.New("no command was acknowledged: the kills came too early to prove anything")
	}
	return nil
}

// converges compares the statuses with those of a controller that starts without statuses.
func (c *crasher) converges() error {
	before, err := c.waitSettled()
	if err != nil {
		return err
	}
	c.repo.chaos.kill()
	if err := os.RemoveAll(c.repo.Path("status")); err != nil {
		return err
	}
	after, err := c.waitSettled()
	if err != nil {
		return err
	}
	for name, status := range before {
		if after[name] != status {
			return fmt.Errorf("status of %s differs from one computed from nothing:\n%s\n%s", name, status, after[name])
		}
	}
	fmt.Printf("%d statuses equal those computed from nothing\n", len(before))
	return nil
}

var transitionTimes = regexp.MustCompile(`"(lastTransitionTime|startedAt|completedAt)": "[^"]*"`)

// waitSettled returns the statuses after a controller has reconciled all tasks.
func (c *crasher) waitSettled() (map[string]string, error) {
	if err := errors.Join(c.repo.chaos.calm(), c.repo.AwaitStatuses(c.tasks...)); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, name := range c.tasks {
		data, err := os.ReadFile(c.repo.Path("status", "tasks", name+".json"))
		if err != nil {
			return nil, err
		}
		found[name] = transitionTimes.ReplaceAllString(string(data), `"$1": "-"`)
	}
	return found, nil
}
