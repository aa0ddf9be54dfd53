package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureJoins measures clones that join a team with many objects.
func measureJoins(b *bench) ([]Result, error) {
	sizes := []int{1000, 10_000}
	if b.quick {
		sizes = []int{100}
	}
	var results []Result
	for _, n := range sizes {
		r, err := joins(b, n)
		if err != nil {
			return nil, fmt.Errorf("joining %d objects: %w", n, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// joins measures the time from idumb sync enable --plans in a new clone until it has every file.
// The floor is git's fetch and checkout of the same objects.
func joins(b *bench, n int) (Result, error) {
	tm, err := newTeam(b, n)
	if err != nil {
		return Result{}, err
	}
	defer tm.end()
	if err := tm.share(); err != nil {
		return Result{}, err
	}
	var floors []time.Duration
	var ours costs
	for round := range b.size(3, 1) {
		floor, err := tm.bareJoin(round)
		if err != nil {
			return Result{}, err
		}
		joined, err := tm.join(fmt.Sprintf("joins-%d", round), n)
		if err != nil {
			return Result{}, err
		}
		floors, ours = append(floors, floor), append(ours, joined)
	}
	return Result{What: fmt.Sprintf("join of a clone with %d objects, against fetch + checkout, p50", n), Unit: "ms",
		Floor: ms(percentile(floors, 50)), Ours: ours.percentileMs(50, wall), Goal: "3 s for 10,000"}, nil
}

// join makes a new clone join, and checks that it has all n tasks and the plan.
func (tm *team) join(name string, n int) (cost, error) {
	repo, err := tm.clone(name)
	if err != nil {
		return cost{}, err
	}
	p := command(repo, "sync", "enable", "--plans")
	p.wants = fmt.Sprintf("%d objects in the team, 0 sent, %d taken", n+1, n+1)
	took, err := p.run(0)
	if err != nil {
		return cost{}, err
	}
	files, err := os.ReadDir(repo.Path("tasks"))
	if err == nil && len(files) != n {
		err = fmt.Errorf("%s has %d tasks, and the team %d", name, len(files), n)
	}
	return took, err
}

// bareJoin transfers the same objects with git.
func (tm *team) bareJoin(round int) (time.Duration, error) {
	repo := &drive.Repo{Dir: filepath.Join(tm.dir, fmt.Sprintf("bare-%d", round))}
	if err := (&drive.Repo{Dir: tm.dir}).Git("init", "-q", repo.Dir); err != nil {
		return 0, err
	}
	began := time.Now()
	err := errors.Join(repo.Git("fetch", "-q", tm.hub, "refs/idumb/state"), repo.Git("checkout", "-q", "FETCH_HEAD", "--", "o"))
	return time.Since(began), err
}
