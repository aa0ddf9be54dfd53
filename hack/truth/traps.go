package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A snare is the last thing that a world tries: a trap, in the session of a new agent.
type snare struct {
	Trap, Host, Role string
}

var (
	hosts = []string{"claude", "codex", "opencode"}
	// snareRoles lists the roles besides solo: those that ship, and one of a team's own.
	snareRoles = []string{"builder", "codebase-mapper", "coordinator", "debugger", "executor", "high-governance", "integration-checker", "investigator", "low-validator", "mid-coordinator", "phase-researcher", "plan-checker", "planner", "project-explorer", "project-researcher", "research-synthesizer", "roadmapper", "skeptic-validator", "supreme-coordinator", "verifier", "team-writer"}
)

// hardRoles contains the roles whose other rules change the way out of a trap.
var hardRoles = map[string]string{"too deep": "supreme-coordinator", "git reset": "builder", "in review": "builder", "another role's delegation": "executor"}

// newSnare picks any trap, host and role. Half of the roles are solo.
func newSnare(r *rand.Rand) snare {
	return snare{pick(r, slices.Sorted(maps.Keys(traps))...), pick(r, hosts...), pick(r, "solo", pick(r, snareRoles...))}
}

// snares lists each trap in each host, with role solo and with one of the others in turn.
func snares() (all []snare) {
	for n, host := range hosts {
		for i, name := range slices.Sorted(maps.Keys(traps)) {
			other := cmp.Or(hardRoles[name], snareRoles[(i+7*n)%len(snareRoles)])
			all = append(all, snare{name, host, "solo"}, snare{name, host, other})
		}
	}
	return all
}

// A trap is a call that some rule denies, in a scene of its own: task schema is free, task form waits for it, task free is
// free. In some roles another rule denies the call; its way out must work as well.
type trap struct {
	given func(*scene)
	call  attempt
	sub   bool // a subagent makes the call, whatever its role
}

// An attempt is a call in the words of no host.
type attempt struct{ does, what, more string }

// A scene is a world in which an agent meets a trap.
type scene struct {
	*run
	*session
	role string
}

var (
	write = func(file string) attempt { return attempt{"write", file, ""} }
	shell = func(command string) attempt { return attempt{"shell", command, ""} }
	fetch = attempt{"fetch", "https://example.com", ""}
	spawn = func(agent, prompt string) attempt { return attempt{"start", agent, prompt} }
	code  = write("src/a.go")
)

