// Fleet runs several real processes at once on the same tasks, in one repository or in several
// clones, and disturbs them. It exits with 1 if an acknowledged change is lost or the parties
// disagree at the end:
//
//	go run ./hack/fleet race [-clones 4] [-rounds 100] [-plans 24]
//	go run ./hack/fleet share [-steps 200]
//	go run ./hack/fleet contend [-writers 8] [-changes 200] [-objects 5] [-edits 200]
//	go run ./hack/fleet crash [-kills 1000]
//
// Each takes -seed N (default 1; 0 for a different one each time). The file of a trial describes
// it. Trials with a real etcd are in a separate module: cmd/idumb-sync/hack.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// trials contains functions that declare a trial's flags and return its run function.
var trials = map[string]func(*flag.FlagSet) func(*stage) error{
	"contend": contend,
	"crash":   crash,
	"race":    race,
	"share":   share,
}

func main() {
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	if trials[name] == nil {
		fmt.Fprintln(os.Stderr, "usage: fleet", strings.Join(slices.Sorted(maps.Keys(trials)), "|"), "[FLAGS]")
		os.Exit(2)
	}
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	seed := flags.Uint64("seed", 1, "seed of the random events; 0 means a random seed")
	run := trials[name](flags)
	_ = flags.Parse(os.Args[2:]) // it exits on errors
	if err := perform(run, cmp.Or(*seed, uint64(time.Now().UnixNano()))); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// perform runs a trial on a new stage. After any trial, each file of each repository must be
// complete.
func perform(run func(*stage) error, seed uint64) error {
	fmt.Println("seed", seed)
	s, err := newStage(seed)
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.checkJSON(), s.remove())
}
