package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// denied is how a denial is provoked.
type denied struct {
	given  func(*scene)
	call   attempt
	times  int    // how often the call is made before it is denied
	config string // more of config.json's spec
	sub    bool   // by a subagent, whatever the role
}

// denials is the table of the driver. Some of them meet another rule first in some roles; what
// that says is obeyed as well.
var denials = map[string]denied{
	"recalled":           {func(s *scene) { s.handed("db-schema", `, "state": "recalled"`) }, attempt{does: "write", what: "src/a.go"}, 1, "", true},
	"delegation done":    {func(s *scene) { s.handed("db-schema", `, "state": "done"`) }, attempt{does: "shell", what: "touch a"}, 1, "", true},
	"governed by sed":    {nil, attempt{does: "shell", what: "sed -i s/a/b/ .claude/settings.json"}, 1, "", false},
	"settings":           {nil, attempt{does: "write", what: ".claude/settings.json"}, 1, "", false},
	"a role":             {nil, attempt{does: "write", what: ".idumb/roles/solo.json"}, 1, "", false},
	"the user's key":     {nil, attempt{does: "read", what: ".idumb/run/api/token"}, 1, "", false},
	"idumb patch config": {nil, attempt{does: "shell", what: "idumb patch config -p '{}'"}, 1, "", false},
	"idumb allow":        {nil, attempt{does: "shell", what: "idumb allow ses-1"}, 1, "", false},
	"git push --force":   {nil, attempt{does: "shell", what: "git push --force origin main"}, 1, "", false},
	"git reset":          {nil, attempt{does: "shell", what: "git reset --hard"}, 1, "", false},
	"rm -rf":             {nil, attempt{does: "shell", what: "rm -rf src"}, 1, "", false},
	"a broken role":      {func(s *scene) { s.write(".idumb/roles/"+s.role+".json", "{") }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"a tool":             {nil, attempt{"start", "general-purpose", "task/free"}, 1, "", false},
	"a command":          {func(s *scene) { s.idumb("start", "free") }, attempt{does: "shell", what: "make install"}, 1, "", false},
	"a path":             {nil, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"a first tool": {func(s *scene) {
		s.replaced(".idumb/roles/"+s.role+".json", `"spec": {`, `"spec": {"firstTools": ["read"],`)
	}, attempt{does: "fetch", what: "https://example.com"}, 1, "", false},
	"a primary":             {nil, attempt{"start", "idumb-coordinator", "task/free"}, 1, "", false},
	"its own terms":         {func(s *scene) { s.handed("db-schema", "") }, attempt{does: "shell", what: "idumb delegation revoke d"}, 1, "", true},
	"not handed":            {func(s *scene) { s.handed("db-schema", "") }, attempt{does: "shell", what: "idumb start free"}, 1, "", true},
	"handed, and blocked":   {func(s *scene) { s.handed("login-form", "") }, attempt{does: "write", what: "src/a.go"}, 1, "", true},
	"handed, not started":   {func(s *scene) { s.handed("db-schema", "") }, attempt{does: "write", what: "src/a.go"}, 1, "", true},
	"a user's, started":     {func(s *scene) { s.elsewhere("db-schema") }, attempt{does: "shell", what: "idumb start db-schema"}, 1, "", false},
	"a user's":              {func(s *scene) { s.elsewhere("db-schema") }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"the read-head":         {func(s *scene) { s.elsewhere("db-schema") }, attempt{does: "write", what: ".idumb/trajectory.json"}, 1, "", false},
	"a plan by sed":         {nil, attempt{does: "shell", what: "sed -i s/a/b/ .idumb/tasks/free.json"}, 1, "", false},
	"a plan by rm":          {nil, attempt{does: "shell", what: "rm .idumb/tasks/free.json"}, 1, "", false},
	"another role's":        {func(s *scene) { s.assign("free", "solo", "planned") }, attempt{does: "shell", what: "idumb start free"}, 1, "", false},
	"another role's, write": {func(s *scene) { s.assign("free", "coordinator", "active"); s.record(`, "activeTask": "free"`) }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"too deep": {func(s *scene) {
		s.write(".idumb/sessions/p1.json", `{"spec": {"host": "x", "parent": "p2"}}`)
		s.write(".idumb/sessions/p2.json", `{"spec": {"host": "x", "parent": "p3"}}`)
		s.write(".idumb/sessions/p3.json", `{"spec": {"host": "x"}}`)
		s.record("")
		name := ".idumb/sessions/" + s.session() + ".json"
		text := s.read(name)
		before, rest, _ := strings.Cut(text, `"parent": "`)
		_, rest, _ = strings.Cut(rest, `"`)
		s.write(name, before+`"parent": "p1"`+rest)
	}, attempt{"start", "general-purpose", "task/free"}, 1, "", true},
	"another role's delegation": {func(s *scene) {
		s.write(".idumb/delegations/d.json", `{"spec": {"task": "free", "from": "solo", "to": "executor"}}`)
	}, attempt{"start", "idumb-investigator", "delegation/d"}, 1, "", false},
	"no task named":   {nil, attempt{"start", "general-purpose", "look around"}, 1, `, "requireTodo": true`, false},
	"nothing planned": {func(s *scene) { s.replaced(".idumb/workplans/user-auth.json", `"active"`, `"draft"`) }, attempt{does: "write", what: "src/a.go"}, 1, `, "requirePlan": true`, false},
	"blocked":         {func(s *scene) { s.record(`, "activeTask": "login-form"`) }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"not started":     {func(s *scene) { s.record(`, "activeTask": "db-schema"`) }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"in review":       {func(s *scene) { s.task("db-schema", "review", ""); s.record(`, "activeTask": "db-schema"`) }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"several":         {func(s *scene) { s.task("db-schema", "active", ""); s.task("free", "active", "") }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"the task's tools": {func(s *scene) {
		s.task("free", "active", `, "allowedTools": ["read"]`)
		s.record(`, "activeTask": "free"`)
	}, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"the task's paths":    {func(s *scene) { s.task("free", "active", `, "paths": ["docs/**"]`); s.record(`, "activeTask": "free"`) }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"a delegation's tool": {func(s *scene) { s.task("free", "active", ""); s.handed("free", `, "allowedTools": ["read"]`) }, attempt{does: "write", what: "src/a.go"}, 1, "", true},
	"a lock": {func(s *scene) {
		s.task("db-schema", "active", `, "fileLocks": ["src/**"]`)
		s.task("free", "active", "")
		s.record(`, "activeTask": "free"`)
	}, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"an unresolved decision": {func(s *scene) {
		s.write(".idumb/decisions/d.json", `{"spec": {"title": "D"}}`)
		s.task("free", "active", `, "decisions": ["d"]`)
		s.record(`, "activeTask": "free"`)
	}, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"an avoided package": {func(s *scene) {
		s.avoids("moment")
		s.task("free", "active", "")
		s.record(`, "activeTask": "free"`)
	}, attempt{does: "shell", what: "npm install moment"}, 1, "", false},
	"an avoided package, written": {func(s *scene) {
		s.avoids("x")
		s.task("free", "active", "")
		s.record(`, "activeTask": "free"`)
	}, attempt{does: "write", what: "requirements.txt"}, 1, "", false},
	"accepting a decision":  {func(s *scene) { s.write(".idumb/decisions/d.json", `{"spec": {"title": "D"}}`) }, attempt{does: "shell", what: "idumb decide accept d"}, 1, "", false},
	"a decision, by script": {func(s *scene) { s.write(".idumb/decisions/d.json", `{"spec": {"title": "D"}}`) }, attempt{does: "shell", what: "sed -i s/D/E/ .idumb/decisions/d.json"}, 1, "", false},
	"held by a comment": {func(s *scene) {
		s.task("free", "active", "")
		s.record(`, "activeTask": "free"`)
		s.write(".idumb/comments/c-1.json", `{"spec": {"about": "task/free", "type": "instruction", "author": "person/ann", "hold": true, "body": "Which way?"}}`)
		s.write(".idumb/checkpoints/c-1.jsonl", `{"time":"2026-11-21T12:00:00Z","tool":"comment"}`+"\n")
	}, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"a claim that ran out": {func(s *scene) { s.lapsed("free") }, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"a secret":             {nil, attempt{"write", ".idumb/mems/key.json", " ghp_0123456789abcdefghijklmnopqrstuvwxyz"}, 1, "", false},
	"plans that are hidden": {func(s *scene) {
		s.write(".idumb/.gitignore", "/workplans/\n/tasks/\n")
		s.idumb("start", "free")
	}, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"plans that git leaves out": {func(s *scene) {
		s.task("free", "active", "")
		s.record(`, "activeTask": "free"`)
		s.write(".idumb/tasks/left.json", `{"spec": {"workPlan": "user-auth"}}`)
		s.git("init", "-q")
		s.git("add", ".idumb/tasks/left.json")
		s.git("update-index", "--skip-worktree", ".idumb/tasks/left.json")
		s.write(".git/info/sparse-checkout", "src\n")
		require.NoError(s.t, os.Remove(filepath.Join(s.root, ".idumb/tasks/left.json")))
	}, attempt{does: "write", what: "src/a.go"}, 1, "", false},
	"a loop":               {nil, attempt{does: "fetch", what: "https://example.com"}, 13, "", false},
	"a plan that is draft": {func(s *scene) { s.replaced(".idumb/workplans/user-auth.json", `"active"`, `"draft"`) }, attempt{does: "shell", what: "idumb start free"}, 1, "", false},
}

// git runs git in the repository.
func (s *scene) git(args ...string) {
	c := exec.Command("git", args...)
	c.Dir = s.root
	out, err := c.CombinedOutput()
	require.NoError(s.t, err, "%s", out)
}

// avoids decides that a package is not to be added.
func (s *scene) avoids(name string) {
	s.write(".idumb/decisions/d.json", `{"spec": {"title": "Not that", "state": "accepted", "avoids": ["`+name+`"], "onViolation": "deny"}}`)
}

// task rewrites a task's file.
func (s *scene) task(name, state, more string) {
	s.write(".idumb/tasks/"+name+".json", `{"spec": {"workPlan": "user-auth", "expectedOutput": "anything", "state": "`+state+`"`+more+`}}`)
}

func (s *scene) assign(name, to, state string) { s.task(name, state, `, "assignedTo": "`+to+`"`) }

// lapsed has the session work on a task whose claim with the team ran out.
func (s *scene) lapsed(name string) {
	s.task(name, "active", "")
	s.record(`, "activeTask": "` + name + `"`)
	now := time.Now().UTC()
	s.write(".idumb/run/leases/"+name+".json", `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Lease", "metadata": {"name": "`+name+`"},
		"spec": {"holder": {"session": "`+s.session()+`", "host": "x", "person": "ann", "machine": "laptop", "worktree": "/elsewhere"},
		"acquireTime": "`+now.Format(time.RFC3339)+`", "renewTime": "`+now.Format(time.RFC3339)+`", "duration": "30m0s", "transitions": 0,
		"team": {"claim": "confirmed", "until": "`+now.Add(-time.Minute).Format(time.RFC3339)+`"}}}`)
}

// elsewhere lets another session, of another host, work on a task.
func (s *scene) elsewhere(name string) {
	now := time.Now().UTC().Format(time.RFC3339)
	s.task(name, "active", "")
	s.write(".idumb/run/leases/"+name+".json", `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Lease", "metadata": {"name": "`+name+`"},
		"spec": {"holder": {"session": "s-9", "host": "codex", "person": "ann", "machine": "laptop", "worktree": "/elsewhere"},
		"acquireTime": "`+now+`", "renewTime": "`+now+`", "duration": "30m0s", "transitions": 0}}`)
}