// traps lists the traps. Each rule of admission must deny a call of one of them, which package tests check.
var traps = map[string]trap{
	"recalled":              {func(s *scene) { s.handed("schema", `, "state": "recalled"`) }, code, true},
	"delegation done":       {func(s *scene) { s.handed("schema", `, "state": "done"`) }, shell("touch a"), true},
	"governed by sed":       {nil, shell("sed -i s/a/b/ .claude/settings.json"), false},
	"settings":              {nil, write(".claude/settings.json"), false},
	"a role":                {nil, write(".idumb/roles/solo.json"), false},
	"the user's key":        {nil, attempt{"read", ".idumb/run/api/token", ""}, false},
	"idumb patch config":    {nil, shell("idumb patch config -p '{}'"), false},
	"idumb allow":           {nil, shell("idumb allow ses-1"), false},
	"git push --force":      {nil, shell("git push --force origin main"), false},
	"git reset":             {nil, shell("git reset --hard"), false},
	"rm -rf":                {nil, shell("rm -rf src"), false},
	"a broken role":         {func(s *scene) { s.put("roles/"+s.role, "{") }, code, false},
	"a tool":                {nil, spawn("general-purpose", "task/free"), false},
	"a command":             {func(s *scene) { s.works("free", "") }, shell("make install"), false},
	"a path":                {nil, code, false},
	"a first tool":          {func(s *scene) { s.edit("roles/"+s.role, `"spec": {`, `"spec": {"firstTools": ["read"],`) }, fetch, false},
	"a primary":             {nil, spawn("idumb-coordinator", "task/free"), false},
	"its own terms":         {func(s *scene) { s.handed("schema", "") }, shell("idumb delegation revoke d"), true},
	"not handed":            {func(s *scene) { s.handed("schema", "") }, shell("idumb start free"), true},
	"handed, blocked":       {func(s *scene) { s.handed("form", "") }, code, true},
	"handed, planned":       {func(s *scene) { s.handed("schema", "") }, code, true},
	"held, started":         {func(s *scene) { s.elsewhere("schema") }, shell("idumb start schema"), false},
	"held":                  {func(s *scene) { s.elsewhere("schema") }, code, false},
	"the read-head":         {func(s *scene) { s.elsewhere("schema") }, write(".idumb/trajectory.json"), false},
	"a plan by sed":         {nil, shell("sed -i s/a/b/ .idumb/tasks/free.json"), false},
	"a plan by rm":          {nil, shell("rm .idumb/tasks/free.json"), false},
	"another role's":        {func(s *scene) { s.task("free", "planned", `, "assignedTo": "solo"`) }, shell("idumb start free"), false},
	"another role's, write": {func(s *scene) { s.works("free", `, "assignedTo": "coordinator"`) }, code, false},
	"too deep": {func(s *scene) {
		for i, above := range []string{`, "parent": "p2"`, `, "parent": "p3"`, ""} {
			s.put(fmt.Sprintf("sessions/p%d", i+1), `{"spec": {"host": "x"`+above+`}}`)
		}
		s.record("p1", "")
	}, spawn("general-purpose", "task/free"), true},
	"another role's delegation": {func(s *scene) { s.put("delegations/d", `{"spec": {"task": "free", "from": "solo", "to": "executor"}}`) }, spawn("idumb-investigator", "delegation/d"), false},
	"no task named":             {func(s *scene) { s.config(`"requireTodo": true`) }, spawn("general-purpose", "look around"), false},
	"nothing planned":           {func(s *scene) { s.drafts(); s.config(`"requirePlan": true`) }, code, false},
	"blocked":                   {func(s *scene) { s.record("", `, "activeTask": "form"`) }, code, false},
	"not started":               {func(s *scene) { s.record("", `, "activeTask": "schema"`) }, code, false},
	"in review":                 {func(s *scene) { s.task("schema", "review", ""); s.record("", `, "activeTask": "schema"`) }, code, false},
	"several":                   {func(s *scene) { s.task("schema", "active", ""); s.task("free", "active", "") }, code, false},
	"the task's tools":          {func(s *scene) { s.works("free", `, "allowedTools": ["read"]`) }, code, false},
	"the task's paths":          {func(s *scene) { s.works("free", `, "paths": ["docs/**"]`) }, code, false},
	"a delegation's tool":       {func(s *scene) { s.task("free", "active", ""); s.handed("free", `, "allowedTools": ["read"]`) }, code, true},
	"a lock":                    {func(s *scene) { s.task("schema", "active", `, "fileLocks": ["src/**"]`); s.works("free", "") }, code, false},
	"an unresolved decision": {func(s *scene) {
		s.put("decisions/e", `{"spec": {"title": "E"}}`)
		s.works("free", `, "decisions": ["e"]`)
	}, code, false},
	"an avoided package":          {func(s *scene) { s.avoids("moment"); s.works("free", "") }, shell("npm install moment"), false},
	"an avoided package, written": {func(s *scene) { s.avoids("x"); s.works("free", "") }, write("requirements.txt"), false},
	"accepting a decision":        {func(s *scene) { s.put("decisions/e", `{"spec": {"title": "E"}}`) }, shell("idumb decide accept e"), false},
	"a decision, by script":       {func(s *scene) { s.put("decisions/e", `{"spec": {"title": "E"}}`) }, shell("sed -i s/E/F/ .idumb/decisions/e.json"), false},
	"held by a comment": {func(s *scene) {
		s.works("free", "")
		s.put("comments/c-1", `{"spec": {"about": "task/free", "type": "instruction", "author": "person/ann", "hold": true, "body": "Which way?"}}`)
		s.file(".idumb/checkpoints/c-1.jsonl", `{"time":"2026-11-21T12:00:00Z","tool":"comment"}`+"\n")
	}, code, false},
	"a claim that expired": {func(s *scene) {
		s.works("free", "")
		s.lease("free", s.record("", `, "activeTask": "free"`), `, "team": {"claim": "confirmed", "until": "`+time.Now().UTC().Add(-time.Minute).Format(time.RFC3339)+`"}`)
	}, code, false},
	"a secret":              {nil, attempt{"write", ".idumb/mems/key.json", " ghp_0123456789abcdefghijklmnopqrstuvwxyz"}, false},
	"plans that are hidden": {func(s *scene) { s.file(".idumb/.gitignore", "/workplans/\n/tasks/\n"); s.works("free", "") }, code, false},
	"plans that git leaves out": {func(s *scene) {
		s.works("free", "")
		s.task("left", "planned", "")
		s.sh(s.run.main, `git add -f .idumb/tasks/left.json; git update-index --skip-worktree .idumb/tasks/left.json; echo src >.git/info/sparse-checkout; rm .idumb/tasks/left.json`)
	}, code, false},
	"a loop":                 {func(s *scene) { s.repeat(fetch, 12) }, fetch, false},
	"a plan that is a draft": {func(s *scene) { s.drafts() }, shell("idumb start free"), false},
}

