package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// The driver: each denial is provoked through the real hook, in each host and role, and
// what USE INSTEAD says is done to the letter, by the real tools. It fails if a step is denied,
// refused or in need of a person in the host's default permission mode, or says nothing that
// can be done.

// actor is an agent in a role.
type actor struct {
	host, role string
	sub        bool // it acts inside a subagent
}

func (a actor) tool(name string) string {
	return map[string]map[string]string{
		"claude":   {"write": "Write", "shell": "Bash", "fetch": "WebFetch", "start": "Agent", "read": "Read", "grep": "Grep"},
		"codex":    {"write": "apply_patch", "shell": "Bash", "fetch": "mcp__web__fetch_page", "start": "collaborationspawn_agent", "read": "view_image", "grep": "Bash"},
		"opencode": {"write": "write", "shell": "bash", "fetch": "webfetch", "start": "task", "read": "read", "grep": "grep"},
	}[a.host][name]
}

// prefix is what the host puts before our tools' names.
func (a actor) prefix() string {
	if a.host == "opencode" {
		return "idumb_"
	}
	return "mcp__idumb__"
}

// attempt is a call in no host's words: what is done, and to what.
type attempt struct{ does, what, more string }

func (a actor) arguments(c attempt, root string) map[string]any {
	file := filepath.Join(root, c.what)
	switch c.does + " " + a.host {
	case "write claude":
		return map[string]any{"file_path": file, "content": "x" + c.more}
	case "write opencode":
		return map[string]any{"filePath": file, "content": "x" + c.more}
	case "write codex":
		return map[string]any{"command": "*** Begin Patch\n*** Add File: " + c.what + "\n+x" + c.more + "\n*** End Patch"}
	case "start claude", "start opencode":
		return map[string]any{"subagent_type": c.what, "prompt": c.more, "description": "d"}
	case "start codex":
		return map[string]any{"agent_type": c.what, "message": c.more, "task_name": "d"}
	}
	switch c.does {
	case "shell":
		return map[string]any{"command": c.what}
	case "read":
		return map[string]any{"file_path": file, "filePath": file, "path": file}
	}
	return map[string]any{"url": c.what, "pattern": "x", "command": "grep x README.md"}
}

// scene is a repository in which one actor works.
type scene struct {
	*project
	actor
	open  *lasting
	calls int
}

// agent is the name by which the host knows the actor.
func (s *scene) agent() string {
	if !s.sub && s.host != "opencode" {
		return ""
	}
	if s.host == "codex" {
		return map[string]string{"executor": "worker", "investigator": "explorer"}[s.role]
	}
	if !s.sub {
		return "build"
	}
	return "idumb-" + s.role
}

// session is the name of the actor's record.
func (s *scene) session() string {
	switch {
	case s.host == "opencode" && s.sub:
		return resources.NameOfID("ses_2")
	case s.host == "opencode":
		return resources.NameOfID("ses_1")
	}
	id := "5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01"
	if s.host == "codex" {
		id = codexSession
	}
	if s.sub {
		return id + ".a1"
	}
	return id
}

// record writes the actor's session, with what more is given of its spec.
func (s *scene) record(more string) {
	parent := ""
	if s.sub {
		above := resources.NameOfID("ses_1")
		if s.host != "opencode" {
			above = strings.TrimSuffix(s.session(), ".a1")
		}
		parent = `, "parent": "` + above + `"`
	}
	s.write(".idumb/sessions/"+s.session()+".json", `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Session", "metadata": {"name": "`+s.session()+`"}, "spec": {"host": "`+s.host+`"`+parent+more+`}}`)
}

// event sends what happens to the actor, before or after a tool.
func (s *scene) event(before bool, tool string, args map[string]any) (decision, reason string) {
	if s.host == "opencode" {
		if s.open == nil {
			s.open = s.lasting()
		}
		fields := map[string]any{"tool": tool, "args": args, "agent": s.agent(), "call": s.callID(), "session": "ses_1"}
		if s.sub {
			fields["session"], fields["parent"] = "ses_2", "ses_1"
		}
		if !before {
			s.open.ask("tool.after", fields)
			return "", ""
		}
		got := s.open.ask("tool.before", fields)
		if deny, _ := got["deny"].(string); deny != "" {
			return "deny", deny
		}
		return "", ""
	}
	fields := map[string]any{"tool_name": tool, "tool_input": args, "tool_use_id": fmt.Sprintf("toolu_%d", s.calls)}
	if s.sub {
		fields["agent_id"], fields["agent_type"] = "a1", s.agent()
	}
	name := "PostToolUse"
	if before {
		name = "PreToolUse"
	}
	send := s.ask
	if s.host == "codex" {
		send = s.codex
	}
	got := send(name, fields)
	return got.decision, got.reason
}

