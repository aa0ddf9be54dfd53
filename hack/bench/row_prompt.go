package main

import (
	"fmt"
	"time"
)

// measurePrompt measures delays for a user: a prompt, a session's start, and a task's start. Each
// directly follows a change of another task.
func measurePrompt(b *bench) ([]Result, error) {
	k, err := b.large()
	if err != nil {
		return nil, err
	}
	session := func(round int) string { return fmt.Sprintf("7c1e7d3e-2f3b-4c9e-9f2c-6a8f7d1f%04d", round) }
	prompt := k.hook("", func(round int) map[string]any {
		return map[string]any{"session_id": session(0), "hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprintf("%d: how are session tokens renewed, and by whom?", round)}
	})
	sessionStart := k.hook("idumb_context", func(round int) map[string]any {
		return map[string]any{"session_id": session(round + 1), "hook_event_name": "SessionStart", "source": "startup"}
	})
	begin := k.idumb("start")
	begin.each = func(round int) []string { return []string{taskName(startable(round))} }
	prompt.before = k.change
	sessionStart.before = func(round int) error {
		if err := k.forget("*" + session(round)); err != nil { // session of the previous round
			return err
		}
		return k.change(round)
	}
	begin.before = func(round int) error {
		if round > 0 { // with two active tasks the gate would query the task of a write
			if err := k.repo.ReplaceTask(taskName(startable(round-1)), taskSpec(startable(round-1), mixed)); err != nil {
				return err
			}
		}
		return k.change(round)
	}
	n := b.size(40, 5)
	all, err := repeat(n, process{path: b.bin.Path("empty")}, prompt, sessionStart, begin)
	if err != nil {
		return nil, err
	}
	if err := k.repo.ReplaceTask(taskName(startable(n)), taskSpec(startable(n), mixed)); err != nil {
		return nil, err
	}
	var results []Result
	for i, what := range []string{"a prompt", "a session's start", "idumb start"} {
		results = append(results,
			Result{What: what + ", " + k.String() + ", p50", Unit: "ms", Floor: all[0].percentileMs(50, wall), Ours: all[i+1].percentileMs(50, wall)},
			Result{What: what + ", " + k.String() + ", p95", Unit: "ms", Floor: all[0].percentileMs(95, wall), Ours: all[i+1].percentileMs(95, wall), Goal: "15 ms"},
			Result{What: what + ", " + k.String() + ", CPU of both and of the change", Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[i+1].percentileMs(50, busy)})
	}
	return results, nil
}

// startable returns the number of a task without dependencies.
func startable(round int) int { return 3*round + 1 }

// measureHung measures the hook while the controller accepts connections without answering.
func measureHung(b *bench) ([]Result, error) {
	k, err := b.large()
	if err != nil {
		return nil, err
	}
	var all []costs
	err = k.stopped(func() error {
		all, err = repeat(b.size(20, 3), process{path: b.bin.Path("empty")}, k.toolCallAlone(0), k.toolCallAlone(1))
		return err
	})
	if err != nil {
		return nil, err
	}
	var results []Result
	for i, call := range hookCalls[:2] {
		results = append(results, Result{What: "hook " + call.does + ", the controller hangs, " + k.String() + ", slowest", Unit: "ms",
			Floor: all[0].percentileMs(100, wall), Ours: all[i+1].percentileMs(100, wall), Goal: "right within 500 ms"})
	}
	return results, nil
}

// stopped calls do while the controller is suspended.
func (k *backend) stopped(do func() error) error {
	if err := k.controller.Hang(); err != nil {
		return err
	}
	defer func() {
		_ = k.controller.Continue()
		time.Sleep(100 * time.Millisecond) // let the pending work finish first
		settle(k.controller.PID())
	}()
	return do()
}

// toolCallAlone returns a call without the controller's CPU time.
func (k *backend) toolCallAlone(kind int) process {
	p := k.toolCall(kind)
	p.serves = 0
	return p
}

// measureAlone measures the hook without a controller.
func measureAlone(b *bench) ([]Result, error) {
	k, err := newLonelyKitchen(b, b.size(1000, 100), 0)
	if err != nil {
		return nil, err
	}
	defer k.end()
	processes := []process{{path: b.bin.Path("empty")}}
	for i := range hookCalls {
		p := k.toolCall(i)
		p.before = k.change
		processes = append(processes, p)
	}
	all, err := repeat(b.size(40, 5), processes...)
	if err != nil {
		return nil, err
	}
	var results []Result
	for i, call := range hookCalls {
		what := fmt.Sprintf("hook %s, no controller, %d tasks", call.does, k.tasks)
		results = append(results,
			Result{What: what + ", CPU", Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[i+1].percentileMs(50, busy), Goal: "15 ms"},
			Result{What: what + ", wall", Unit: "ms", Floor: all[0].percentileMs(50, wall), Ours: all[i+1].percentileMs(50, wall)})
	}
	return results, nil
}
