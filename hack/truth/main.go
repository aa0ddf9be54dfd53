// Truth generates worlds (plans, tasks, agents, worktrees), drives the real programs in them and holds every
// statement of state against a small independent model. It follows every USE INSTEAD literally:
//
//	go run ./hack/truth -seed 7          one world, with all calls and answers
//	go run ./hack/truth -for 5m          new worlds for five minutes
//
// If a statement is false it prints the seed, removes objects from the world as long as the fault remains,
// and ends with exit code 1. Package tests try fixed seeds.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

func main() {
	drive.ServeClient()
	seed := flag.Uint64("seed", 0, "try the world of this seed and print every step")
	from := flag.Uint64("from", uint64(time.Now().Unix()), "first seed of -for")
	roam := flag.Duration("for", time.Minute, "how long to try new worlds")
	flag.IntVar(&maxTrials, "trials", maxTrials, "how many smaller worlds to try for a fault")
	flag.Parse()
	bin, err := drive.Build("idumb", "idumb-hook", "idumb-mcp", "idumb-controller")
	if err != nil {
		fmt.Fprintln(os.Stderr, "truth:", err)
		os.Exit(1)
	}
	good := true
	if *seed != 0 {
		good = one(bin, *seed)
	} else {
		good = wander(bin, *from, *roam)
	}
	_ = bin.Remove()
	if !good {
		os.Exit(1)
	}
}

// one tries a single world aloud.
func one(bin drive.Bin, seed uint64) bool {
	w := newWorld(seed)
	fmt.Println(w)
	r, err := play(bin, w)
	fmt.Println(strings.Join(r.trace, "\n"))
	if err != nil {
		fmt.Println("the run failed:", err)
		return false
	}
	for _, f := range r.faults {
		fmt.Println(f)
	}
	return len(unknown(r.faults)) == 0
}

// wander tries worlds for the given time. The first fault of each unknown kind is shrunk and printed.
func wander(bin drive.Bin, from uint64, limit time.Duration) bool {
	seen, tried, good := map[string]bool{}, 0, true
	var mu sync.Mutex
	var group sync.WaitGroup
	end := time.Now().Add(limit)
	for range workers {
		group.Go(func() {
			for time.Now().Before(end) {
				mu.Lock()
				seed := from + uint64(tried)
				tried++
				mu.Unlock()
				report := tryWorld(bin, seed, func(kind string) bool {
					mu.Lock()
					defer mu.Unlock()
					fresh := !seen[kind]
					seen[kind] = true
					return fresh
				})
				if report != "" {
					mu.Lock()
					good = false
					fmt.Println(report)
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	fmt.Printf("truth: %d worlds\n", tried)
	return good
}

// workers is the number of worlds tried at a time. They mostly wait for processes.
const workers = 3

// tryWorld plays the world of a seed and returns a report of its unknown faults of a fresh kind, each with its shrunk world.
func tryWorld(bin drive.Bin, seed uint64, fresh func(kind string) bool) string {
	var report strings.Builder
	r, err := play(bin, newWorld(seed))
	if err != nil {
		if !fresh("the run fails") {
			return ""
		}
		return fmt.Sprintf("seed %d: the run fails: %v\n%s\n%s", seed, err, r.w, last(r.trace))
	}
	for _, f := range unknown(r.faults) {
		if fresh(f.Kind) {
			small, found := shrink(bin, newWorld(seed), f)
			fmt.Fprintf(&report, "== %s (go run ./hack/truth -seed %d)\n%s\nSAID: %s\nTRUE: %s\n\n", f.Kind, seed, small, found.Text, found.True)
		}
	}
	return report.String()
}

func last(trace []string) string { return strings.Join(trace[max(0, len(trace)-3):], "\n") }

// knownFaults lists the kinds of faults that are not fixed yet. Each line contains the kind, a tab and
// the reason.
//
//go:embed known.txt
var knownFaults string

// knownKinds returns the listed kinds.
func knownKinds() []string {
	var kinds []string
	for line := range strings.Lines(knownFaults) {
		if kind, _, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// rare reports whether the fixed worlds need not show a listed kind, since it depends on timing.
func rare(kind string) bool { return strings.Contains(knownFaults, kind+"\trare:") }

// unknown returns the faults of kinds that are not listed.
func unknown(faults []fault) []fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return slices.Contains(knownKinds(), f.Kind) })
}