// does tries a call.
func (s *scene) does(c attempt) (decision, reason string) {
	s.calls++
	return s.event(true, s.actor.tool(c.does), s.arguments(c, s.root))
}

// callID is OpenCode's id of the call.
func (s *scene) callID() string {
	if s.sub {
		return fmt.Sprintf("ses_2/call_%d", s.calls)
	}
	return fmt.Sprintf("ses_1/call_%d", s.calls)
}

// asked is a call of our server, with how the host tells it which call this is.
func (s *scene) asked(arguments map[string]any) (params map[string]any) {
	id := fmt.Sprintf("toolu_%d", s.calls)
	switch s.host {
	case "opencode":
		arguments["_idumb"] = s.callID()
		return map[string]any{"arguments": arguments}
	case "codex":
		return map[string]any{"arguments": arguments, "_meta": map[string]any{"callId": id}}
	}
	return map[string]any{"arguments": arguments, "_meta": map[string]any{"claudecode/toolUseId": id}}
}

// callOurs calls one of our tools as a denial prints it. What is wrong is an error's text.
func (s *scene) callOurs(text string) string {
	tool, raw, _ := strings.Cut(text, " ")
	var arguments map[string]any
	if err := json.Unmarshal([]byte(raw), &arguments); err != nil {
		return "the arguments cannot be read: " + text
	}
	s.calls++
	decision, reason := s.event(true, tool, arguments)
	if decision == "deny" || s.host == "claude" && decision != "allow" {
		return "the step " + text + " is not let pass: " + decision + " " + reason
	}
	params := s.asked(arguments)
	params["name"] = strings.TrimPrefix(tool, s.prefix())
	client := map[string]string{"claude": "claude-code", "codex": "codex-mcp-client", "opencode": "opencode"}[s.host]
	cmd := exec.Command(filepath.Join(programs(), "idumb-mcp"))
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+s.root, "HOME="+filepath.Join(s.root, "home"), "IDUMB_TRUST=/", "IDUMB_AUTOSTART=off", "IDUMB_ENFORCE=")
	in, err := cmd.StdinPipe()
	require.NoError(s.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, cmd.Start())
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	for _, m := range []map[string]any{
		{"id": 1, "method": "initialize", "params": map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": client, "version": "1"}}},
		{"method": "notifications/initialized"},
		{"id": 2, "method": "tools/call", "params": params},
	} {
		m["jsonrpc"] = "2.0"
		require.NoError(s.t, json.NewEncoder(in).Encode(m))
	}
	answer := ""
	for lines := bufio.NewScanner(out); answer == "" && lines.Scan(); {
		if strings.Contains(lines.Text(), `"id":2`) {
			answer = lines.Text()
		}
	}
	if !strings.Contains(answer, `\"status\":\"success\"`) {
		return "the step " + text + " is refused: " + answer
	}
	s.event(false, tool, arguments)
	return ""
}

// programs is a folder with the programs that steps are done with.
var programs = sync.OnceValue(func() string {
	dir := filepath.Join(filepath.Dir(binary), "programs")
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../idumb", "../idumb-mcp").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build: %v\n%s", err, out))
	}
	return dir
})

func (s *scene) idumb(args ...string) {
	cmd := exec.Command(filepath.Join(programs(), "idumb"), args...)
	cmd.Dir, cmd.Env = s.root, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.root, "home"), "IDUMB_AUTOSTART=off", "IDUMB_TRUST=/"}
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, "%v: %s", args, out)
}

