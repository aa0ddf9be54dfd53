package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// race has all clones start one task at once.
func (tm *team) race(n int, r *rand.Rand, t *tally) error {
	task := taskName(n)
	killed, offline := -1, -1
	switch r.IntN(4) {
	case 0:
		killed = r.IntN(len(tm.clones))
	case 1:
		offline = r.IntN(len(tm.clones))
	}
	all := tm.startAll(task, killed, time.Duration(r.IntN(60))*time.Millisecond, offline)
	winners := 0
	for i, s := range all {
		switch {
		case i == killed:
			t.killed++
		case i == offline:
			t.offline++
		case s.won:
			winners++
			t.won++
			t.starts = append(t.starts, s.took)
		case !strings.Contains(s.said, "held by"):
			return fmt.Errorf("%s did not start %s, and says: %s", s.c.name, task, s.said)
		}
	}
	if most := 1; winners > most || winners == 0 && killed < 0 {
		return fmt.Errorf("%d clones started %s", winners, task)
	}
	holder, err := tm.agree(task)
	if err != nil {
		return err
	}
	if holder != nil && r.IntN(5) == 0 {
		t.takenOver++
		if holder, err = tm.takeOver(task, holder); err != nil {
			return err
		}
	}
	if n%2 == 0 {
		return tm.giveBack(task, holder)
	}
	return tm.end(task)
}

// startAll starts a task in all clones at once; one of the commands is killed, and one does not
// reach the remote (-1: none).
func (tm *team) startAll(task string, killed int, after time.Duration, offline int) []started {
	all := make([]started, len(tm.clones))
	var done sync.WaitGroup
	for i, c := range tm.clones {
		done.Go(func() {
			cmd := c.command("start", task)
			if i == offline {
				cmd.Env = append(cmd.Env, "GIT_CONFIG_COUNT=1", "PATH="+c.dir) // no git there
			}
			var said strings.Builder
			cmd.Stdout, cmd.Stderr = &said, &said
			began := time.Now()
			err := cmd.Start()
			if err == nil && i == killed {
				time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
			}
			if err == nil {
				err = cmd.Wait()
			}
			all[i] = started{c, err == nil, time.Since(began), said.String()}
		})
	}
	done.Wait()
	return all
}

// agree has all clones exchange, twice, and looks that they, and the remote, name one holder; nil
// where nobody has the task.
func (tm *team) agree(task string) (*clone, error) {
	for range 2 {
		for _, c := range tm.clones {
			if err := c.do("sync", "now"); err != nil {
				return nil, err
			}
		}
	}
	return tm.holder(task)
}

func (tm *team) holder(task string) (*clone, error) {
	claims, err := tm.claims()
	if err != nil {
		return nil, err
	}
	var holder *clone
	var says []string
	for _, c := range tm.clones {
		held, err := c.held(task)
		if err != nil {
			return nil, err
		}
		says = append(says, c.name+": "+held)
		if held != "here" {
			continue
		}
		if holder != nil {
			return nil, fmt.Errorf("%s and %s both hold %s", holder.name, c.name, task)
		}
		holder = c
	}
	claimed := strings.Contains(claims, task)
	all := strings.Join(says, "\n")
	elsewhere, ended := strings.Count(all, ": elsewhere"), strings.Count(all, ": ended")
	switch {
	case holder == nil && (claimed != (ended > 0) || elsewhere > 0), holder != nil && (!claimed || elsewhere != len(tm.clones)-1):
		return nil, fmt.Errorf("they do not agree about %s: %s; the team has: %s", task, strings.Join(says, ", "), claims)
	}
	return holder, nil
}

// takeOver has another clone take a task over, and returns it.
func (tm *team) takeOver(task string, from *clone) (*clone, error) {
	next := tm.clones[0]
	if next == from {
		next = tm.clones[1]
	}
	if err := next.do("start", task, "--take-over"); err != nil {
		return nil, err
	}
	holder, err := tm.agree(task)
	if err == nil && holder != next {
		err = fmt.Errorf("%s took %s over, and does not hold it", next.name, task)
	}
	return holder, err
}

