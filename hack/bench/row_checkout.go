package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureCheckout switches git between two branches that differ in all tasks, and measures the time
// from git's return until every status is about the new file. The floor is git's time.
func measureCheckout(b *bench) ([]Result, error) {
	n := b.size(1000, 100)
	repo, err := repoWithTasks(b, n, mixed)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	if err := twoBranches(repo, n); err != nil {
		return nil, err
	}
	c, err := repo.StartController()
	if err != nil {
		return nil, err
	}
	defer c.Kill()
	if err := allStatuses(repo, n); err != nil {
		return nil, err
	}
	var gits, after []time.Duration
	for _, branch := range []string{"planned", "completed", "planned", "completed", "planned"} {
		began := time.Now()
		if err := repo.Git("checkout", "-q", branch); err != nil {
			return nil, err
		}
		returned := time.Now()
		if err := allInPhase(repo, n, branch); err != nil {
			return nil, err
		}
		gits, after = append(gits, returned.Sub(began)), append(after, time.Since(returned))
	}
	return []Result{{
		What: fmt.Sprintf("git checkout of %d tasks -> all statuses right", n), Unit: "ms",
		Floor: ms(percentile(gits, 50)), Ours: ms(percentile(after, 50)), Goal: "500 ms after git returns",
	}}, nil
}

// twoBranches commits every task as completed on one branch and as planned on another, and stays on
// the first.
func twoBranches(repo *drive.Repo, n int) error {
	for _, args := range [][]string{{"checkout", "-q", "-b", "planned"}, {"add", "-A"}, {"commit", "-qm", "planned"}, {"checkout", "-q", "-b", "completed"}} {
		if err := repo.Git(args...); err != nil {
			return err
		}
	}
	for i := range n {
		if err := complete(repo, i, mixed); err != nil {
			return err
		}
	}
	return repo.Git("commit", "-qam", "completed")
}

// allInPhase waits until no task is in a phase of the other branch.
func allInPhase(repo *drive.Repo, n int, branch string) error {
	next := 0 // earlier tasks were checked
	return drive.Eventually(context.Background(), time.Minute, func() error {
		for ; next < n; next++ {
			status, err := repo.Status("tasks", taskName(next))
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			if done := status["phase"] == "completed"; done != (branch == "completed") {
				return fmt.Errorf("%s is %v on branch %s", taskName(next), status["phase"], branch)
			}
		}
		return nil
	})
}
