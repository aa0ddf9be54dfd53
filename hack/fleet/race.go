package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A racer is the trial race: clones of one repository race for its tasks, with real binaries and a
// real git remote.
//
// In each round all clones start the same task at once. In some rounds one command is killed, one
// clone cannot reach the remote, or one takes the task over. After each round all clones exchange.
// Then each clone's lease, the team's claim and the claims known to other clones must agree. The
// task is failed or abandoned: its claim must disappear, or be marked as abandoned, and then no
// other clone may start it. In the last rounds controllers exchange.
//
// Then the clones share their plans, change tasks by commands and by editors, and exchange at once,
// with killed exchanges, an unreachable remote, and conflicting changes of one field. Git also
// changes their working trees right after unsent edits. At the end all clones and the remote must
// agree, and every acknowledged value must be stored, or be in a conflict record.
type racer struct {
	*stage
	old string // the first commit, which tracks the plans

	won, killed, offline, takenOver int
	starts                          []time.Duration
}

func race(flags *flag.FlagSet) func(*stage) error {
	clones := flags.Int("clones", 4, "clones of the repository")
	rounds := flags.Int("rounds", 100, "rounds, each about one task")
	plans := flags.Int("plans", 24, "rounds in which plans are shared and changed")
	return func(s *stage) error {
		const extra = 3 // tasks of the rounds with controllers
		r := &racer{stage: s}
		if err := s.meet(*clones, *rounds+extra, true); err != nil {
			return err
		}
		for _, c := range s.clones {
			if err := errors.Join(c.idumb("trust"), c.idumb("sync", "enable")); err != nil {
				return err
			}
		}
		old, err := drive.Git(s.clones[0].Dir, "rev-parse", "HEAD")
		r.old = strings.TrimSpace(old)
		for n := 0; n < *rounds && err == nil; n++ {
			if err = r.round(n); err != nil {
				err = fmt.Errorf("round %d: %w", n, err)
			}
		}
		if err == nil {
			err = r.withControllers(taskName(*rounds))
		}
		if err == nil {
			err = r.withPlans(*plans, taskName(*rounds+1))
		}
		if err != nil {
			return err
		}
		slices.Sort(r.starts)
		fmt.Printf("%d rounds of %d clones: one holder in each; %d starts won, %d commands killed, %d without the remote, %d taken over\n",
			*rounds, *clones, r.won, r.killed, r.offline, r.takenOver)
		fmt.Printf("idumb start that won: p50 %v, p95 %v; with controllers, the other clones had it after their next exchange\n",
			r.starts[len(r.starts)/2].Round(time.Millisecond), r.starts[len(r.starts)*95/100].Round(time.Millisecond))
		return nil
	}
}

// An outcome is the result of a command.
type outcome struct {
	err  error // includes the command's output
	took time.Duration
}

// round starts one task in all clones at once.
func (r *racer) round(n int) error {
	task := taskName(n)
	killed, offline := -1, -1
	switch r.random.IntN(4) {
	case 0:
		killed = r.random.IntN(len(r.clones))
	case 1:
		offline = r.random.IntN(len(r.clones))
	}
	winners := 0
	for i, a := range r.together(killed, time.Duration(r.random.IntN(60))*time.Millisecond, offline, "start", task) {
		switch {
		case i == killed:
			r.killed++
		case i == offline:
			r.offline++
		case a.err == nil:
			winners++
			r.won++
			r.starts = append(r.starts, a.took)
		case !strings.Contains(a.err.Error(), "held by"):
			return a.err
		}
	}
	if most := 1; winners > most || winners == 0 && killed < 0 {
		return fmt.Errorf("%d clones started %s", winners, task)
	}
	holder, err := r.agree(task)
	if err != nil {
		return err
	}
	if holder != nil && r.random.IntN(5) == 0 {
		r.takenOver++
		if holder, err = r.takeOver(task, holder); err != nil {
			return err
		}
	}
	if n%2 == 0 {
		return r.giveBack(task, holder)
	}
	return r.end(task, holder)
}

