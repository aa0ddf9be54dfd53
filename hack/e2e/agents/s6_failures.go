package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// workPlan creates a plan with one task that is not started.
func workPlan(s *stage) {
	s.idumb("create", "workplan", "garden", "--title", "A garden", "--accept", "It grows", "--state", "active")
	s.idumb("create", "task", "dig", "--plan", "garden", "--title", "Dig", "--expect", "A bed")
}

// controllerKilled tests that the gate and the agent continue to work after the controller is
// killed during a session.
func controllerKilled(s *stage) {
	workPlan(s)
	_, err := s.command(s.program("idumb"), "controller", "start")
	s.must(err)
	s.eventually("the controller's status of the task", func() error {
		if !exists(s.path(".idumb/status/tasks/dig.json")) {
			return errors.New("the status does not exist")
		}
		return nil
	})
	s.prompt("dig", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("bed.txt", "dug\n")),
		model.Use(s.Write("bed.txt", "dug\n")).Wanting("GOVERNANCE BLOCK").Doing(s.during(s.killController)),
		model.Use(s.Shell("idumb start dig")).Wanting("GOVERNANCE BLOCK", "govern_task").Doing(s.during(func() { s.wantNoFile("bed.txt") })),
		model.Use(s.Write("bed.txt", "dug\n")).Rejecting("GOVERNANCE BLOCK"),
		model.Say("Dug.").Rejecting("GOVERNANCE BLOCK"),
	}})
	s.wantFile("bed.txt", "dug\n")
	s.wantPhase("task/dig", "active")
}

// killController kills the project's controller, as a crash would end it.
func (s *stage) killController() {
	data, err := os.ReadFile(s.path(".idumb/run/controller.json"))
	s.must(err)
	var c struct{ PID int }
	s.must(json.Unmarshal(data, &c))
	p, err := os.FindProcess(c.PID)
	s.must(err)
	s.must(p.Kill())
}

// hookStuck tests the case in which the hook waits for a lock that another process holds. The hook
// must stop at its own deadline, and a governed write must be denied with the reason.
func hookStuck(s *stage) {
	workPlan(s)
	release := func() {}
	defer func() { release() }()
	s.prompt("dig", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("bed.txt", "dug\n")).Doing(s.during(func() { release = s.holdLocks() })),
		model.Use(s.Shell("idumb start dig")).Wanting("GOVERNANCE BLOCK").
			Doing(s.during(func() { s.wantNoFile("bed.txt"); release() })),
		model.Use(s.Write("bed.txt", "dug\n")).Rejecting("GOVERNANCE BLOCK"),
		model.Say("Dug.").Rejecting("GOVERNANCE BLOCK"),
	}})
	s.wantFile("bed.txt", "dug\n")
}

// holdLocks takes every lock that the hook uses and holds them until release is called.
func (s *stage) holdLocks() (release func()) {
	locks, err := filepath.Glob(s.path(".idumb/run/*/*.lock"))
	s.must(err)
	s.check(len(locks) > 0, "the hook has no locks to hold")
	var held []io.Closer
	for _, lock := range locks {
		holder := exec.Command("flock", lock, "cat") // cat ends when its input ends, and flock then releases the lock
		end, err := holder.StdinPipe()
		s.must(err)
		s.must(holder.Start())
		go holder.Wait()
		held = append(held, end)
	}
	time.Sleep(200 * time.Millisecond) // wait until the locks are held
	return func() {
		for _, h := range held {
			h.Close()
		}
	}
}

// hookHung tests the case in which the hook program never returns. The agent must not hang, and the
// gate must not be open without notice: either the write is denied or, if the host continues
// without an answer, the agent or the user is told at the end of this turn or at the next turn.
func hookHung(s *stage) {
	workPlan(s)
	s.prompt("dig", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("bed.txt", "dug\n")).Doing(s.during(func() { s.replaceHook("#!/bin/sh\nexec sleep 300\n") })),
		model.Say("So be it."),
	}})
	if exists(s.path("bed.txt")) && !s.saidOff() {
		s.play(s.actor, clients.Options{Resume: true}, []string{"dig on"}, model.Lane{Name: "main", Steps: []model.Step{model.Say("So be it.")}})
		s.check(s.saidOff(), "the write succeeded without a notice that the gate did not answer")
	}
}

