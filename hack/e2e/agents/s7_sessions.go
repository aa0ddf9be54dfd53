package main

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// resumed tests a conversation that is resumed after the client and the controller were killed
// during a turn. It must still contain everything that it was told, be on its task, and be able to
// write immediately.
func resumed(s *stage) {
	workPlan(s)
	s.idumb("create", "anchor", "soil", "--type", "decision", "--priority", "critical", "--content", "The soil is not turned twice")
	s.playUntilKilled(s.actor, "dig the bed", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Shell("idumb start dig")),
		model.Use(s.Write("bed.txt", "half\n")),
		model.Use(s.Write("bed.txt", "dug\n")).Rejecting("GOVERNANCE BLOCK").Doing(s.during(func() {
			s.stopController()
			s.kill()
		})),
	}})
	s.wantFile("bed.txt", "half\n")
	s.wantPhase("task/dig", "active")

	s.play(s.actor, clients.Options{Resume: true}, []string{"go on"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Read("bed.txt"), s.Write("rows.txt", "rows\n")).Knowing("dig", "The soil is not turned twice", "Plan garden"),
		model.Say("Dug.").Rejecting("GOVERNANCE BLOCK"),
	}})
	s.wantFile("rows.txt", "rows\n")
	s.wantPhase("task/dig", "active")
}

// together tests two clients of different kinds that work in one repository at the same time, each
// on its own task. Both must be denied until they have started a task, and each task must get the
// checkpoints of its own work.
func together(s *stage) {
	workPlan(s)
	s.idumb("create", "task", "sow", "--plan", "garden", "--title", "Sow", "--expect", "Seeds")
	other := s.otherClient()
	_, err := s.command(s.program("idumb"), "hook", "install", other.host)
	s.must(err)

	denied, started, wrote := newMeeting(2), newMeeting(2), newMeeting(2)
	part := func(a *actor, task, file string) model.Lane {
		return model.Lane{Name: a.host, Steps: []model.Step{
			model.Use(a.Write(file, task+"\n")),
			model.Use(a.Shell("idumb start " + task)).Wanting("GOVERNANCE BLOCK").Doing(denied.wait),
			model.Use(a.Write(file, task+"\n")).Doing(started.wait),
			model.Say("Done.").Rejecting("GOVERNANCE BLOCK").Doing(wrote.wait),
		}}
	}
	var both sync.WaitGroup
	both.Go(func() {
		defer recoverAbandoned()
		s.play(other, clients.Options{}, []string{"sow"}, part(other, "sow", "seeds.txt"))
	})
	s.play(s.actor, clients.Options{}, []string{"dig"}, part(s.actor, "dig", "bed.txt"))
	both.Wait()

	s.wantFile("bed.txt", "dig\n")
	s.wantFile("seeds.txt", "sow\n")
	s.wantPhase("task/dig", "active")
	s.wantPhase("task/sow", "active")
	s.wantCheckpoint("dig", "bed.txt", "seeds.txt")
	s.wantCheckpoint("sow", "seeds.txt", "bed.txt")
}

// otherClient opens a session of a different client in the same project.
func (s *stage) otherClient() *actor {
	all := clients.All()
	for i, c := range all {
		if c.Host() != s.host {
			continue
		}
		for j := range all {
			next := all[(i+1+j)%len(all)]
			if next.Host() != s.host && s.crew.installed[next.Host()] != "" {
				a, err := s.join(next, 0)
				s.must(err)
				return a
			}
		}
	}
	s.must(errors.New("there is no client of another kind"))
	return nil
}

// meeting lets clients wait for each other.
type meeting struct {
	mu      sync.Mutex
	missing int
	met     chan struct{}
}

func newMeeting(parties int) *meeting {
	return &meeting{missing: parties, met: make(chan struct{})}
}

// wait waits until all parties have called it. It is used as an action of a step.
func (m *meeting) wait(*model.Request) error {
	m.mu.Lock()
	if m.missing--; m.missing == 0 {
		close(m.met)
	}
	m.mu.Unlock()
	select {
	case <-m.met:
		return nil
	case <-time.After(patience / 2):
		return errors.New("the other agents did not arrive")
	}
}

// worktree tests that an agent in a git worktree is governed by that worktree's
// own .idumb, and that its work there changes nothing in the main working tree.
func worktree(s *stage) {
	workPlan(s)
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", "planned"}, {"worktree", "add", "-q", "-b", "side", s.worktreeDir()}} {
		_, err := s.command("git", args...)
		s.must(err)
	}
	bed := filepath.Join(s.worktreeDir(), "bed.txt")
	s.play(s.actor, clients.Options{Dir: s.worktreeDir()}, []string{"dig"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write(bed, "dug\n")).Looking(wantTexts("Plan garden")),
		model.Use(s.Own("govern_task", map[string]any{"action": "start", "task": "dig"})).Wanting("GOVERNANCE BLOCK"),
		model.Use(s.Write(bed, "dug\n")).Wanting(`"status":"success"`),
		model.Say("Dug.").Rejecting("GOVERNANCE BLOCK"),
	}})
	got, err := os.ReadFile(bed)
	s.check(err == nil && string(got) == "dug\n", "the file in the worktree holds %q (%v)", got, err)
	s.wantPhase("task/dig", "planned")
	out, err := s.command(s.program("idumb"), "-C", s.worktreeDir(), "get", "task", "dig", "-o", "jsonpath={.status.phase}")
	s.must(err)
	s.check(out == "active", "in the worktree task/dig is %s, want active", out)
	_, err = s.command(s.program("idumb"), "-C", s.worktreeDir(), "controller", "status")
	if err == nil {
		_, _ = s.command(s.program("idumb"), "-C", s.worktreeDir(), "controller", "stop")
	}
}
