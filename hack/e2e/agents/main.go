// Command agents drives real coding agents, with idumb installed in them, through
// scenarios against a scripted model, and prints a line for each:
//
//	go run ./hack/e2e/agents                  # every scenario with every client
//	go run ./hack/e2e/agents -host claude -only 1,2 -keep
//	go run ./hack/e2e/agents -only 10 -turns 15   # what a day costs, in full
//	go run ./hack/e2e/agents -quick           # with each client only how it is joined
//
// Clients are installed from npm once, at pinned versions, into the folder that
// IDUMB_E2E_CACHE names (default: idumb-e2e in the user's cache). Each scenario has a
// project, a home and a model of its own and reaches nothing but loopback. It exits 1
// if a scenario fails, or if a client that has to be there cannot be installed; what
// could not be run is said in the last line.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
)

func main() {
	only := flag.String("only", "", "the `numbers` of the scenarios to play, with commas; default all")
	host := flag.String("host", "", "the `clients` to drive (claude, codex, opencode), with commas; default all")
	keep := flag.Bool("keep", false, "keep the folders of scenarios that pass as well")
	parallel := flag.Int("parallel", max(2, runtime.NumCPU()), "how many scenarios run at once")
	turns := flag.Int("turns", 6, "how many turns the day has whose cost is measured; 15 in full")
	quick := flag.Bool("quick", false, "what idumb decides alike for all is played with one client, and with each only how it is joined")
	flag.Parse()
	passed, err := run(selection{names(*only), names(*host), *quick}, *keep, *parallel, *turns)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err != nil || !passed {
		os.Exit(1)
	}
}

// selection is what was asked for; an empty list means all.
type selection struct {
	scenarios, hosts []string
	quick            bool
}

func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// crew is what all stages share.
type crew struct {
	ctx       context.Context // ends when somebody interrupts the run
	bin       drive.Bin
	installed map[string]string // the program of each client, by host
	turns     int               // of a day whose cost is measured
}

func run(wanted selection, keep bool, parallel, turns int) (passed bool, err error) {
	began := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &crew{ctx: ctx, installed: map[string]string{}, turns: turns}
	missing, err := c.install()
	if err != nil {
		return false, err
	}
	if c.bin, err = drive.Build("idumb", "idumb-controller", "idumb-hook", "idumb-mcp"); err != nil { // all go into PATH
		return false, err
	}
	defer c.bin.Remove()
	performances := c.schedule(wanted, missing)
	play(performances, parallel, keep)
	passed = report(os.Stdout, performances, time.Since(began))
	if wanted.quick {
		fmt.Println("agents: a quick run; without -quick each client plays every scenario")
	}
	return passed, nil
}

// install gets the clients. It returns why the ones are missing
// that could not be had; where one must not be missing, that is an error.
func (c *crew) install() (missing map[string]error, err error) {
	cache, err := clients.CacheDir()
	if err != nil {
		return nil, err
	}
	missing = map[string]error{}
	for _, client := range clients.All() { // also who is not asked for: one scenario needs two
		program, err := clients.Install(client, cache)
		if err != nil && client.Required() {
			return nil, err
		}
		if err != nil {
			missing[client.Host()] = err
			fmt.Printf("%s cannot be installed: %v\n", client.Host(), err)
			continue
		}
		c.installed[client.Host()] = program
	}
	return missing, nil
}

// includes reports whether a name is asked for.
func includes(list []string, name string) bool {
	for _, l := range list {
		if l == name {
			return true
		}
	}
	return len(list) == 0
}

// play plays all performances, some at once, and prints each as it ends.
func play(performances []*performance, parallel int, keep bool) {
	free := make(chan struct{}, max(1, parallel))
	var all sync.WaitGroup
	var printing sync.Mutex
	for _, p := range performances {
		free <- struct{}{}
		if p.crew.ctx.Err() != nil {
			p.notRun = "the run was interrupted"
		}
		all.Go(func() {
			defer func() { <-free }()
			p.play(keep)
			printing.Lock()
			defer printing.Unlock()
			p.print(os.Stdout)
		})
	}
	all.Wait()
}