// file writes a file of the repository as a user does.
func (s *scene) file(name, text string) {
	path := filepath.Join(s.repo.Dir, filepath.FromSlash(name))
	must(os.MkdirAll(filepath.Dir(path), 0o755))
	must(os.WriteFile(path, []byte(text), 0o644))
}

func (s *scene) put(object, text string) { s.file(".idumb/"+object+".json", text) }

func (s *scene) edit(object, old, replacement string) {
	data, err := os.ReadFile(s.repo.Path(filepath.FromSlash(object) + ".json"))
	must(err)
	s.put(object, strings.Replace(string(data), old, replacement, 1))
}

func (s *scene) task(name, state, more string) {
	s.put("tasks/"+name, `{"spec": {"workPlan": "p", "expectedOutput": "anything", "state": "`+state+`"`+more+`}}`)
}

// works makes a task active, and the agent's.
func (s *scene) works(name, more string) {
	s.task(name, "active", more)
	s.record("", `, "activeTask": "`+name+`"`)
}

func (s *scene) drafts() {
	s.put("workplans/p", `{"spec": {"title": "Plan p", "acceptance": ["it works"], "state": "draft"}}`)
}

func (s *scene) config(more string) { s.edit("config", `"spec": {`, `"spec": {`+more+`,`) }

// avoids decides that a package must not be added.
func (s *scene) avoids(name string) {
	s.put("decisions/e", `{"spec": {"title": "Not that", "state": "accepted", "avoids": ["`+name+`"], "onViolation": "deny"}}`)
}

// handed puts the agent under a delegation of a task.
func (s *scene) handed(task, more string) {
	s.put("delegations/d", `{"spec": {"task": "`+task+`", "from": "ann", "to": "`+s.role+`"`+more+`}}`)
	s.record("", `, "delegation": "d"`)
}

// elsewhere makes a task active in the session of another host.
func (s *scene) elsewhere(name string) {
	s.task(name, "active", "")
	s.lease(name, "s-9", "")
}

func (s *scene) lease(task, session, more string) {
	now := time.Now().UTC().Format(time.RFC3339)
	s.file(".git/idumb/leases/"+task+".json", `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Lease", "metadata": {"name": "`+task+`"},
		"spec": {"holder": {"session": "`+session+`", "host": "x", "person": "ann", "machine": "laptop", "worktree": "/elsewhere"},
		"acquireTime": "`+now+`", "renewTime": "`+now+`", "duration": "30m0s", "transitions": 0`+more+`}}`)
}

// record writes the agent's session below the given one, and returns its name.
func (s *scene) record(parent, more string) string {
	name := s.Name
	if s.Parent != "" && s.Host != "opencode" {
		name = s.Parent + "." + s.Name
	}
	if parent = cmp.Or(parent, s.Parent); parent != "" {
		more = `, "parent": "` + parent + `"` + more
	}
	s.put("sessions/"+name, `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Session", "metadata": {"name": "`+name+`"}, "spec": {"host": "`+s.Host+`"`+more+`}}`)
	return name
}

