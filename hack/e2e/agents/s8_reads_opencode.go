package main

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// readDelay is the largest additional time, as a median, that a read may take while the hook hangs.
// It includes the 50 ms that OpenCode waits for the decision about a read, and a tolerance for a
// busy machine. A read that waited for the hook's deadline would take 1.5 s.
const readDelay = 250 * time.Millisecond

// readsInTime tests that reads stay fast when the long-running hook hangs during a session. This
// includes a task with a list of allowed tools, for which reads are checked.
func readsInTime(s *stage) {
	workPlan(s)
	s.must(s.editSpec(".idumb/tasks/dig.json", map[string]any{"state": "active", "allowedTools": []string{"read", "write", "bash"}}))
	s.write("notes.txt", "wet clay\n")
	s.serve(clients.Options{}, func(v *served) {
		session := v.open()
		reads := mainLane(model.Use(s.Read("notes.txt")), model.Use(s.Read("notes.txt")), model.Use(s.Read("notes.txt")),
			model.Use(s.Read("notes.txt")), model.Use(s.Read("notes.txt")), model.Say("Clay."))
		v.turn(session, "look around", reads)
		before := v.callsTook(session, "read")
		s.freezeHooks(v.PID())
		v.turn(session, "look again", reads)
		after := v.callsTook(session, "read")
		if len(before) != 5 || len(after) != 10 {
			s.fault("%d and %d reads were made, want 5 and 10", len(before), len(after))
			return
		}
		after = after[5:]
		normal, slow := middle(before), middle(after)
		s.check(slow <= normal+readDelay, "with a hook that hangs a read takes %s in the middle (%v), without %s (%v)", slow, after, normal, before)
		s.check(slices.Max(after) < normal+time.Second, "with a hook that hangs one read took %s", slices.Max(after))
	})
}

func middle(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// callsTook returns the duration of each call of a tool in a conversation, including hooks.
func (v *served) callsTook(session, tool string) []time.Duration {
	var messages []struct {
		Parts []struct {
			Tool  string
			State struct{ Time struct{ Start, End int64 } }
		}
	}
	v.stage.must(v.Call(v.ctx, http.MethodGet, "/session/"+session+"/message", nil, &messages))
	var took []time.Duration
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Tool == tool && p.State.Time.End > 0 {
				took = append(took, time.Duration(p.State.Time.End-p.State.Time.Start)*time.Millisecond)
			}
		}
	}
	return took
}

// freezeHooks suspends the long-running hooks among a process's children. It also replaces the hook
// program with a script that hangs, for hooks that are started later.
func (s *stage) freezeHooks(parent int) {
	found := 0
	for _, pid := range childrenOf(parent) {
		command, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err == nil && strings.Contains(string(command), "idumb-hook") {
			s.must(exec.Command("kill", "-STOP", strconv.Itoa(pid)).Run())
			found++
		}
	}
	s.check(found > 0, "no lasting hook runs below the client")
	s.replaceHook("#!/bin/sh\nexec sleep 300\n")
}

// childrenOf returns the direct child processes of a process.
func childrenOf(parent int) []int {
	out, err := exec.Command("ps", "-o", "pid=", "--ppid", strconv.Itoa(parent)).Output()
	if err != nil {
		return nil // the process has no children
	}
	var pids []int
	for _, word := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
