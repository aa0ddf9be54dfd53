package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A model contains the facts that are true for the readers of one worktree. It is written from the
// design document and calls no function of the product. If the design leaves a case open, the model
// answers maybe, and no statement is compared with it.
type model struct {
	w        *world
	tasks    map[string]*task
	plans    map[string]*plan
	holder   map[string]string   // task -> main agent of the session that owns it
	current  map[string]string   // agent -> task that it last started or wrote for
	delegate map[string]handover // subagent -> its delegation
	handed   []*delegation       // delegations that were made in the run
	ended    map[string]bool     // tasks that were completed or abandoned in another worktree: the answer is maybe
	damaged  bool                // Missing or Broken is in effect
	beside   map[string]*task    // tasks of the other worktree
}

// A delegation is a delegated task.
type delegation struct {
	Name, Task, From, To string
	Giver                string // main agent that made it, empty for the user
	Delegate             string // subagent that works under it, or empty
	Recalled             bool
}

type answer int

const (
	no answer = iota
	maybe
	yes
)

// readTasks reads the tasks and plans of a worktree from their files.
func readTasks(dir string) (map[string]*task, map[string]*plan) {
	tasks, plans := map[string]*task{}, map[string]*plan{}
	each(filepath.Join(dir, ".idumb", "tasks"), func(name string, data []byte) {
		var f struct {
			Spec struct {
				WorkPlan, State, Parent, AssignedTo, Priority string
				DependsOn, Paths, FileLocks, Decisions        []string
				PlanAhead                                     bool
				TemporalGate                                  struct{ After string }
				Result                                        struct{ Evidence string }
			}
		}
		if json.Unmarshal(data, &f) != nil {
			return
		}
		s := f.Spec
		t := &task{Name: name, Plan: s.WorkPlan, State: s.State, Parent: s.Parent, Gate: s.TemporalGate.After, Assigned: s.AssignedTo, Priority: s.Priority, After: s.DependsOn, Paths: s.Paths, Locks: s.FileLocks, Decides: len(s.Decisions) > 0, Ahead: s.PlanAhead, Proved: s.Result.Evidence != ""}
		if t.State == "" {
			t.State = "planned"
		}
		tasks[name] = t
	})
	each(filepath.Join(dir, ".idumb", "workplans"), func(name string, data []byte) {
		var f struct {
			Spec struct {
				State     string
				DependsOn []string
			}
		}
		if json.Unmarshal(data, &f) == nil {
			plans[name] = &plan{Name: name, State: f.Spec.State, After: f.Spec.DependsOn}
		}
	})
	return tasks, plans
}

func each(dir string, do func(name string, data []byte)) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			do(strings.TrimSuffix(filepath.Base(file), ".json"), data)
		}
	}
}

func open(t *task) bool {
	return t != nil && (t.State == "planned" || t.State == "active" || t.State == "review")
}

// unread reports whether the file of a task is missing or torn: its last good version counts.
func (m *model) unread(name string) bool {
	return m.damaged && (name == m.w.Missing || name == m.w.Broken)
}

// phase derives the phase of a task. It returns "" if the phase is not certain.
func (m *model) phase(name string) string {
	t := m.tasks[name]
	switch {
	case t == nil || m.unread(name):
		return ""
	case t.State == "completed" && !t.Proved:
		return "review"
	case t.State != "planned" && t.State != "active":
		return t.State
	case len(m.blockers(t)) > 0:
		return "blocked"
	}
	return t.State
}

// blockers lists the unmet dependencies of a task.
func (m *model) blockers(t *task) []string {
	found := m.prerequisites(t)
	if p := m.plans[t.Plan]; p == nil || p.State == "abandoned" || p.State == "archived" {
		found = append(found, "workplan/"+t.Plan)
	} else {
		for _, first := range p.After {
			if q := m.plans[first]; q == nil || q.State != "completed" {
				found = append(found, "workplan/"+first)
			}
		}
	}
	seen := map[string]bool{t.Name: true}
	for up := m.tasks[t.Parent]; up != nil && !seen[up.Name] && (up.State == "planned" || up.State == "active"); up = m.tasks[up.Parent] {
		seen[up.Name] = true
		others := slices.DeleteFunc(m.prerequisites(up), func(name string) bool { return m.partOf(name, up.Name) })
		if len(others) > 0 || up.Plan != t.Plan && m.plans[up.Plan] != nil && len(m.plans[up.Plan].After) > 0 {
			found = append(found, t.Parent)
			break
		}
	}
	return found
}

// prerequisites lists the tasks and decisions that a task itself waits for.
func (m *model) prerequisites(t *task) []string {
	var found []string
	for _, name := range append(slices.Clone(t.After), t.Gate) {
		if first := m.tasks[name]; name != "" && (first == nil || first.State != "completed" || !first.Proved) {
			found = append(found, name)
		}
	}
	if t.Decides && m.w.Undecided {
		found = append(found, "d")
	}
	return found
}