// giveBack ends the work on a task that may be started again, and checks that its claim is gone.
func (tm *team) giveBack(task string, holder *clone) error {
	if _, err := tm.inEachActive(task, "fail", task, "--reason", "the round is over"); err != nil {
		return err
	}
	left, err := tm.agree(task)
	if err == nil && left != nil {
		err = fmt.Errorf("%s still holds %s, which was given back by %v", left.name, task, holder)
	}
	claims, failed := tm.claims()
	if err == nil && strings.Contains(claims, task) {
		err = fmt.Errorf("a claim of %s stands, which was given back", task)
	}
	return errors.Join(err, failed)
}

// end abandons a task, and checks that a clone whose files do not say so cannot start it.
func (tm *team) end(task string) error {
	over, err := tm.inEachActive(task, "abandon", task, "--reason", "the round is over")
	if err != nil || len(over) == 0 {
		return err
	}
	if left, err := tm.agree(task); err != nil || left != nil {
		return errors.Join(err, fmt.Errorf("%v holds %s, which was abandoned", left, task))
	}
	for _, c := range tm.clones {
		if slices.Contains(over, c) {
			continue
		}
		if held, err := c.held(task); err != nil || held != "ended elsewhere" {
			return errors.Join(err, fmt.Errorf("%s says %q of %s, which was abandoned elsewhere", c.name, held, task))
		}
		out, err := c.command("start", task).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "abandoned by") {
			return fmt.Errorf("%s: start of %s, which was abandoned elsewhere: %v: %s", c.name, task, err, out)
		}
	}
	return nil
}

// inEachActive runs a command in each clone in which a task is active, and returns these clones. A start that
// failed leaves the task active as well.
func (tm *team) inEachActive(task string, args ...string) (in []*clone, err error) {
	for _, c := range tm.clones {
		state, err := c.state(task)
		if err != nil {
			return nil, err
		}
		if state != "active" {
			continue
		}
		if err := c.do(args...); err != nil {
			return nil, err
		}
		in = append(in, c)
	}
	return in, nil
}

func (c *clone) state(task string) (string, error) {
	out, err := c.command("get", "task", task, "-o", "jsonpath={.spec.state}").Output()
	return string(out), err
}

// withControllers has controllers do the exchanging: a task that is edited to be active is claimed,
// and given back when it is over.
func (tm *team) withControllers(from int) error {
	for _, c := range tm.clones {
		if err := c.do("controller", "start"); err != nil {
			return err
		}
		defer c.command("controller", "stop").Run()
	}
	first, task := tm.clones[0], taskName(from)
	if err := first.do("patch", "task", task, "-p", `{"spec":{"state":"active"}}`); err != nil {
		return err
	}
	began := time.Now()
	err := drive.Eventually(context.Background(), time.Minute, func() error { return claimed(tm, task, true) })
	if err != nil {
		return err
	}
	fmt.Printf("a controller claimed what was made active by a patch: after %v\n", time.Since(began).Round(time.Millisecond))
	if err := tm.clones[1].do("start", task); err == nil {
		return fmt.Errorf("%s started %s as well", tm.clones[1].name, task)
	}
	if err := first.do("fail", task, "--reason", "over"); err != nil {
		return err
	}
	if err := drive.Eventually(context.Background(), time.Minute, func() error { return claimed(tm, task, false) }); err != nil {
		return err
	}
	return nil
}

func claimed(tm *team, task string, want bool) error {
	claims, err := tm.claims()
	if err == nil && strings.Contains(claims, task) != want {
		err = fmt.Errorf("%w: a claim of %s: want %v; the team has: %s", os.ErrDeadlineExceeded, task, want, claims)
	}
	return err
}
