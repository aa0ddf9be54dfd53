package dash

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
	"github.com/idumb-dev/idumb/resources/graphlayout"
)

// State is the data of the dashboard at one moment.
type State struct {
	queries.Dash
	Time   time.Time     // time of the data
	Took   time.Duration // time since the change, or to answer
	Live   bool          // a controller answered
	Since  time.Time     // time when the controller stopped answering; zero if none answered before
	Events []resources.Event
	Denied []resources.Event // denied calls, newest first
	Trees  []serve.Tree      // the repository's other worktrees with a running controller

	plans      map[string]*planLayout // layouts by plan
	dependents map[string][]int       // indexes of the dependents of each task; nil until needed
}

// task returns a task by name, or nil.
func (s *State) task(name string) *queries.DashTask {
	i, found := slices.BinarySearchFunc(s.Tasks, name, func(t queries.DashTask, name string) int { return strings.Compare(t.Name, name) })
	if !found {
		return nil
	}
	return &s.Tasks[i]
}

// session returns a session by name, or nil.
func (s *State) session(name string) *queries.Top {
	for i := range s.Sessions {
		if s.Sessions[i].Name == name {
			return &s.Sessions[i]
		}
	}
	return nil
}

// isEnded reports whether a task is completed or abandoned.
func isEnded(t *queries.DashTask) bool {
	return t.Phase == resources.TaskCompleted || t.Phase == resources.TaskAbandoned
}

// openDependents returns the open tasks that depend on a task, directly or indirectly. They break if the
// task is abandoned.
func (s *State) openDependents(name string) (names []string) {
	if s.dependents == nil {
		s.dependents = map[string][]int{}
		for i := range s.Tasks {
			for _, first := range s.Tasks[i].Needs {
				s.dependents[first] = append(s.dependents[first], i)
			}
		}
	}
	seen := map[string]bool{name: true}
	for next := []string{name}; len(next) > 0; next = next[1:] {
		for _, i := range s.dependents[next[0]] {
			if t := &s.Tasks[i]; !seen[t.Name] && !isEnded(t) {
				seen[t.Name] = true
				names, next = append(names, t.Name), append(next, t.Name)
			}
		}
	}
	return names
}

// chain returns a task with its dependencies and open dependents, direct and indirect.
func (s *State) chain(name string) map[string]bool {
	keep := map[string]bool{name: true}
	for _, n := range s.openDependents(name) {
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
func (s *State) plan(chosen string) *queries.PlanProgress {
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

// graphTasks returns the tasks of a plan in the form for the layout.
func (s *State) graphTasks(plan string) (tasks []graphlayout.Task) {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Plan == plan {
			tasks = append(tasks, graphlayout.Task{Name: t.Name, Title: t.Title, Phase: t.Phase, Stage: t.Stage, Holder: s.worker(t), Needs: t.Needs, Gate: t.Gate})
		}
	}
	return tasks
}

// worker returns the name of the session that works on a task, or of its holder in another clone.
func (s *State) worker(t *queries.DashTask) string {
	for i := range s.Sessions {
		if s.Sessions[i].Task == t.Name {
			return agent(&s.Sessions[i])
		}
	}
	return t.Holder
}

// agent returns the short name of a session.
func agent(t *queries.Top) string {
	return cmp.Or(t.Host, t.Agent, "agent") + "/" + firstRunes(t.Name, 8)
}

// sign returns the sign of a task. The sign of its session has precedence if the session needs
// attention.
func (s *State) sign(t *queries.DashTask) attention.Sign {
	for i := range s.Sessions {
		if session := &s.Sessions[i]; session.Task == t.Name {
			if sign := s.agentSign(session); sign != attention.SignActive && !isEnded(t) {
				return sign
			}
		}
	}
	return attention.SignOf(t.Phase, t.Ready)
}

// agentSign returns the sign of a session.
func (s *State) agentSign(t *queries.Top) attention.Sign {
	if t.WaitsFor == resources.WaitsForPermission || t.WaitsFor == resources.WaitsForAnswer {
		return attention.SignAsks
	}
	for i := range s.Needs {
		if n := &s.Needs[i]; n.Rank == attention.Circles && n.Object == "session/"+t.Name {
			return attention.SignCircles
		}
	}
	if t.WaitsFor == resources.WaitsForInput {
		return attention.SignReady
	}
	return attention.SignActive
}

// signLook returns the look in which a sign is drawn.
func signLook(s attention.Sign) look {
	switch s {
	case attention.SignDone:
		return good
	case attention.SignActive:
		return working
	case attention.SignAsks:
		return urgent
	case attention.SignFailed, attention.SignCircles:
		return bad
	case attention.SignAbandoned:
		return quiet
	case attention.SignReady:
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
