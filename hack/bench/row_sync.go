package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureSync measures the cost of a team: claims, edits that reach another clone, joining clones,
// and the additional cost of work with sync. The floors are git's operations on a bare remote on
// the same disk. It returns an error if any trace of sync remains without sync.
func measureSync(b *bench) ([]Result, error) {
	var results []Result
	for _, part := range []func(*bench) ([]Result, error){measureClaims, measureShared, measureJoins, measureSyncAtRest} {
		r, err := part(b)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

// measureClaims starts tasks, one each round, in a clone with shared claims and in one without,
// together with a bare push of one ref and a bare query for refs.
func measureClaims(b *bench) ([]Result, error) {
	rounds := b.size(60, 6)
	tm, err := newTeam(b, rounds+1)
	if err != nil {
		return nil, err
	}
	defer tm.end()
	if err := tm.commit(); err != nil {
		return nil, err
	}
	on, err := tm.clone("on", "sync", "enable")
	if err != nil {
		return nil, err
	}
	off, err := tm.clone("off")
	if err != nil {
		return nil, err
	}
	push, err := tm.push(rounds + 1)
	if err != nil {
		return nil, err
	}
	ask := process{path: "git", args: []string{"ls-remote", "origin", "refs/bench/*"}, dir: tm.first.Dir}
	all, err := repeat(rounds, push, ask, start(on), start(off), command(on, "sync", "now"))
	if err != nil {
		return nil, err
	}
	if err := tm.claimed(rounds + 1); err != nil {
		return nil, err
	}
	row := func(what string, floor, ours costs, goal string) Result {
		return Result{What: what, Unit: "ms", Floor: floor.percentileMs(50, wall), Ours: ours.percentileMs(50, wall), Goal: goal}
	}
	return []Result{
		row("a bare question for refs, against a bare push, p50", all[0], all[1], "for comparison"),
		row("a claim: what sync adds to idumb start, against a bare push, p50", all[0], all[2].appended(all[3], -1), "2 pushes"),
		row("idumb start with sync on, against a bare push, p50", all[0], all[2], "2 pushes"),
		row("idumb start with sync on, against sync off, p50", all[3], all[2], "for comparison"),
		row("idumb sync now with nothing to tell, against a bare question, p50", all[1], all[4], "for comparison"),
	}, nil
}

// measureShared edits a task in one clone like an editor, and exchanges in both clones until the
// file of the other one shows it.
func measureShared(b *bench) ([]Result, error) {
	n, rounds := b.size(1000, 100), b.size(100, 8)
	tm, err := newTeam(b, n)
	if err != nil {
		return nil, err
	}
	defer tm.end()
	if err := tm.share(); err != nil {
		return nil, err
	}
	other, err := tm.clone("other", "sync", "enable", "--plans")
	if err != nil {
		return nil, err
	}
	push, err := tm.push(rounds + 1)
	if err != nil {
		return nil, err
	}
	send, take := command(tm.first, "sync", "now"), command(other, "sync", "now")
	send.before = func(round int) error {
		spec := taskSpec(round%n, independent)
		spec["title"] = workTitle(round)
		return tm.first.ReplaceTask(taskName(round%n), spec)
	}
	send.wants, take.wants = " 1 sent, 0 taken", " 0 sent, 1 taken"
	all, err := repeat(rounds, push, send, take)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(other.Path("tasks", taskName(rounds%n)+".json"))
	if err != nil || !strings.Contains(string(text), workTitle(rounds)) {
		return nil, fmt.Errorf("the last edit is not in the other clone: %w\n%s", err, text)
	}
	there := all[1].appended(all[2], 1)
	row := func(p int) Result {
		return Result{What: fmt.Sprintf("edit -> file of another clone, sync now on both, %d objects, p%d", n, p), Unit: "ms",
			Floor: all[0].percentileMs(p, wall), Ours: there.percentileMs(p, wall), Goal: "for comparison"}
	}
	return []Result{row(50), row(99)}, nil
}

// appended adds a multiple of another process's time to each round.
func (all costs) appended(others costs, times time.Duration) costs {
	sums := make(costs, len(all))
	for i, c := range all {
		sums[i].wall = c.wall + times*others[i].wall
	}
	return sums
}

// command returns a process that runs idumb in a repository.
func command(repo *drive.Repo, args ...string) process {
	return process{path: repo.Bin.Path("idumb"), args: args, dir: repo.Dir, env: repo.Env()}
}

// start returns a process that starts the task of each round.
func start(repo *drive.Repo) process {
	p := command(repo, "start")
	p.each = func(round int) []string { return []string{taskName(round)} }
	return p
}

// push returns a process that pushes one ref to the remote, each round a new one with a unique
// text.
func (tm *team) push(rounds int) (process, error) {
	texts := make([]string, rounds)
	for round := range texts {
		c := exec.Command("git", "hash-object", "-w", "--stdin")
		c.Dir, c.Stdin = tm.first.Dir, strings.NewReader(workTitle(round))
		out, err := c.Output()
		if err != nil {
			return process{}, fmt.Errorf("git hash-object: %w", err)
		}
		texts[round] = strings.TrimSpace(string(out))
	}
	return process{path: "git", args: []string{"push", "-q", "origin"}, dir: tm.first.Dir, each: func(round int) []string {
		return []string{fmt.Sprintf("%s:refs/bench/%d", texts[round], round)}
	}}, nil
}
