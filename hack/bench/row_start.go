package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureColdStart measures the wall and CPU time of a controller's start with n objects that have
// statuses, until run/controller.json reports that the first listing is settled. The floor is a
// process that only reads and decodes the same files.
func measureColdStart(b *bench) ([]Result, error) {
	var results []Result
	for _, row := range []struct {
		n, rounds int
		goal      string
	}{{b.size(10_000, 300), b.size(5, 2), "0.5 s for 10,000"}, {b.size(100_000, 600), b.size(2, 1), "5 s for 100,000"}} {
		r, err := coldStart(b, row.n, row.rounds, row.goal)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

func coldStart(b *bench, n, rounds int, goal string) ([]Result, error) {
	repo, err := repoWithTasks(b, n, mixed)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	if _, err := startUntilSettled(repo, n); err != nil { // writes the statuses
		return nil, err
	}
	floor := process{path: b.bin.Path("decode"), args: []string{repo.Path("tasks")}, dir: repo.Dir}
	var floors, starts costs
	for round := range rounds {
		f, err := floor.run(round)
		if err != nil {
			return nil, err
		}
		s, err := startUntilSettled(repo, n)
		if err != nil {
			return nil, err
		}
		floors, starts = append(floors, f), append(starts, s)
	}
	what := fmt.Sprintf("controller starts over %d objects", n)
	return []Result{
		{What: what + ", CPU", Unit: "ms", Floor: floors.percentileMs(50, busy), Ours: starts.percentileMs(50, busy), Goal: "1.5x reading and decoding"},
		{What: what + ", wall", Unit: "ms", Floor: floors.percentileMs(50, wall), Ours: starts.percentileMs(50, wall), Goal: goal},
		{What: fmt.Sprintf("memory per object at %d (resident, all in)", n), Unit: "KB", Ours: 1024 * starts.maxOf(memory) / float64(n), Goal: "3.5 KB of heap"},
	}, nil
}

// startUntilSettled starts a controller, waits until its heartbeat reports that it is settled, and
// interrupts it, so that the next one has nothing to repair. The CPU time includes all work of a
// start.
func startUntilSettled(repo *drive.Repo, n int) (cost, error) {
	if err := os.Remove(repo.Path("run", "controller.json")); err != nil && !os.IsNotExist(err) {
		return cost{}, err
	}
	began := time.Now()
	c, err := repo.StartController()
	if err != nil {
		return cost{}, err
	}
	defer c.Kill()
	for !hasSettled(repo, c.PID()) {
		if time.Since(began) > 10*time.Minute {
			return cost{}, fmt.Errorf("%w: the controller has not settled over %d objects", drive.ErrTimeout, n)
		}
		time.Sleep(time.Millisecond)
	}
	took := cost{wall: time.Since(began)}
	settle(c.PID())
	took.cpu, took.rssKB = processCPU(c.PID()), residentKB(c.PID())
	return took, c.Stop()
}

func hasSettled(repo *drive.Repo, pid int) bool {
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

// residentKB reads VmRSS, 0 without /proc.
func residentKB(pid int) int64 { return procStatus(pid, "VmRSS:") }

// procStatus reads one number of /proc/PID/status, 0 if it does not exist.
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