func (s *scene) repeat(a attempt, times int) {
	for range times {
		s.try(a)
	}
}

// hostTools contains the names of tools by host.
var hostTools = map[string]map[string]string{
	"claude":   {"write": "Write", "shell": "Bash", "fetch": "WebFetch", "start": "Agent", "read": "Read", "grep": "Grep"},
	"codex":    {"write": "apply_patch", "shell": "Bash", "fetch": "mcp__web__fetch_page", "start": "collaborationspawn_agent", "read": "view_image", "grep": "Bash"},
	"opencode": {"write": "write", "shell": "bash", "fetch": "webfetch", "start": "task", "read": "read", "grep": "grep"},
}

func (a attempt) arguments(host, root string) map[string]any {
	file := filepath.Join(root, a.what)
	switch a.does + " " + host {
	case "write claude", "write opencode":
		return map[string]any{"file_path": file, "filePath": file, "content": "x" + a.more}
	case "write codex":
		return map[string]any{"command": "*** Begin Patch\n*** Add File: " + a.what + "\n+x" + a.more + "\n*** End Patch"}
	case "start claude", "start opencode":
		return map[string]any{"subagent_type": a.what, "prompt": a.more, "description": "d"}
	case "start codex":
		return map[string]any{"agent_type": a.what, "message": a.more, "task_name": "d"}
	}
	switch a.does {
	case "shell":
		return map[string]any{"command": a.what}
	case "read":
		return map[string]any{"file_path": file, "filePath": file, "path": file}
	}
	return map[string]any{"url": a.what, "pattern": "x", "command": "grep x README.md"}
}

// try asks the gate about a call, which then does nothing.
func (s *scene) try(a attempt) (string, bool) {
	return s.call(s.session, hostTools[s.Host][a.does], a.arguments(s.Host, s.repo.Dir), func(string) (string, bool) { return "", true })
}

// snare builds the scene of the world's trap, meets it, and follows each way out.
func (r *run) snare() {
	t, ok := traps[r.w.Snare.Trap]
	if !ok {
		return
	}
	r.snared = true
	s := &scene{r, &session{agent: &agent{Name: "prey", Host: r.w.Snare.Host}, repo: r.main}, r.w.Snare.Role}
	if s.role != "solo" && s.role != "coordinator" || t.sub {
		s.Parent = "above"
	}
	switch {
	case s.Host == "codex" && s.Parent != "":
		s.Kind = map[string]string{"executor": "worker", "investigator": "explorer"}[s.role]
	case s.Parent != "":
		s.Kind = "idumb-" + s.role
	case s.Host == "opencode":
		s.Kind = "build"
	}
	if len(r.w.Agents) > 0 {
		r.sh(r.main, `idumb init --agent none --roles full`)
	}
	s.put("config", `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Config", "metadata": {"name": "config"}, "spec": {"defaultRole": "`+s.role+`"}}`)
	s.put("roles/team-writer", `{"spec": {"agents": ["idumb-team-writer"], "paths": {"write": ["docs/**"]}, "shell": {"allow": ["git log", "idumb"]}}}`)
	s.put("workplans/p", `{"spec": {"title": "Plan p", "acceptance": ["it works"], "state": "active"}}`)
	s.task("schema", "planned", "")
	s.task("form", "planned", `, "dependsOn": ["schema"]`)
	s.task("free", "planned", "")
	s.file("README.md", "x\n")
	s.record("", "")
	if s.Host == "opencode" {
		d, err := s.repo.Talk("idumb-hook", "opencode", "--stdio")
		must(err)
		r.ends = append(r.ends, func() { _ = d.Close() })
		s.plugin = d
	} else {
		client, err := s.repo.NewClient()
		must(err)
		r.ends = append(r.ends, func() { _ = client.Close() })
		s.client = client
	}
	if t.given != nil {
		t.given(s)
	}
	if len(r.w.Agents) > 0 {
		r.sh(r.main, `idumb trust`)
	}
	s.leave(r.w.Snare.Trap, t.call)
	events, err := filepath.Glob(r.main.Path("events", "*.jsonl"))
	must(err)
	for _, file := range events {
		data, err := os.ReadFile(file)
		must(err)
		for _, m := range deniedBy.FindAllStringSubmatch(string(data), -1) {
			r.stats["rule: "+m[1]]++
		}
	}
}

