// Soak lets sessions make random calls in a repository that changes all the time, and
// holds every answer of the hook against a model of the gate that was written apart from
// it (model.go):
//
//	go run ./hack/soak                     8 sessions x 500 calls
//	go run ./hack/soak -seed 7 -runs 10    ten runs, from that seed on
//
// Every call goes through the built program, as a client's does. A difference ends it with
// exit code 1, and can be had again by its seed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

func main() {
	seed := flag.Uint64("seed", 1, "of the first run")
	runs := flag.Int("runs", 1, "how many runs, each with the next seed")
	sessions := flag.Int("sessions", 8, "sessions at once, 10 at most")
	calls := flag.Int("calls", 500, "calls of each session")
	world := flag.Bool("world", false, "show the worlds of the differences")
	flag.Parse()
	differences, err := soak(*seed, *runs, size{sessions: min(*sessions, 10), calls: *calls}, *world)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if err != nil || differences > 0 {
		os.Exit(1)
	}
}

func soak(seed uint64, runs int, s size, world bool) (differences int, err error) {
	bin, err := drive.Build("idumb-hook")
	if err != nil {
		return 0, err
	}
	defer bin.Remove()
	s.program = bin.Path("idumb-hook")
	for i := range runs {
		dir, err := os.MkdirTemp("", "idumb-soak-")
		if err != nil {
			return differences, err
		}
		began := time.Now()
		t, err := play(filepath.Clean(dir), seed+uint64(i), s)
		_ = os.RemoveAll(dir)
		if err != nil {
			return differences, fmt.Errorf("seed %d: %w", seed+uint64(i), err)
		}
		t.print(seed+uint64(i), time.Since(began), world)
		differences += len(t.differences)
	}
	return differences, nil
}

// maxShown is how many differences of a run are shown.
const maxShown = 5

func (t tally) print(seed uint64, took time.Duration, world bool) {
	fmt.Printf("seed %d: %d calls, %d denied, %d allowed, %d left to the host: %d differences, in %s\n",
		seed, t.calls, t.answers["deny"], t.answers["allow"], t.answers[""], len(t.differences), took.Round(time.Millisecond))
	fmt.Printf("  what spoke against calls: %v\n", t.against)
	for _, d := range t.differences[:min(len(t.differences), maxShown)] {
		fmt.Printf("  call %d, session %s, agent %q: %s\n    the model says %q, the hook %q\n    %s\n", d.Call, d.Session, d.Agent, d.Input, d.Want, d.Got, d.Reason)
		if world {
			fmt.Println(d.WorldAsJSON)
		}
	}
}
