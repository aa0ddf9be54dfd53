package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureColdStart times a controller's start over n objects that already have
// their statuses, until it says in run/controller.json that its first listing is
// settled. The floor is reading and decoding the same files with encoding/json on
// one goroutine per core.
func measureColdStart(b *bench) ([]Result, error) {
	var results []Result
	for _, row := range []struct {
		n    int
		goal string
	}{{b.size(10_000, 1000), "0.5 s for 10,000"}, {b.size(100_000, 2000), "5 s for 100,000"}} {
		r, err := coldStart(b, row.n, row.goal)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

func coldStart(b *bench, n int, goal string) ([]Result, error) {
	repo, err := repoWithTasks(b, n, mixed)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	if _, _, err := startUntilSettled(repo, n, 10*time.Minute); err != nil { // writes the statuses
		return nil, err
	}
	floor, err := bareDecode(repo, n)
	if err != nil {
		return nil, err
	}
	took, rssKB, err := startUntilSettled(repo, n, 2*time.Minute)
	if err != nil {
		return nil, err
	}
	results := []Result{{What: fmt.Sprintf("controller starts over %d objects", n), Unit: "ms", Floor: ms(floor), Ours: ms(took), Goal: goal}}
	if rssKB > 0 {
		results = append(results, Result{What: fmt.Sprintf("memory per object at %d (resident, all in)", n), Unit: "KB", Ours: float64(rssKB) / float64(n), Goal: "3.5 KB of heap"})
	}
	return results, nil
}

// startUntilSettled starts a controller, waits until its heartbeat says that it is
// settled, and stops it. It returns how long that took and its resident memory.
func startUntilSettled(repo *drive.Repo, n int, limit time.Duration) (time.Duration, int64, error) {
	if err := os.Remove(repo.Path("run", "controller.json")); err != nil && !os.IsNotExist(err) {
		return 0, 0, err
	}
	began := time.Now()
	c, err := repo.StartController()
	if err != nil {
		return 0, 0, err
	}
	defer c.Kill()
	for !settled(repo, c.PID()) {
		if time.Since(began) > limit {
			return 0, 0, fmt.Errorf("%w: the controller has not settled over %d objects", drive.ErrTimeout, n)
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(began), residentKB(c.PID()), nil
}

func settled(repo *drive.Repo, pid int) bool {
	data, err := os.ReadFile(repo.Path("run", "controller.json"))
	if err != nil {
		return false
	}
	var heartbeat struct {
		PID     int  `json:"pid"`
		Settled bool `json:"settled"`
	}
	return json.Unmarshal(data, &heartbeat) == nil && heartbeat.PID == pid && heartbeat.Settled
}

// residentKB reads VmRSS where there is a /proc, 0 elsewhere.
func residentKB(pid int) int64 { return procStatus(pid, "VmRSS:") }

// procStatus reads one number of /proc/PID/status, 0 where there is none.
func procStatus(pid int, field string) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		var n int64
		if rest, ok := strings.CutPrefix(line, field); ok {
			fmt.Sscan(rest, &n)
			return n
		}
	}
	return 0
}

func bareDecode(repo *drive.Repo, n int) (time.Duration, error) {
	began := time.Now()
	workers := runtime.NumCPU()
	failed := make(chan error, workers)
	for w := range workers {
		go func() {
			for i := w; i < n; i += workers {
				data, err := os.ReadFile(repo.Path("tasks", taskName(i)+".json"))
				if err != nil {
					failed <- err
					return
				}
				var object map[string]any
				if err := json.Unmarshal(data, &object); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for range workers {
		if err := <-failed; err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}
