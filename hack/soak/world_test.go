package soak

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// newWorld makes a world with fixed roles and everything else at random.
func newWorld(r *rand.Rand) *world {
	w := &world{
		mode: "enforce", decision: "accepted", unknownLeast: true, defaultRole: "solo", trusted: true, least: "guest",
		plans: map[string]string{"p": "active", "q": "active"}, tasks: map[string]*task{}, on: map[string]string{}, owners: map[string]string{}, known: map[string]bool{}, against: map[string]int{},
		roles: map[string]*role{
			"solo":         {},
			"coordinator":  {primary: true, to: []string{"executor", "investigator"}, deny: []string{"write", "edit"}, runNot: []string{"git push", "rm"}, writes: []string{"docs/"}},
			"executor":     {level: 2, agents: []string{"exec-*", "General"}, writes: []string{"src/", "tests/"}, runNot: []string{"git push"}, notIdumb: []string{"idumb create delegation"}},
			"investigator": {level: 2, agents: []string{"Explore"}, allow: []string{"read", "grep", "bash", "webfetch"}, run: []string{"ls", "git log", "cat"}, runIdumb: []string{"idumb create mem"}},
			"guest":        {level: 3, allow: []string{"read"}, writesNot: []string{"*"}, run: []string{"ls"}},
		},
	}
	for i := range 10 {
		w.tasks[taskNames[i]] = randomTask(r, i)
	}
	return w
}

var taskNames = [...]string{"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"}

// agents are the names that sessions act under; solo's is the empty one.
var agents = [...]string{"", "executor", "exec-7", "investigator", "Explore", "stranger", "build", "guest", "coordinator", "General", "EXECUTOR"}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// randomTask makes a task that may wait for those before it.
func randomTask(r *rand.Rand, i int) *task {
	t := &task{
		plan: pick(r, "p", "p", "q"), state: pick(r, "planned", "planned", "active", "active", "completed", "completed", "failed", "abandoned"),
		proved: r.IntN(4) > 0, assigned: pick(r, "", "", "", "executor", "Ann", "exec-7", "Explore", "s1", "s5", "s6", "guest", "solo"),
	}
	for range r.IntN(3) {
		if i > 0 && r.IntN(3) == 0 {
			t.after = append(t.after, taskNames[r.IntN(i)])
		}
	}
	slices.Sort(t.after)
	t.after = slices.Compact(t.after)
	if i > 0 && r.IntN(6) == 0 {
		t.gate = taskNames[r.IntN(i)]
	}
	if r.IntN(12) == 0 {
		t.after = append(t.after, "gone")
	}
	t.hangs = r.IntN(8) == 0
	switch r.IntN(6) {
	case 0:
		t.tools = []string{"read", "write"}
	case 1:
		t.tools = []string{"edit", "bash", "read"}
	case 2:
		t.paths = []string{"src/"}
	case 3:
		t.paths = []string{"docs/", "src/a.go"}
	case 4:
		t.locks = []string{"src/a.go", "tests/"}
	}
	return t
}

// change changes the world a little, as people and other agents do.
func (w *world) change(r *rand.Rand) {
	switch i := r.IntN(10); r.IntN(9) {
	case 8:
		w.decision = pick(r, "accepted", "accepted", "proposed", "rejected")
	case 0, 1, 2:
		w.tasks[taskNames[i]] = randomTask(r, i)
	case 3:
		w.tasks[taskNames[i]].state = pick(r, "planned", "active", "completed", "failed")
	case 4:
		w.plans[pick(r, "p", "q")] = pick(r, "active", "active", "draft", "completed", "abandoned")
	case 5:
		w.mode, w.requirePlan = pick(r, "enforce", "enforce", "enforce", "enforce", "log", "off"), r.IntN(3) == 0
	case 6:
		w.unknownLeast, w.defaultRole = r.IntN(3) > 0, pick(r, "solo", "solo", "executor")
	case 7:
		delete(w.on, fmt.Sprintf("s%d", i)) // its record is lost
		delete(w.known, fmt.Sprintf("s%d", i))
	}
}

// write lays the world out as files, but for the records of sessions, which the gate keeps.
func (w *world) write(root string) error {
	objects := map[string]any{"config": map[string]any{"mode": w.mode, "requirePlan": w.requirePlan, "defaultRole": w.defaultRole, "unknownAgents": pickIf(w.unknownLeast, "least", "default")}}
	objects["decisions/d"] = map[string]any{"title": "No moment", "state": w.decision, "avoids": []string{"moment"}, "onViolation": "deny"}
	for name, state := range w.plans {
		objects["workplans/"+name] = map[string]any{"title": name, "acceptance": []string{"done"}, "state": state}
	}
	for name, r := range w.roles {
		objects["roles/"+name] = r.spec()
	}
	for name, t := range w.tasks {
		objects["tasks/"+name] = t.spec()
	}
	for name, spec := range objects {
		data, err := json.Marshal(map[string]any{"spec": spec})
		if err != nil {
			return err
		}
		file := filepath.Join(root, ".idumb", filepath.FromSlash(name)+".json")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if old, err := os.ReadFile(file); err == nil && string(old) == string(data) {
			continue
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	for i := range 10 {
		if name := fmt.Sprintf("s%d", i); !w.known[name] {
			_ = os.Remove(filepath.Join(root, ".idumb", "sessions", name+".json"))
		}
	}
	return nil
}

func pickIf(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func (t *task) spec() map[string]any {
	spec := map[string]any{"workPlan": t.plan, "expectedOutput": "o", "state": t.state, "assignedTo": t.assigned, "dependsOn": t.after, "allowedTools": t.tools, "paths": globs(t.paths), "fileLocks": globs(t.locks)}
	if t.hangs {
		spec["decisions"] = []string{"d"}
	}
	if t.gate != "" {
		spec["temporalGate"] = map[string]any{"after": t.gate, "reason": "first things first"}
	}
	if t.proved && t.state == "completed" {
		spec["result"] = map[string]any{"evidence": "seen"}
	}
	return spec
}

func (r *role) spec() map[string]any {
	spec := map[string]any{
		"level": r.level, "agents": r.agents, "delegatesTo": r.to, "tools": map[string]any{"allow": r.allow, "deny": r.deny},
		"paths": map[string]any{"write": globs(r.writes), "deny": globs(r.writesNot)},
		"shell": map[string]any{"allow": slices.Concat(r.run, r.runIdumb), "deny": slices.Concat(r.runNot, r.notIdumb)},
	}
	if r.primary {
		spec["mode"] = "primary"
	}
	return spec
}

// globs spells the model's rules for files as resources do.
func globs(rules []string) []string {
	var all []string
	for _, rule := range rules {
		switch {
		case rule == "*":
			rule = "**"
		case rule[len(rule)-1] == '/':
			rule += "**"
		}
		all = append(all, rule)
	}
	return all
}