// partOf reports whether a task is a part of another one, at any depth. A parent that waits for its
// parts does not block them.
func (m *model) partOf(name, of string) bool {
	for range len(m.tasks) {
		t := m.tasks[name]
		if t == nil || t.Parent == "" {
			return false
		}
		if name = t.Parent; name == of {
			return true
		}
	}
	return false
}

// deadlocked lists the open tasks that wait for a cycle. It completes tasks as long as one is free,
// as if all other obstacles (decisions, abandoned tasks, missing files) were removed.
func (m *model) deadlocked() []string {
	trial := model{w: &world{}, tasks: map[string]*task{}, plans: map[string]*plan{}}
	for name, t := range m.tasks {
		c := *t
		c.After = slices.DeleteFunc(slices.Clone(t.After), func(n string) bool { return !open(m.tasks[n]) })
		if !open(m.tasks[c.Gate]) {
			c.Gate = ""
		}
		if open(t) {
			c.State = "planned"
		}
		trial.tasks[name] = &c
	}
	for name, p := range m.plans {
		c := *p
		c.After, c.State = slices.DeleteFunc(slices.Clone(p.After), func(n string) bool { return m.plans[n] == nil }), "active"
		trial.plans[name] = &c
	}
	for moved := true; moved; {
		moved = false
		for _, t := range trial.tasks {
			if t.State == "planned" && len(trial.blockers(t)) == 0 {
				t.State, t.Proved, moved = "completed", true, true
			}
		}
		for name, p := range trial.plans {
			if p.State == "active" && !slices.ContainsFunc(slices.Collect(maps.Values(trial.tasks)), func(t *task) bool { return t.Plan == name && t.State == "planned" }) {
				p.State, moved = "completed", true
			}
		}
	}
	var stuck []string
	for name, t := range trial.tasks {
		if t.State == "planned" {
			stuck = append(stuck, name)
		}
	}
	slices.Sort(stuck)
	return stuck
}

// problem returns a problem that the programs must report, empty if there is no problem.
func (m *model) problem() string {
	switch stuck := m.deadlocked(); {
	case m.w.Sync == "elsewhere":
		return "the team shares its plans, and this clone does not"
	case m.damaged && m.w.Missing != "":
		return "the committed file of open task " + m.w.Missing + " is removed"
	case m.damaged && m.w.Broken != "":
		return "the file of task " + m.w.Broken + " is torn"
	case len(stuck) > 0:
		return "a cycle holds back " + strings.Join(stuck, ", ")
	}
	return ""
}

// roles lists the roles in the generated worlds.
var roles = []string{"solo", "executor", "scribe", "clerk"}

// startsTasks reports whether a role allows idumb start.
func startsTasks(role string) bool { return role != "clerk" && role != "coordinator" }

// foreign reports whether a task is assigned to another role than the agent's. A task of a user
// or of a host's agent is not foreign.
func (m *model) foreign(a *agent, t *task) bool {
	return slices.Contains(roles, t.Assigned) && t.Assigned != m.w.role(a)
}

// otherHolder returns the agent of another session that owns a task, or "".
func (m *model) otherHolder(a *agent, name string) string {
	if h := m.holder[name]; h != "" && (a == nil || h != m.w.owner(a)) {
		return h
	}
	return ""
}

// handedAway returns the open delegation of a task in which an agent takes no part, or nil. The
// agents of the giver's session and of the delegate's take part. Without a delegate, the addressed
// role may begin, and so may the role on whose behalf a user made it.
func (m *model) handedAway(a *agent, name string) *delegation {
	for _, d := range m.handed {
		switch owner, role := m.w.owner(a), m.w.role(a); {
		case d.Task != name || d.Recalled:
		case d.Giver == owner:
		case d.Delegate != "" && m.w.owner(m.w.agent(d.Delegate)) == owner:
		case d.Delegate == "" && (role == d.To || d.Giver == "" && role == d.From):
		default:
			return d
		}
	}
	return nil
}

// mayStart answers whether an agent may start a task.
func (m *model) mayStart(a *agent, name string) (answer, string) {
	t, d, delegated := m.tasks[name], m.delegate[a.Name], false
	if d.Task != "" {
		delegated = true
	}
	switch phase := m.phase(name); {
	case t == nil:
		return no, "it does not exist"
	case m.unread(name) || m.ended[name]:
		return maybe, ""
	case !startsTasks(m.w.role(a)):
		return no, "role " + m.w.role(a) + " starts no tasks"
	case delegated && !d.Recalled && m.partOf(name, d.Task):
		return maybe, ""
	case delegated && (d.Task != name || d.Recalled):
		return no, "the delegation does not cover it"
	case m.otherHolder(a, name) != "" && !delegated:
		return no, "it is held by " + m.otherHolder(a, name)
	case !delegated && m.foreign(a, t):
		return no, "it is assigned to " + t.Assigned
	case !delegated && m.handedAway(a, name) != nil:
		return no, "it is handed to " + m.handedAway(a, name).To
	case phase == "blocked":
		return no, "it is blocked by " + strings.Join(m.blockers(t), ", ")
	case phase == "abandoned" || phase == "completed":
		return no, "it is " + phase
	case m.plans[t.Plan].State == "draft" && m.w.role(a) != "investigator":
		return no, "its plan is a draft"
	case t.State == "completed" || phase == "failed" || phase == "review" || t.Ahead || t.State == "active" && m.holder[name] == "" || m.w.role(a) == "investigator" || m.plans[t.Plan].State != "active":
		return maybe, ""
	}
	return yes, ""
}

