// Team has several clones of one repository race for its tasks, with real binaries and a real git
// remote, and counts the rounds in which not exactly one of them got one:
//
//	go run ./hack/team [-clones 4] [-rounds 100] [-seed N] [-bin DIR]
//
// In each round all clones start the same task at once. In some of them one command is killed on
// its way, one clone does not reach the remote, or one takes the task over. Behind each round all
// exchange, and each clone's lease, the team's claim and the claims that others know must say the
// same; then the task is given back, and its claim must be gone, or abandoned, and no other clone may start it. In the last rounds controllers run,
// and do the exchanging.
//
// Then the clones share their plans, change tasks by commands and by editors, and exchange at once, with
// exchanges that are killed, a remote that is away, and two changes of one field; and git moves their
// working trees right after edits that nobody sent. In the end all clones and the remote must say the
// same, and every value that somebody was told stands must stand, or be in the mark of a conflict.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

func main() {
	clones := flag.Int("clones", 4, "clones of the repository")
	rounds := flag.Int("rounds", 100, "rounds, each about one task")
	plans := flag.Int("plans", 24, "rounds in which plans are shared and changed")
	seed := flag.Uint64("seed", 1, "of what happens in them; 0: another one each time")
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	if err := run(*clones, *rounds, *plans, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "team:", err)
		os.Exit(1)
	}
}

// tally is what happened.
type tally struct {
	won, killed, offline, takenOver int
	starts                          []time.Duration
}

func run(clones, rounds, plans int, seed uint64) error {
	fmt.Println("seed", seed)
	bin, err := drive.Build("idumb", "idumb-controller")
	if err != nil {
		return err
	}
	defer bin.Remove()
	tm, err := newTeam(bin, clones, rounds)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tm.dir)
	r := rand.New(rand.NewPCG(seed, 1))
	var t tally
	for n := range rounds {
		if err := tm.race(n, r, &t); err != nil {
			return fmt.Errorf("round %d: %w", n, err)
		}
	}
	if err := tm.withControllers(rounds); err != nil {
		return fmt.Errorf("with controllers: %w", err)
	}
	if err := tm.withPlans(plans, taskName(rounds+1), r); err != nil {
		return err
	}
	slices.Sort(t.starts)
	fmt.Printf("%d rounds of %d clones: one holder in each; %d starts won, %d commands killed, %d without the remote, %d taken over\n",
		rounds, clones, t.won, t.killed, t.offline, t.takenOver)
	fmt.Printf("idumb start that won: p50 %v, p95 %v; with controllers the others knew after an exchange of their own\n",
		t.starts[len(t.starts)/2].Round(time.Millisecond), t.starts[len(t.starts)*95/100].Round(time.Millisecond))
	return nil
}