// together runs a command in all clones at once. One of the commands is killed after a while, and
// one cannot reach the remote (-1: none).
func (r *racer) together(killed int, after time.Duration, offline int, args ...string) []outcome {
	all := make([]outcome, len(r.clones))
	var done sync.WaitGroup
	for i, c := range r.clones {
		done.Go(func() {
			cmd := c.Command(args...)
			if i == offline {
				cmd.Env = append(cmd.Env, "GIT_CONFIG_COUNT=1", "PATH="+c.Dir) // a PATH without git
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
			if err != nil {
				err = fmt.Errorf("%s: idumb %s: %w: %s", c.name, strings.Join(args, " "), err, said.String())
			}
			all[i] = outcome{err, time.Since(began)}
		})
	}
	done.Wait()
	return all
}

// agree makes all clones exchange twice, and checks that they and the remote name one holder. It
// returns nil if no clone holds the task.
func (r *racer) agree(task string) (*clone, error) {
	for range 2 {
		for _, c := range r.clones {
			if err := c.idumb("sync", "now"); err != nil {
				return nil, err
			}
		}
	}
	return r.holder(task)
}

func (r *racer) holder(task string) (*clone, error) {
	claims, err := r.claims()
	if err != nil {
		return nil, err
	}
	var holder *clone
	var says []string
	for _, c := range r.clones {
		held, err := c.leaseHolder(task)
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
	switch elsewhere, ended := strings.Count(all, ": elsewhere"), strings.Count(all, ": ended"); {
	case holder == nil && (claimed != (ended > 0) || elsewhere > 0), holder != nil && (!claimed || elsewhere != len(r.clones)-1):
		return nil, fmt.Errorf("they do not agree about %s: %s; the team has: %s", task, strings.Join(says, ", "), claims)
	}
	return holder, nil
}

// takeOver makes another clone take a task over, and returns it.
func (r *racer) takeOver(task string, from *clone) (*clone, error) {
	next := r.clones[0]
	if next == from {
		next = r.clones[1]
	}
	if err := next.idumb("start", task, "--take-over"); err != nil {
		return nil, err
	}
	holder, err := r.agree(task)
	if err == nil && holder != next {
		err = fmt.Errorf("%s took %s over, but does not have its claim", next.name, task)
	}
	return holder, err
}

// giveBack fails a task, so that it may be started again, and checks that its claim was removed.
func (r *racer) giveBack(task string, holder *clone) error {
	if _, err := r.inEachActive(task, holder, "fail", task, "--reason", "the round ended"); err != nil {
		return err
	}
	left, err := r.agree(task)
	if err == nil && left != nil {
		err = fmt.Errorf("%s still has %s, which %v released", left.name, task, holder)
	}
	claims, failed := r.claims()
	if err == nil && strings.Contains(claims, task) {
		err = fmt.Errorf("the claim of %s remains after its release", task)
	}
	return errors.Join(err, failed)
}

// end abandons a task, and checks that clones without this state in their files cannot start it.
func (r *racer) end(task string, holder *clone) error {
	over, err := r.inEachActive(task, holder, "abandon", task, "--reason", "the round ended")
	if err != nil || len(over) == 0 {
		return err
	}
	if left, err := r.agree(task); err != nil || left != nil {
		return errors.Join(err, fmt.Errorf("%v holds %s, which was abandoned", left, task))
	}
	for _, c := range r.clones {
		if slices.Contains(over, c) {
			continue
		}
		if held, err := c.leaseHolder(task); err != nil || held != "ended elsewhere" {
			return errors.Join(err, fmt.Errorf("%s shows %q for %s, which was abandoned in another clone", c.name, held, task))
		}
		out, err := c.Command("start", task).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "abandoned by") {
			return fmt.Errorf("%s: start of %s, which was abandoned elsewhere: %v: %s", c.name, task, err, out)
		}
	}
	return nil
}

// inEachActive runs a command in each clone in which a task is active, first in the holder's, and
// returns these clones. A failed start leaves the task active too: there the command may be refused
// until it takes the task over, because the task belongs to another clone.
func (r *racer) inEachActive(task string, holder *clone, args ...string) (in []*clone, err error) {
	clones := slices.Clone(r.clones)
	if i := slices.Index(clones, holder); i > 0 {
		clones[0], clones[i] = clones[i], clones[0]
	}
	for _, c := range clones {
		state, err := c.field(task, "state")
		if err != nil {
			return nil, err
		}
		if state != "active" {
			continue
		}
		err = c.idumb(args...)
		if err != nil && c != holder && (strings.Contains(err.Error(), "it is held by") || strings.Contains(err.Error(), "and this clone does not have that state")) {
			err = c.idumb(append(slices.Clone(args), "--take-over")...)
		}
		if err != nil {
			return nil, err
		}
		in = append(in, c)
	}
	return in, nil
}

// withControllers checks that controllers exchange: a task that an edit activates is claimed, and
// released when it ends.
func (r *racer) withControllers(task string) error {
	stop, err := r.startControllers()
	defer stop()
	if err != nil {
		return err
	}
	first, began := r.clones[0], time.Now()
	return do(
		func() error { return first.idumb("patch", "task", task, "-p", `{"spec":{"state":"active"}}`) },
		func() error { return r.awaitClaim(task, true) },
		func() error {
			fmt.Printf("a controller claimed a task that a patch made active after %v\n", time.Since(began).Round(time.Millisecond))
			if err := r.clones[1].idumb("start", task); err == nil {
				return fmt.Errorf("%s started %s as well", r.clones[1].name, task)
			}
			return nil
		},
		func() error { return first.idumb("fail", task, "--reason", "over") },
		func() error { return r.awaitClaim(task, false) })
}

// startControllers starts the controller of each clone, and returns a function that stops them.
func (r *racer) startControllers() (stop func(), err error) {
	for _, c := range r.clones {
		err = errors.Join(err, c.idumb("controller", "start"))
	}
	return func() {
		for _, c := range r.clones {
			_ = c.Command("controller", "stop").Run()
		}
	}, err
}

func (r *racer) awaitClaim(task string, want bool) error {
	return drive.Eventually(context.Background(), time.Minute, func() error {
		claims, err := r.claims()
		if err == nil && strings.Contains(claims, task) != want {
			err = fmt.Errorf("a claim of %s: want %v; the team has: %s", task, want, claims)
		}
		return err
	})
}

// claims lists the tasks with a claim at the remote.
func (r *racer) claims() (string, error) {
	return drive.Git(r.hub, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/idumb/claims")
}

// leaseHolder returns the holder of a task from the lease of this clone, empty without a lease.
func (c *clone) leaseHolder(task string) (string, error) {
	found, err := filepath.Glob(filepath.Join(c.Dir, ".git/idumb/leases", task+".*json"))
	if err != nil || len(found) == 0 {
		return "", err
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return "", err
	}
	var lease struct {
		Spec struct {
			Team *struct {
				Claim, Ended string
				Elsewhere    bool
			}
		}
	}
	if err := json.Unmarshal(data, &lease); err != nil {
		return "", err
	}
	switch team := lease.Spec.Team; {
	case team == nil:
		return "only in this clone, and not reported to the team", nil
	case team.Ended != "" && team.Elsewhere:
		return "ended elsewhere", nil
	case team.Ended != "":
		return "ended here", nil
	case team.Elsewhere:
		return "elsewhere", nil
	case team.Claim == "pending":
		return "here, pending", nil
	}
	return "here", nil
}