var (
	startsAgent = regexp.MustCompile(`[Ss]tart the agent "([^"]+)"`)
	underTag    = regexp.MustCompile(`with (delegation/[a-z0-9-]+) in its prompt`)
	inPrompt    = regexp.MustCompile(`^Repeat the call with (task/[a-z0-9-]+) in its prompt`)
	withTask    = regexp.MustCompile(`repeat the call with (task/[a-z0-9-]+) in its prompt`)
	usesTool    = regexp.MustCompile(`^Use "([^"]+)"`)
	aForm       = regexp.MustCompile(`\.\.\.|\b[A-Z]{2,}\b`) // it is to be filled in
	quotedStep  = regexp.MustCompile("`([^`]+)`")
	// inWords are steps that are no call: the turn ends, or the call is another one of the
	// agent's own.
	inWords = regexp.MustCompile(`^(End your turn|Hand back|Tell the |Ask the user|Leave |Report |Do it yourself|Make a different call|Write |Name |Use your edit tool|Change it with your edit tool|No other task is ready|No task is ready|Work on |Take |Do not add it|Repeat the call|If you cannot|Meet the rule)`)
)

// blank matches a placeholder of a step, which the reader replaces.
var blank = regexp.MustCompile(`"\(([^()"]+)\)"`)

// obey does what a denial says; over says that it does not lead to the call again.
func (s *scene) obey(c *attempt, instead string) (over bool, wrong string) {
	if strings.HasPrefix(instead, "Ask the user") || strings.HasPrefix(instead, "Tell the user") {
		return true, "" // what is quoted there is for the person
	}
	if m := inPrompt.FindStringSubmatch(instead); m != nil {
		c.more += " " + m[1]
		return false, ""
	}
	if m := startsAgent.FindStringSubmatch(instead); m != nil {
		if first := quotedStep.FindStringSubmatch(instead); first != nil {
			if wrong := s.step(first[1]); wrong != "" {
				return true, wrong
			}
		}
		prompt := "task/free"
		if tag := underTag.FindStringSubmatch(instead); tag != nil {
			prompt = tag[1]
		}
		if decision, reason := s.does(attempt{"start", m[1], prompt}); decision != "" {
			return true, "the agent " + m[1] + " may not be started: " + reason
		}
		return true, ""
	}
	if m := usesTool.FindStringSubmatch(instead); m != nil {
		if decision, reason := s.does(attempt{does: m[1], what: "README.md"}); decision != "" {
			return true, "the tool " + m[1] + " may not be used: " + reason
		}
	}
	steps := quotedStep.FindAllStringSubmatchIndex(instead, -1)
	if len(steps) == 0 {
		if !inWords.MatchString(instead) && !usesTool.MatchString(instead) {
			return true, "nobody can do this: " + instead
		}
		return true, ""
	}
	for i, at := range steps {
		if i > 0 && !strings.Contains(instead[steps[i-1][1]:at[0]], "then") || strings.Contains(instead[:at[0]], "ask the user") {
			break // another way to the same, something to look at, or the person's to do
		}
		if wrong := s.step(instead[at[2]:at[3]]); wrong != "" {
			return true, wrong
		}
	}
	if m := withTask.FindStringSubmatch(instead); m != nil {
		c.more += " " + m[1]
	}
	return !strings.Contains(instead, "then write") && !strings.Contains(instead, "repeat the call"), ""
}

// step does one quoted step.
func (s *scene) step(text string) string {
	if strings.HasPrefix(text, s.prefix()) {
		return s.callOurs(text)
	}
	if strings.HasPrefix(text, "idumb ") && s.host == "claude" {
		return "the host asks its user before this command: " + text
	}
	if aForm.MatchString(text) {
		return ""
	}
	decision, reason := s.does(attempt{does: "shell", what: text})
	if decision == "deny" && s.rule() == "first-tool" { // the session begins with that step, then
		if m := quotedStep.FindStringSubmatch(instead(reason)); m != nil {
			if wrong := s.step(m[1]); wrong != "" {
				return wrong
			}
			decision, reason = s.does(attempt{does: "shell", what: text})
		}
	}
	if decision != "" {
		return "the command " + text + " is not let pass: " + reason
	}
	return ""
}

