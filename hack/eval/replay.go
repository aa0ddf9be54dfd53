package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// day returns a day of the month of the stores' dates.
func day(n int) resources.Time {
	return resources.NewTime(time.Date(2026, time.March, n, 9, 0, 0, 0, time.UTC))
}

func header(name string, created int) resources.Header {
	return resources.Header{Metadata: resources.Meta{Name: name, CreationTimestamp: day(created)}}
}

// reuse is the share of a model's input that equals its input at the previous step, byte by byte
// from the beginning. The host need not pay for this part again.
type reuse struct {
	steps       int
	fullPacks   float64 // share if each step sends a full pack
	sentUpdates float64 // share with iDumb's input: one pack, followed by updates
	read, kept  [2]int  // bytes of full packs and of iDumb's input, and the bytes that were there before
}

// add adds a step: the packs before and after it, and the input before and after it.
func (r *reuse) add(last, now, sent, stream string) {
	whole, streamed := shared(last, now), shared(sent, stream)
	r.steps++
	r.fullPacks += whole
	r.sentUpdates += streamed
	r.read[0], r.read[1] = r.read[0]+len(now), r.read[1]+len(stream)
	r.kept[0], r.kept[1] = r.kept[0]+int(whole*float64(len(now))+0.5), r.kept[1]+int(streamed*float64(len(stream))+0.5)
}

func (r reuse) mean() reuse {
	n := float64(max(r.steps, 1))
	r.fullPacks, r.sentUpdates = r.fullPacks/n, r.sentUpdates/n
	return r
}

// Sizes of a replay.
const (
	replayTasks = 12
	replaySteps = 25 // steps for each task

	switchTasks, switchSteps = 3, 7 // 20 turns, two of which begin a task
)

// replay simulates a session with a number of tasks and steps, on a store with the mems and
// tasks of a set of questions. During a task, checkpoints, mems and denials arrive and other
// tasks complete. Then the next task starts. It returns the reuse at steps within a task, and at
// steps that begin one.
func replay(s *set, seed uint64, tasks, steps int) (within, between reuse) {
	p := newPlayer(s.parts[0], rand.New(rand.NewPCG(seed, 3)))
	last := p.pack()
	sent := last
	for step := 1; step < tasks*steps; step++ {
		change := step%steps == 0
		if change {
			p.nextTask()
		} else {
			p.step()
		}
		now := p.pack()
		r := &within
		if change {
			r = &between
		}
		stream := sent + packer.Update([]byte(last), []byte(now), nil)
		r.add(last, now, sent, stream)
		if last, sent = now, stream; len(sent) > 6*len(now) { // compaction: start with a full pack again
			sent = now
		}
	}
	return within.mean(), between.mean()
}

// shared returns the share of now that is a common prefix with before.
func shared(before, now string) float64 {
	n := 0
	for n < len(before) && n < len(now) && before[n] == now[n] {
		n++
	}
	return float64(n) / float64(len(now))
}

// player is a store with the state of the session.
type player struct {
	r          *rand.Rand
	input      packer.Input
	later      []packer.Mem // mems that will be saved in the session
	task       int
	heldTokens map[string]int
}

