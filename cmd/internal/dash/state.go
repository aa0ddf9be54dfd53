package dash

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/needs"
	"github.com/idumb-dev/idumb/resources/plangraph"
)

// State is the data of the dashboard at one moment.
type State struct {
	questions.Dash
	At     time.Time     // time of the data
	Took   time.Duration // time since the change, or to answer
	Live   bool          // a controller answered
	Since  time.Time     // time when the controller stopped answering; zero if none answered before
	Events []resources.Event
	Denied []resources.Event // denied calls, newest first
	Trees  []serve.Tree      // the repository's other worktrees with a running controller

	plans map[string]*laid // layouts by plan
	after map[string][]int // indexes of the dependents of each task; nil until needed
}

// task returns a task by name, or nil.
func (s *State) task(name string) *questions.DashTask {
	i, found := slices.BinarySearchFunc(s.Tasks, name, func(t questions.DashTask, name string) int { return strings.Compare(t.Name, name) })
	if !found {
		return nil
	}
	return &s.Tasks[i]
}

// session returns a session by name, or nil.
func (s *State) session(name string) *questions.Top {
	for i := range s.Sessions {
		if s.Sessions[i].Name == name {
			return &s.Sessions[i]
		}
	}
	return nil
}

// over reports whether a task is completed or abandoned.
func over(t *questions.DashTask) bool {
	return t.Phase == resources.TaskCompleted || t.Phase == resources.TaskAbandoned
}

// behind returns the open tasks that depend on a task, directly or indirectly. They break if the
// task is abandoned.
func (s *State) behind(name string) (names []string) {
	if s.after == nil {
		s.after = map[string][]int{}
		for i := range s.Tasks {
			for _, first := range s.Tasks[i].Needs {
				s.after[first] = append(s.after[first], i)
			}
		}
	}
	seen := map[string]bool{name: true}
	for next := []string{name}; len(next) > 0; next = next[1:] {
		for _, i := range s.after[next[0]] {
			if t := &s.Tasks[i]; !seen[t.Name] && !over(t) {
				seen[t.Name] = true
				names, next = append(names, t.Name), append(next, t.Name)
			}
		}
	}
	return names
}

// chain returns a task with its dependencies and dependents, direct and indirect.
func (s *State) chain(name string) map[string]bool {
	keep := map[string]bool{name: true}
	for _, n := range s.behind(name) {
		keep[n] = true
	}
	for next := []string{name}; len(next) > 0; next = next[1:] {
		if t := s.task(next[0]); t != nil {
			for _, first := range t.Needs {
				if !keep[first] {
					keep[first] = true
					next = append(next, first)
				}
			}
		}
	}
	return keep
}

// plan returns the chosen plan while it is active, otherwise the first plan.
func (s *State) plan(chosen string) *questions.PlanStanding {
	for i := range s.Plans {
		if s.Plans[i].Name == chosen {
			return &s.Plans[i]
		}
	}
	if len(s.Plans) == 0 {
		return nil
	}
	return &s.Plans[0]
}

// of returns the tasks of a plan in the form for the layout.
func (s *State) of(plan string) (tasks []plangraph.Task) {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Plan == plan {
			tasks = append(tasks, plangraph.Task{Name: t.Name, Title: t.Title, Phase: t.Phase, Stage: t.Stage, Holder: s.worker(t), Needs: t.Needs, Gate: t.Gate})
		}
	}
	return tasks
}

// worker returns the name of the session that works on a task, or of its holder in another clone.
func (s *State) worker(t *questions.DashTask) string {
	for i := range s.Sessions {
		if s.Sessions[i].Task == t.Name {
			return agent(&s.Sessions[i])
		}
	}
	return t.Holder
}

// agent returns the short name of a session.
func agent(t *questions.Top) string {
	return cmp.Or(t.Host, t.Agent, "agent") + "/" + firstRunes(t.Name, 8)
}

// sign returns the sign of a task. The sign of its session has precedence if the session needs
// attention.
func (s *State) sign(t *questions.DashTask) needs.Sign {
	for i := range s.Sessions {
		if session := &s.Sessions[i]; session.Task == t.Name {
			if sign := s.agentSign(session); sign != needs.SignActive && !over(t) {
				return sign
			}
		}
	}
	return needs.SignOf(t.Phase, t.Ready)
}

// agentSign returns the sign of a session.
func (s *State) agentSign(t *questions.Top) needs.Sign {
	if t.WaitsFor == resources.WaitsForPermission || t.WaitsFor == resources.WaitsForAnswer {
		return needs.SignAsks
	}
	for i := range s.Needs {
		if n := &s.Needs[i]; n.Rank == needs.Circles && n.About == "session/"+t.Name {
			return needs.SignCircles
		}
	}
	if t.WaitsFor == resources.WaitsForInput {
		return needs.SignReady
	}
	return needs.SignActive
}

// signLook returns the look of a sign.
func signLook(s needs.Sign) look {
	switch s {
	case needs.SignDone:
		return good
	case needs.SignActive:
		return working
	case needs.SignAsks:
		return urgent
	case needs.SignFailed, needs.SignCircles:
		return bad
	case needs.SignAbandoned:
		return quiet
	case needs.SignReady:
		return plain
	}
	return waiting
}

// age formats the time since t in whole minutes, hours or days.
func age(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return "now"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	default:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
}
