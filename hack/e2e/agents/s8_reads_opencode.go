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

// readDelay is how much longer than otherwise a read may take while the hook hangs,
// in the middle: the 50 ms that a judged read waits, and what a busy machine adds.
// A read that waited for the hook's deadline would take 1.5 s.
const readDelay = 250 * time.Millisecond

// readsInTime: the lasting hook hangs in the middle of a session. Reads go on as fast
// as before, also where a task names tools, so that reads are judged.
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

// callsTook tells how long each call of a tool took in a conversation, hooks included.
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

// freezeHooks stops the lasting hooks below a process, and puts one that hangs in the
// place of the program, for the next that is started.
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

// childrenOf lists the processes that another one has started.
func childrenOf(parent int) []int {
	out, err := exec.Command("ps", "-o", "pid=", "--ppid", strconv.Itoa(parent)).Output()
	if err != nil {
		return nil // it has none
	}
	var pids []int
	for _, word := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
