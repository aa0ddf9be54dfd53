// Command agents runs scenarios with real coding agents that have idumb installed and that use a
// scripted model. It prints one line for each scenario and client:
//
//	go run ./hack/e2e/agents                  # every scenario with every client
//	go run ./hack/e2e/agents -host claude -only 1,2 -keep
//	go run ./hack/e2e/agents -only 10 -turns 15   # the full measurement of a day's cost
//	go run ./hack/e2e/agents -quick           # for each client, only the scenarios about its integration
//
// Clients are installed once from npm, at pinned versions, into the directory in
// IDUMB_E2E_CACHE (default: idumb-e2e in the user's cache directory). Each scenario has its
// own project, home and model, and can connect only to loopback. The command exits with code 1
// if a scenario fails or if a required client cannot be installed. The last line lists what
// was not run.
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

// selection contains the requested scenarios and hosts. An empty list selects all.
type selection struct {
	scenarios, hosts []string
	quick            bool
}

func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// crew contains what all stages share.
type crew struct {
	ctx       context.Context // canceled when the run is interrupted
	bin       drive.Bin
	installed map[string]string // the program of each client, by host
	turns     int               // the number of turns in a day whose cost is measured
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
	if c.bin, err = drive.Build("idumb", "idumb-controller", "idumb-hook", "idumb-mcp"); err != nil { // all of them are needed in PATH
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

// install installs the clients. It returns the reason for each optional client that cannot be
// installed, and an error if a required client cannot be installed.
func (c *crew) install() (missing map[string]error, err error) {
	cache, err := clients.CacheDir()
	if err != nil {
		return nil, err
	}
	missing = map[string]error{}
	for _, client := range clients.All() { // includes clients that were not requested, because some scenarios need two clients
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

// includes reports whether a name is requested.
func includes(list []string, name string) bool {
	for _, l := range list {
		if l == name {
			return true
		}
	}
	return len(list) == 0
}

// play runs all performances, at most parallel at a time, and prints each result when it ends.
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
