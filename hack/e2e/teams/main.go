// Teams works through a plan as three people do, each in a clone of one bare repository, each with
// a controller that runs: they complete tasks, commit, pull, push, branch, rebase, stash, work in
// linked trees, confirm and pin mems, and a controller is killed now and then:
//
//	go run ./hack/e2e/teams [-steps 200] [-seed 1] [-bin DIR]
//
// Nobody edits what another one edits. So it fails if a command fails, if git finds a conflict, if
// git is offered a file that is of one machine, and if in the end the clones do not
// say the same of every object. Times and sums that are of one machine are left out of that.
package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

const (
	people = 3
	tasks  = 30 // of the plan, in the beginning
)

func main() {
	steps := flag.Int("steps", 200, "things that are done")
	seed := flag.Uint64("seed", 1, "of what is done; 0: another one each time")
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	if err := run(*steps, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "teams:", err)
		os.Exit(1)
	}
}

func run(steps int, seed uint64) (err error) {
	fmt.Println("seed", seed)
	bin, err := drive.Build("idumb", "idumb-controller")
	if err != nil {
		return err
	}
	defer bin.Remove()
	dir, err := os.MkdirTemp("", "idumb-teams-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := &team{dir: dir, bin: bin, random: rand.New(rand.NewPCG(seed, 0)), did: map[string]int{}}
	defer t.end()
	if err := t.begin(); err != nil {
		return err
	}
	for n := range steps {
		c := t.clones[t.random.IntN(people)]
		name, act := t.choose()
		if err := errors.Join(act(c), c.clean()); err != nil {
			return fmt.Errorf("step %d, %s in %s: %w", n, name, c.name, err)
		}
		t.did[name]++
	}
	for _, name := range slices.Sorted(maps.Keys(t.did)) {
		fmt.Printf("%s %d  ", name, t.did[name])
	}
	fmt.Println()
	return t.agree()
}

// team are the people and what they share.
type team struct {
	dir    string
	bin    drive.Bin
	random *rand.Rand
	clones []*clone
	did    map[string]int
	made   int // names that were given
}

// begin makes the bare repository, the plan and the clones, and starts a controller in each.
func (t *team) begin() error {
	hub := filepath.Join(t.dir, "hub.git")
	if err := git(t.dir, "init", "-q", "--bare", "-b", "main", hub); err != nil {
		return err
	}
	for i := range people {
		c := &clone{team: t, number: i, name: string(rune('a' + i))}
		c.repo = &drive.Repo{Dir: filepath.Join(t.dir, c.name), Bin: t.bin}
		t.clones = append(t.clones, c)
		if err := c.join(hub, i == 0); err != nil {
			return err
		}
	}
	for _, c := range t.clones {
		if err := c.start(); err != nil {
			return err
		}
	}
	return nil
}

func (t *team) end() {
	for _, c := range t.clones {
		if c.controller != nil {
			c.controller.Kill()
		}
	}
}

// next is a name that nothing has yet.
func (t *team) next(what string) string {
	t.made++
	return fmt.Sprintf("%s-%d", what, t.made)
}

// choose picks what is done next; what people do often is there often.
func (t *team) choose() (string, func(c *clone) error) {
	acts := []struct {
		name  string
		often int
		act   func(c *clone) error
	}{
		{"complete", 6, (*clone).complete},
		{"add", 2, (*clone).add},
		{"commit", 5, (*clone).commit},
		{"pull", 4, (*clone).pull},
		{"push", 5, (*clone).push},
		{"rebase", 2, (*clone).rebase},
		{"branch", 2, (*clone).branch},
		{"stash", 2, (*clone).stash},
		{"worktree", 1, (*clone).worktree},
		{"amend", 1, (*clone).amend},
		{"decide", 2, (*clone).decide},
		{"confirm", 2, (*clone).confirm},
		{"kill", 1, (*clone).kill},
		{"no-idumb", 1, (*clone).without},
	}
	sum := 0
	for _, a := range acts {
		sum += a.often
	}
	at := t.random.IntN(sum)
	for _, a := range acts {
		if at -= a.often; at < 0 {
			return a.name, a.act
		}
	}
	panic("unreachable")
}