var (
	deniedBy    = regexp.MustCompile(`"reason":"Denied".*? \(([a-z-]+)\)"`)
	startsAgent = regexp.MustCompile(`[Ss]tart the agent "([^"]+)"`)
	inPrompt    = regexp.MustCompile(`with ((?:delegation|task)/[a-z0-9-]+) in its prompt`)
	usesTool    = regexp.MustCompile(`^Use "([^"]+)"`)
	// inWords matches steps that are no call of a tool that is named.
	inWords = regexp.MustCompile(`^(Report |Do it yourself|Make a different call|Write |Name |Use your edit tool|Change it with your edit tool|Work on |Take |Do not add it|Repeat the call|If you cannot|Meet the rule|Delete only )`)
)

// leave makes a call and follows each denial, until the call passes or the text names another act.
func (s *scene) leave(name string, a attempt) {
	before := ""
	for range 3 {
		text, passed := s.try(a)
		if passed {
			s.stats["ways out of traps"] += min(len(before), 1)
			return
		}
		step := instead(text)
		if step == before {
			s.falsehood("trap "+name+": USE INSTEAD leads in a circle", text, "denied after "+before)
			return
		}
		before = step
		switch did, looked, wrong := s.follow(&a, text); {
		case wrong != "":
			s.falsehood("trap "+name+": a step of USE INSTEAD is refused", text, wrong)
			return
		case !did && !looked && !cannot.MatchString(step) && !inWords.MatchString(step):
			s.falsehood("trap "+name+": USE INSTEAD names nothing to do", text, "no command, and no word that it cannot be done")
			return
		case !strings.Contains(step, "then write") && !strings.Contains(strings.ToLower(step), "repeat the call"):
			return
		}
	}
	s.falsehood("trap "+name+": USE INSTEAD leads in a circle", before, "denied after two steps")
}

// follow does what a denial says. It adds to the attempt what its prompt lacks.
func (s *scene) follow(a *attempt, text string) (did, looked bool, wrong string) {
	step := instead(text)
	if m := usesTool.FindStringSubmatch(step); m != nil {
		if text, passed := s.try(attempt{m[1], "README.md", ""}); !passed {
			return true, false, "the tool " + m[1] + " may not be used: " + text
		}
		return true, false, ""
	}
	if did, looked, wrong = s.obey(s.session, text); wrong != "" {
		return did, looked, wrong
	}
	prompt := inPrompt.FindStringSubmatch(step)
	if m := startsAgent.FindStringSubmatch(step); m != nil {
		words := "task/free"
		if prompt != nil {
			words = prompt[1]
		}
		if text, passed := s.try(spawn(m[1], words)); !passed {
			return true, looked, "the agent " + m[1] + " may not be started: " + text
		}
		return true, looked, ""
	}
	if prompt != nil {
		a.more += " " + prompt[1]
		did = true
	}
	return did, looked, ""
}

// openCode sends an event to the hook as the plugin of OpenCode does.
func (s *session) openCode(name string, fields map[string]any) (a drive.Answer) {
	line := map[string]any{"hook": map[string]string{"PreToolUse": "tool.before", "PostToolUse": "tool.after", "PostToolUseFailure": "tool.after"}[name],
		"session": s.Name, "parent": s.Parent, "agent": s.Kind, "directory": s.repo.Dir, "tool": fields["tool_name"], "args": fields["tool_input"], "call": fields["tool_use_id"]}
	got, err := s.plugin.Ask(line)
	must(err)
	if a.Reason, _ = got["deny"].(string); a.Reason != "" {
		a.Decision = "deny"
	}
	return a
}