// instead is the step of a denial.
func instead(reason string) string {
	_, text, _ := strings.Cut(reason, "USE INSTEAD: ")
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// rule is the rule of the last denial.
func (s *scene) rule() string {
	files, err := filepath.Glob(filepath.Join(s.root, ".idumb/events/*.jsonl"))
	require.NoError(s.t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(s.t, err)
		if all := regexp.MustCompile(`"reason":"Denied".*? \(([a-z-]+)\)"`).FindAllSubmatch(text, -1); len(all) > 0 {
			return string(all[len(all)-1][1])
		}
	}
	return ""
}

// follow provokes a denial and obeys, until the call passes or the words send it elsewhere.
func (s *scene) follow(c attempt, times int) (rules []string) {
	for ; times > 1; times-- {
		s.does(c)
	}
	before := ""
	for range 5 {
		decision, reason := s.does(c)
		if decision != "deny" {
			return rules
		}
		step := instead(reason)
		rules = append(rules, s.rule())
		if !assert.NotEqual(s.t, before, step, "the same again: %s", reason) {
			return rules
		}
		before = step
		over, wrong := s.obey(&c, blank.ReplaceAllString(step, `"my own $1"`))
		if !assert.Empty(s.t, wrong, reason) || over {
			return rules
		}
	}
	assert.Fail(s.t, "there is no end to it", "%v %s", rules, before)
	return rules
}

// everyRole drives each denial in each role, instead of in solo and one other. hack/fuzz sets it; hack/truth
// follows denials in random worlds.
var everyRole = flag.Bool("every-role", false, "drive each denial in each role that ships, and in one of a team's own")

// otherRoles returns a function that chooses the roles besides solo for a denial. All roles take part in turn.
func otherRoles(t *testing.T, made *scene) func(i int, every bool) []string {
	files, err := filepath.Glob(filepath.Join(made.root, ".idumb/roles/*.json"))
	require.NoError(t, err)
	var roles []string
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); name != "solo" {
			roles = append(roles, name)
		}
	}
	require.Greater(t, len(roles), 18)
	return func(i int, every bool) []string {
		if every || *everyRole {
			return slices.Clone(roles)
		}
		return []string{roles[i%len(roles)]}
	}
}

func TestEachWayOutLeadsOut(t *testing.T) {
	template := t.TempDir()
	made := &scene{project: &project{t: t, root: template}}
	made.idumb("init", "--agent", "none", "--roles", "full")
	made.write(".idumb/roles/team-writer.json", `{"spec": {"agents": ["idumb-team-writer"], "paths": {"write": ["docs/**"]}, "shell": {"allow": ["git log", "idumb"]}}}`)
	others := otherRoles(t, made)
	names := slices.Sorted(maps.Keys(denials))
	for nth, host := range []string{"claude", "codex", "opencode"} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			met := map[string]bool{}
			for i, name := range names {
				for _, role := range append(others(i+7*nth, name == "too deep"), "solo") { // most roles meet another rule before that of depth
					d := denials[name]
					t.Run(role+"/"+name, func(t *testing.T) {
						p := newProject(t)
						require.NoError(t, os.CopyFS(p.root, os.DirFS(template)))
						p.write("README.md", "x\n")
						s := &scene{project: p, actor: actor{host: host, role: role, sub: role != "solo" && role != "coordinator" || d.sub}}
						p.write(".idumb/config.json", `{"apiVersion": "idumb.dev/v1alpha1", "kind": "Config", "metadata": {"name": "config"}, "spec": {"defaultRole": "`+role+`"`+d.config+`}}`)
						p.write(".idumb/tasks/free.json", `{"spec": {"workPlan": "user-auth", "expectedOutput": "anything"}}`)
						s.record("")
						if d.given != nil {
							d.given(s)
						}
						for _, rule := range s.follow(d.call, d.times) {
							met[rule] = true
						}
					})
				}
			}
			for _, rule := range admission.RuleNames() {
				if rule == admission.SharedPlans && host == "claude" {
					continue // this host asks the user instead
				}
				assert.True(t, met[rule], "no denial of the rule %s was provoked", rule)
			}
		})
	}
}

// replaced rewrites a file.
func (s *scene) replaced(name, old, with string) {
	text := s.read(name)
	require.True(s.t, strings.Contains(text, old), "%s: %s", name, text)
	s.write(name, strings.Replace(text, old, with, 1))
}

// handed puts the actor under a delegation of a task.
func (s *scene) handed(task, more string) {
	s.write(".idumb/delegations/d.json", `{"spec": {"task": "`+task+`", "from": "anna", "to": "`+s.role+`"`+more+`}}`)
	s.record(`, "delegation": "d"`)
}