func newPlayer(s *store, r *rand.Rand) *player {
	config := resources.DefaultConfig()
	config.Language = resources.Language{Communication: "English"}
	config.ProjectFacts = []string{"One Go module; the core links only the standard library.", "Tests: go test ./...", "Commit messages say why, in the imperative."}
	p := &player{r: r, input: packer.Input{
		Day: day(12).Time, Config: &config, Limit: 10000,
		Role: &resources.Role{Header: header("executor", 1), Spec: resources.RoleSpec{
			Paths: resources.PathRules{Write: []string{"cmd/**", "packer/**", "resources/**"}}, Rules: []string{"Run the tests before you say that something works."},
		}},
		Session: &resources.Session{Header: header("ses", 12), Spec: resources.SessionSpec{Host: "claude", Agent: "executor"}},
		Plan: &packer.Plan{
			Object: &resources.WorkPlan{Header: header("p", 1), Spec: resources.WorkPlanSpec{Title: "Govern agents", State: "active", Acceptance: []string{"Real agents are held to their tasks"}}},
			Status: resources.WorkPlanStatus{Common: resources.Common{Phase: resources.PlanActive}, Progress: resources.PlanProgress{Total: replayTasks}},
		},
	}}
	for i, d := range s.documents {
		m := memOf(d, i)
		if i%9 == 0 {
			p.later = append(p.later, m)
			continue
		}
		if i%40 == 1 {
			m.Object.Spec.Type = resources.FalsePath
		}
		p.input.Mems = append(p.input.Mems, m)
	}
	for i := range replayTasks {
		q := s.questions[i*len(s.questions)/replayTasks]
		phase := resources.TaskPlanned
		if i == 0 {
			phase = resources.TaskActive
		}
		p.input.Tasks = append(p.input.Tasks, packer.Task{
			Object: &resources.Task{Header: header(fmt.Sprintf("t-%02d", i), 1+i), Spec: resources.TaskSpec{WorkPlan: "p", Title: q.text, ExpectedOutput: "The change, with tests: " + q.text, State: "active"}},
			Status: resources.TaskStatus{Common: resources.Common{Phase: phase}},
		})
	}
	p.input.Active = []string{"t-00"}
	return p
}

// memOf converts a mem of a set to an object.
func memOf(d search.Document, i int) packer.Mem {
	spec := resources.MemSpec{Title: d.Title, Content: d.Text, Tags: d.Tags}
	if spec.Content == "" {
		spec.Content = d.Title
	}
	for _, path := range d.Paths {
		spec.Evidence = append(spec.Evidence, resources.MemEvidence{Path: path})
	}
	return packer.Mem{
		Object: &resources.Mem{Header: header(fmt.Sprintf("m-%03d", i), 1+i%11), Spec: spec},
		Status: resources.MemStatus{Common: resources.Common{Phase: resources.Fresh}, Confidence: d.Confidence},
	}
}

// pack returns the current pack, and keeps it for comparison with the next one.
func (p *player) pack() string {
	in := p.input
	in.Previous = p.heldTokens
	pack := packer.Build(in).Bytes
	p.heldTokens = packer.PreviousIn(pack)
	return string(pack)
}

// step simulates an event during a task.
func (p *player) step() {
	active := &p.input.Tasks[p.task]
	switch n := p.r.IntN(100); {
	case n < 50:
		success := p.r.IntN(4) > 0
		c := resources.Checkpoint{Time: day(12), Tool: "shell", Command: fmt.Sprintf("go test ./packer -run Test%d", p.r.IntN(90)), Succeeded: &success}
		last := append(active.Status.Checkpoints.Last, c)
		active.Status.Checkpoints.Last = last[max(0, len(last)-status.LastCheckpoints):]
		active.Status.Checkpoints.Count++
	case n < 58 && len(p.later) > 0:
		i := p.r.IntN(len(p.later))
		m := p.later[i]
		p.later = slices.Delete(p.later, i, i+1)
		m.Object.Spec.OriginTask = active.Object.Metadata.Name
		m.Object.Metadata.CreationTimestamp = day(12)
		p.input.Mems = append(p.input.Mems, m)
	case n < 65:
		session := *p.input.Session
		session.Spec.Counters.Denials++
		p.input.Session = &session
	}
}

// nextTask completes the task and starts the next one.
func (p *player) nextTask() {
	p.input.Tasks[p.task].Status.Phase = resources.TaskCompleted
	p.task++
	p.input.Tasks[p.task].Status.Phase = resources.TaskActive
	p.input.Active = []string{p.input.Tasks[p.task].Object.Metadata.Name}
}