// startable lists the tasks that an agent may start for certain and that are proposed.
func (m *model) startable(a *agent) []string {
	var found []string
	for name, t := range m.tasks {
		if may, _ := m.mayStart(a, name); may == yes && t.State == "planned" {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// ready reports whether a task may be proposed: planned, not blocked, no owner.
func (m *model) ready(name string) bool {
	return m.phase(name) == "planned" && m.holder[name] == "" || m.unread(name)
}

// work returns the task for which an agent writes. sure is false if the design leaves it open.
func (m *model) work(a *agent) (name string, sure bool) {
	if d, ok := m.delegate[a.Name]; ok {
		return d.Task, true
	}
	if t := m.tasks[m.current[a.Name]]; t != nil && t.State == "active" {
		return t.Name, m.otherHolder(a, t.Name) == "" && !m.foreign(a, t)
	}
	var candidates []string
	sure = m.current[a.Name] == "" // otherwise the task of the session has ended
	for n, t := range m.tasks {
		if m.unread(n) || t.State == "active" && (m.plans[t.Plan].State != "active" || m.phase(n) == "blocked") {
			sure = false
		}
		if t.State == "active" && m.otherHolder(a, n) == "" && !m.foreign(a, t) {
			candidates = append(candidates, n)
		}
	}
	switch len(candidates) {
	case 0:
		return "", sure
	case 1: // a session inherits it, unless another one did so before
		return candidates[0], sure && a.Parent == "" && (m.holder[candidates[0]] != "" || len(m.w.Agents) == 1)
	}
	return candidates[0], false
}

// mayWrite answers whether an agent may write a file now.
func (m *model) mayWrite(a *agent, file string) (answer, string) {
	if !m.writes(a, file) {
		return no, "role " + m.w.role(a) + " does not write it"
	}
	if m.w.Sync == "elsewhere" {
		return maybe, ""
	}
	if m.delegate[a.Name].Recalled {
		return no, "its delegation is recalled"
	}
	name, sure := m.work(a)
	t := m.tasks[name]
	switch {
	case !sure || t != nil && (m.unread(name) || m.plans[t.Plan].State != "active"):
		return maybe, ""
	case t == nil && !m.planned():
		return maybe, ""
	case t == nil:
		return no, "no active task is its own"
	case m.phase(name) != "active":
		return no, "its task " + name + " is " + m.phase(name)
	case len(t.Paths) > 0 && !slices.Contains(t.Paths, file):
		return no, file + " is outside task " + name
	}
	result, why := yes, ""
	for n, o := range m.tasks {
		if n == name || !open(o) {
			continue
		}
		unclear := m.unread(n) || m.plans[o.Plan].State != "active" || o.State == "review" || o.Ahead ||
			o.State == "active" && m.holder[n] == "" || // a session may have inherited it
			m.partOf(name, n) // a part of it is written in its files
		switch {
		case slices.Contains(t.Locks, file) || slices.Contains(o.Locks, file) && (unclear || slices.Contains(t.Paths, file)):
			result = min(result, maybe)
		case slices.Contains(o.Locks, file):
			result, why = no, file+" is locked by "+n
		case slices.Contains(o.Paths, file) && !slices.Contains(t.Paths, file) && unclear:
			result = min(result, maybe)
		case slices.Contains(o.Paths, file) && !slices.Contains(t.Paths, file) && (m.phase(n) == "blocked" || m.otherHolder(a, n) != ""):
			result, why = no, file+" is in the paths of "+n
		}
	}
	return result, why
}

// writes reports whether the role of an agent writes a file.
func (m *model) writes(a *agent, file string) bool {
	switch m.w.role(a) {
	case "investigator":
		return false
	case "scribe":
		return strings.HasPrefix(file, "docs/")
	case "clerk":
		return strings.HasPrefix(file, "src/")
	}
	return true
}

// planned reports whether an active plan has an open task.
func (m *model) planned() bool {
	for _, t := range m.tasks {
		if p := m.plans[t.Plan]; p != nil && p.State == "active" && open(t) {
			return true
		}
	}
	return false
}

// way returns a task that allows an agent to write a file after its start, or "".
func (m *model) way(a *agent, file string) string {
	for _, name := range m.startable(a) {
		after := *m
		after.tasks, after.current, after.holder = maps.Clone(m.tasks), maps.Clone(m.current), maps.Clone(m.holder)
		started := *m.tasks[name]
		started.State = "active"
		after.tasks[name], after.current[a.Name], after.holder[name] = &started, name, m.w.owner(a)
		if may, _ := after.mayWrite(a, file); may == yes {
			return name
		}
	}
	return ""
}