// hookGone tests that an agent continues to work if idumb is uninstalled during a session. When the
// agent is started the next time, it must be told once that governance is off.
func hookGone(s *stage) {
	workPlan(s)
	s.prompt("dig", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("bed.txt", "dug\n")),
		model.Use(s.Write("bed.txt", "dug\n")).Wanting("GOVERNANCE BLOCK").Doing(s.during(func() {
			s.wantNoFile("bed.txt")
			for _, program := range []string{"idumb-hook", "idumb", "idumb-mcp", "idumb-controller"} {
				s.must(os.Remove(s.program(program)))
			}
		})),
		model.Say("Dug."),
	}})
	s.wantFile("bed.txt", "dug\n")
	s.play(s.actor, clients.Options{Resume: true}, []string{"dig on"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("more.txt", "more\n")),
		model.Say("Dug."),
	}})
	s.wantFile("more.txt", "more\n")
	want := 1
	if s.host == "opencode" {
		want = 2 // OpenCode does not keep text at the end of a request, so each process tells the model again
	}
	told := s.toldOff()
	s.check(told == want, "%d notices that governance is off, want %d", told, want)
}

// replaceHook replaces the hook program with a script.
func (s *stage) replaceHook(script string) {
	s.must(os.Remove(s.program("idumb-hook")))
	s.must(os.WriteFile(s.program("idumb-hook"), []byte(script), 0o755))
}

// saysOff matches messages which say that no calls are checked.
var saysOff = regexp.MustCompile(`(?i)governance[^\n]{0,40}\b(off|not running|did not answer|unavailable)\b`)

// toldOff returns how many times the model was told that governance is off.
func (s *stage) toldOff() int {
	told := 0
	for _, r := range s.model.Requests() {
		told += len(saysOff.FindAllString(r.New(), -1))
	}
	return told
}

// saidOff reports whether the model, or the user in the client's output, was told that governance
// is off.
func (s *stage) saidOff() bool {
	if s.toldOff() > 0 {
		return true
	}
	for _, kind := range []string{".stdout", ".stderr"} {
		printed, err := os.ReadFile(filepath.Join(s.place.Log, s.host+kind))
		if err == nil && saysOff.Match(printed) {
			return true
		}
	}
	return false
}

// brokenFiles tests that the gate stays closed while .idumb is broken in different ways, and that
// the agent can continue after each repair.
func brokenFiles(s *stage) {
	workPlan(s)
	aside := filepath.Join(s.scratch, "aside")
	breaks := []struct {
		what       string
		do, repair func() error
	}{
		{"config.json is not JSON", s.overwrite(".idumb/config.json", `{"spec": {"mode": "off"`), s.putBack(".idumb/config.json")},
		{"config.json is empty", s.overwrite(".idumb/config.json", ""), s.putBack(".idumb/config.json")},
		{"config.json is missing", func() error { return os.Remove(s.path(".idumb/config.json")) }, s.putBack(".idumb/config.json")},
		{"the plan is not JSON", s.overwrite(".idumb/workplans/garden.json", `{"spec"`), s.putBack(".idumb/workplans/garden.json")},
		{"the task is not JSON", s.overwrite(".idumb/tasks/dig.json", `{"spec": {"state": "active"`), s.putBack(".idumb/tasks/dig.json")},
		{"the roles are missing", func() error { return os.Rename(s.path(".idumb/roles"), aside) }, func() error { return os.Rename(aside, s.path(".idumb/roles")) }},
		{"run is a file", s.runIsAFile, func() error { return os.Remove(s.path(".idumb/run")) }},
	}
	main := model.Lane{Name: "main"}
	for i, b := range breaks {
		step := model.Use(s.Write("bed.txt", "dug\n"))
		step.Do = s.during(func() {
			s.wantNoFile("bed.txt")
			if i > 0 {
				s.must(breaks[i-1].repair())
			}
			s.must(b.do())
		})
		if i > 0 {
			step.Look = wantReason("write while " + breaks[i-1].what)
		}
		main.Steps = append(main.Steps, step)
	}
	last := breaks[len(breaks)-1]
	main.Steps = append(main.Steps,
		model.Use(s.Shell("idumb start dig")).Looking(wantReason("write while "+last.what)).Doing(s.during(func() { s.must(last.repair()) })),
		model.Use(s.Write("bed.txt", "dug\n")).Rejecting("GOVERNANCE BLOCK"),
		model.Say("Dug.").Rejecting("GOVERNANCE BLOCK"))
	s.prompt("dig", main)
	s.wantFile("bed.txt", "dug\n")
}

// overwrite returns a function that replaces the content of a file. putBack returns a function that
// restores the content the file had when putBack was called.
func (s *stage) overwrite(file, content string) func() error {
	return func() error { return os.WriteFile(s.path(file), []byte(content), 0o644) }
}

func (s *stage) putBack(file string) func() error {
	data, err := os.ReadFile(s.path(file))
	s.must(err)
	return func() error { return os.WriteFile(s.path(file), data, 0o644) }
}

func (s *stage) runIsAFile() error {
	s.stopController() // without these files, idumb could not find the controller later
	return errors.Join(os.RemoveAll(s.path(".idumb/run")), os.WriteFile(s.path(".idumb/run"), nil, 0o600))
}
