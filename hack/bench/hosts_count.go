package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
)

// hostCounts contains the counts of an untimed run.
type hostCounts struct {
	starts  [kinds]float64 // starts of the hook's program for each step
	answers []Result
}

// count runs the client once with idumb and records each start of the hook and, with a plugin, the
// duration of each answer.
func (h *hostBench) count() (c hostCounts, err error) {
	p, err := h.project(counts)
	if err != nil {
		return c, err
	}
	defer p.end()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	s := p.script(h.size(10, 5), 3)
	var seen, sums [kinds]int
	last := 0
	s.playBetween(func() error { return nil }, func(i int, _ time.Duration) {
		k, now := s.kinds[i], p.started()
		if seen[k]++; seen[k] > 1 {
			sums[k] += now - last
		}
		last = now
	})
	log := filepath.Join(p.scratch, "shim.log")
	if err := p.perform(ctx, s, []string{"IDUMB_SHIM_LOG=" + log}); err != nil {
		return c, err
	}
	for k := range kinds {
		c.starts[k] = float64(sums[k]) / float64(max(1, seen[k]-1))
	}
	c.answers, err = shimAnswers(h.client.Host(), log)
	return c, err
}

// shimAnswers reads the time that OpenCode's plugin waited for the hook, by its clock, in whole
// milliseconds. The floor is an echo from an idle child, measured equally often, because OpenCode's
// event loop delays both.
func shimAnswers(host, log string) ([]Result, error) {
	if host != (clients.OpenCode{}).Host() {
		return nil, nil
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	waited := map[string][]time.Duration{}
	for line := range bytes.Lines(data) {
		var record struct {
			Hook string  `json:"hook"`
			Ms   float64 `json:"ms"`
		}
		if json.Unmarshal(line, &record) == nil && record.Hook != "" {
			waited[record.Hook] = append(waited[record.Hook], time.Duration(record.Ms*float64(time.Millisecond)))
		}
	}
	var results []Result
	for _, hook := range []string{"tool.before", "tool.after", "tail", "message"} {
		if len(waited[hook]) == 0 {
			return nil, fmt.Errorf("the plugin never asked the hook %q", hook)
		}
		results = append(results, Result{What: host + ": the hook's answer to " + hook, Unit: "ms", Floor: ms(middle(waited["echo"])), Ours: ms(middle(waited[hook])), Goal: map[bool]string{true: "3 ms"}[hook != "message"]})
	}
	return results, nil
}
