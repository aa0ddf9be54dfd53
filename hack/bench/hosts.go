package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
)

// way is the hook configuration of a project.
type way int

const (
	bare  way = iota // no hooks: the floor
	empty            // one hook for each call and prompt, an empty Go program
	ours             // idumb, as installed
	ways
	counts = ways // idumb, with each start and answer of the hook recorded; not timed
)

// kind is the work of a client between two requests to its model.
type kind int

const (
	write kind = iota // one call of its tool that writes a file
	read              // one call of its tool that reads a file
	turn              // the end of a turn and the beginning of the next
	kinds
)

func (k kind) String() string { return [...]string{"write", "read", "turn"}[k] }

// hostClients lists the clients, with the goal for a call in each.
var hostClients = []struct {
	client clients.Client
	goal   string
}{
	{clients.OpenCode{}, "3 ms"},
	{clients.Claude{}, "1x: one process start"},
	{clients.Codex{}, "1x: one process start"},
}

// measureHosts measures tool calls and turns in real clients with a scripted model: without hooks,
// with empty hooks, and with idumb. All three run at once and take turns after each step, so that a
// drift of the machine affects them equally.
func measureHosts(b *bench) ([]Result, error) {
	bin, err := drive.Build("idumb", "idumb-controller", "idumb-hook", "idumb-mcp")
	if err != nil {
		return nil, err
	}
	defer bin.Remove()
	cache, err := clients.CacheDir()
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, row := range hostClients {
		program, err := clients.Install(row.client, cache)
		if err != nil && !row.client.Required() {
			fmt.Printf("hosts: %s is not measured: %v\n", row.client.Host(), err)
			continue
		}
		if err != nil {
			return nil, err
		}
		h := &hostBench{bench: b, client: row.client, program: program, idumb: bin, goal: row.goal}
		r, err := h.measure()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.client.Host(), err)
		}
		results = append(results, r...)
	}
	return results, nil
}

// hostBench measures one client.
type hostBench struct {
	*bench
	client  clients.Client
	program string
	idumb   drive.Bin
	goal    string
}

func (h *hostBench) measure() ([]Result, error) {
	took, err := h.race()
	if err != nil {
		return nil, err
	}
	counted, err := h.count()
	if err != nil {
		return nil, err
	}
	var results []Result
	for k := range kinds {
		name := fmt.Sprintf("%s: a %s", h.client.Host(), k)
		goal := h.goal
		if k == turn {
			goal = ""
		}
		results = append(results,
			Result{What: name + " with an empty program", Unit: "ms", Floor: ms(middle(took[bare][k])), Ours: ms(middle(took[empty][k]))},
			Result{What: name + " with idumb", Unit: "ms", Floor: ms(middle(took[bare][k])), Ours: ms(middle(took[ours][k]))},
			Result{What: name + ": an empty program and idumb add", Unit: "ms", Floor: added(took[bare][k], took[empty][k]), Ours: added(took[bare][k], took[ours][k]), Goal: goal},
		)
		if h.client.Host() != (clients.OpenCode{}).Host() {
			results = append(results, Result{What: name + " starts of our programs", Ours: counted.starts[k], Goal: map[bool]string{true: "1"}[k != turn]})
		}
	}
	return append(results, counted.answers...), nil
}

// middle returns the median without sorting values.
func middle(values []time.Duration) time.Duration { return percentile(slices.Clone(values), 50) }

// added returns the median of the differences between a step and the same step of the floor, in
// milliseconds. The two were measured in direct succession.
func added(floor, values []time.Duration) float64 {
	var longer []time.Duration
	for i := range min(len(floor), len(values)) {
		longer = append(longer, values[i]-floor[i])
	}
	return ms(percentile(longer, 50))
}

// race runs the client in all ways at once, one step of each in turn.
func (h *hostBench) race() (took [ways][kinds][]time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	r := newRelay(ctx, int(ways))
	var errs [ways]error
	var all sync.WaitGroup
	for w := range ways {
		all.Go(func() {
			defer r.leave(int(w))
			took[w], errs[w] = h.run(ctx, w, r)
			if errs[w] != nil {
				cancel() // otherwise the other runs would wait for it
			}
		})
	}
	all.Wait()
	return took, errors.Join(errs[:]...)
}

// run runs a client once in a new project, and measures its steps.
func (h *hostBench) run(ctx context.Context, w way, r *relay) (took [kinds][]time.Duration, err error) {
	p, err := h.project(w)
	if err != nil {
		return took, err
	}
	defer p.end()
	return p.play(ctx, r, h.size(30, 5), h.size(8, 2))
}

// project creates a project with a hook configuration.
func (h *hostBench) project(w way) (*hostProject, error) {
	scratch, err := os.MkdirTemp("", "idumb-hosts-")
	if err == nil {
		scratch, err = filepath.EvalSymlinks(scratch)
	}
	if err != nil {
		return nil, err
	}
	p := &hostProject{hostBench: h, way: w, scratch: scratch, dir: filepath.Join(scratch, "project")}
	if err := p.prepare(); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}
