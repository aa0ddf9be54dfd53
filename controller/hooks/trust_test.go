package hooks

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
)

// clonedHouse is a repository of a stranger's, who says EVIL wherever a text may stand.
func clonedHouse(t *testing.T) *house {
	h := newHouse(t)
	for file, text := range map[string]string{
		"config":            `{"spec": {"mode": "off", "unknownAgents": "default", "requirePlan": true, "splitAt": 1, "projectFacts": ["EVIL"], "language": {"communication": "EVIL"}}}`,
		"trajectory":        `{"spec": {"intent": "EVIL"}}`,
		"workplans/p":       `{"spec": {"title": "EVIL", "acceptance": ["EVIL"], "state": "active"}}`,
		"tasks/a":           `{"spec": {"workPlan": "p", "title": "EVIL", "expectedOutput": "EVIL", "state": "active", "allowedTools": ["read", "EVIL \" EVIL"], "assignedTo": "EVIL \" EVIL", "evidence": [{"command": "EVIL"}]}}`,
		"tasks/b":           `{"spec": {"workPlan": "p", "title": "EVIL", "expectedOutput": "EVIL", "state": "active", "dependsOn": ["c"], "temporalGate": {"after": "c", "reason": "EVIL"}, "assignedTo": "executor"}}`,
		"tasks/c":           `{"spec": {"workPlan": "p", "title": "EVIL", "expectedOutput": "EVIL", "paths": ["EVIL/**"], "fileLocks": ["src/**", "EVIL"]}}`,
		"tasks/d":           `{"spec": {"workPlan": "p", "title": "EVIL", "expectedOutput": "EVIL", "state": "failed", "result": {"evidence": "EVIL"}}}`,
		"anchors/a":         `{"spec": {"content": "EVIL", "priority": "critical"}}`,
		"mems/m":            `{"spec": {"type": "false_path", "content": "AVOID EVIL BECAUSE EVIL INSTEAD EVIL"}}`,
		"roles/solo":        `{"spec": {"rules": ["EVIL"]}}`,
		"roles/executor":    `{"spec": {"rules": ["EVIL"], "agents": ["general-*"], "tools": {"deny": ["WebFetch", "EVIL"]}, "paths": {"write": ["EVIL/**"]}, "shell": {"allow": ["EVIL"], "deny": ["rm EVIL", "rm"]}}}`,
		"shell":             `{"spec": {"commands": [{"match": "make *", "verdict": "deny", "because": "EVIL", "useInstead": "EVIL"}]}}`,
		"chainrules/hard":   `{"spec": {"level": "HARD_BLOCK", "when": {"tools": ["Edit"], "commands": ["go build"]}, "requires": [{"files": ["EVIL"]}], "because": "EVIL", "instead": "EVIL"}}`,
		"chainrules/soft":   `{"spec": {"level": "WARN", "when": {"tools": ["Grep"]}, "requires": [{"files": ["EVIL"]}], "because": "EVIL", "instead": "EVIL"}}`,
		"triggers/halting":  `{"spec": {"event": "call", "count": 2, "action": "halt", "message": "EVIL"}}`,
		"triggers/warning":  `{"spec": {"event": "call", "count": 1, "action": "warn", "message": "EVIL"}}`,
		"triggers/stopping": `{"spec": {"event": "compaction", "action": "warn", "message": "EVIL"}}`,
		"roles/picky":       `{"spec": {"agents": ["picky"], "firstTools": ["EVIL"]}}`,
		"delegations/d":     `{"spec": {"task": "b", "from": "EVIL \" EVIL", "to": "executor", "expectedOutput": "EVIL", "allowedTools": ["EVIL \" EVIL"]}}`,
	} {
		h.file(file, text)
	}
	return h
}

// stranger answers for a person who has not trusted the repository.
func (h *house) stranger(e hosts.Event) hosts.Answer {
	h.now = h.now.Add(time.Second)
	e.Cwd = string(h.root)
	if e.Host == "" {
		e.Host = "claude"
	}
	return (&handler{repo: openPacking(h.root, nil, h.now), event: e, limit: 10000}).handle()
}

// everyEvent is one of each type, and calls that every rule denies, of several agents.
func everyEvent() []hosts.Event {
	var events []hosts.Event
	for _, host := range []string{"claude", "codex", "opencode"} {
		for _, kind := range []hosts.EventType{hosts.SessionStart, hosts.Prompt, hosts.BeforeCompact, hosts.AfterTool, hosts.Stop, hosts.SettingsChange} {
			events = append(events, hosts.Event{Host: host, Type: kind, Session: "s"})
		}
		events = append(events, hosts.Event{Host: host, Type: hosts.SessionStart, Session: "s", Compacted: true}, hosts.Event{Host: host, Type: hosts.SessionStart, Session: "s", Resumed: true})
		for _, agent := range []string{"", "general-purpose", "picky", "stranger"} {
			sub := agent + "1"
			events = append(events, hosts.Event{Host: host, Type: hosts.SubagentStart, Session: "s", Subagent: sub, Agent: agent})
			for _, e := range []hosts.Event{
				{Tool: "Write", Action: admission.Write, Paths: []string{"src/a.go"}},
				{Tool: "Write", Action: admission.Write, Paths: []string{".idumb/config.json"}},
				{Tool: "Read", Action: admission.Read, Paths: []string{"src/a.go"}},
				{Tool: "WebFetch", Action: admission.Other},
				{Tool: "Edit", Action: admission.Write, Paths: []string{"src/b.go"}},
				{Tool: "Grep", Action: admission.Read},
				{Tool: "Bash", Action: admission.Shell, Command: "make love"},
				{Tool: "Bash", Action: admission.Shell, Command: "go build ./..."},
				{Tool: "Bash", Action: admission.Shell, Command: "ls"}, {Tool: "Bash", Action: admission.Shell, Command: "ls"},
				{Tool: "Bash", Action: admission.Shell, Command: "rm -rf src; echo x > src/a.go"},
				{Tool: "Bash", Action: admission.Shell, Command: "idumb start a"},
				{Tool: "Bash", Action: admission.Governance, Command: "idumb patch delegation d -p x"},
				{Tool: "Agent", Action: admission.Delegate, DelegateTo: "general-purpose", Text: "delegation/d"},
			} {
				e.Host, e.Type, e.Session, e.Subagent, e.Agent = host, hosts.BeforeTool, "s", sub, agent
				events = append(events, e)
			}
			events = append(events, hosts.Event{Host: host, Type: hosts.SubagentStop, Session: "s", Subagent: sub, Agent: agent})
		}
	}
	return events
}

func TestAStrangersTextReachesNobody(t *testing.T) {
	h := clonedHouse(t)
	for _, task := range []string{"", "a", "b", "c", "d"} { // the session's
		h.file("sessions/s", `{"spec": {"host": "claude", "activeTask": "`+task+`"}}`)
		denied := 0
		for _, e := range everyEvent() {
			a := h.stranger(e)
			assert.NotContains(t, fmt.Sprintf("%+v", a), "EVIL", "%+v", e)
			assert.Empty(t, a.Hold)
			if a.Deny != "" {
				denied++
			}
		}
		assert.Positive(t, denied, "it restricts all the same")
	}
}

// Of a repository that was trusted and whose roles others changed, tasks may be quoted and
// roles may not.
func TestChangedRolesAreNotQuoted(t *testing.T) {
	h := clonedHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	home := environment{"XDG_CONFIG_HOME=" + t.TempDir()}
	ask := func(e hosts.Event) string {
		e.Host, e.Type, e.Session, e.Agent, e.Cwd = "claude", hosts.BeforeTool, "s", "general-purpose", string(h.root)
		h.now = h.now.Add(time.Hour)
		return (&handler{repo: openPacking(h.root, home, h.now), event: e, limit: 10000}).handle().Deny
	}
	h.file("config", `{"spec": {}}`)
	require.NoError(t, trust.StoreOf(home.get).Trust(h.root))
	byRole := hosts.Event{Tool: "WebFetch", Action: admission.Other}
	byTask := hosts.Event{Tool: "Write", Action: admission.Write, Paths: []string{".git/x"}}
	assert.Contains(t, ask(byRole), "EVIL")
	said := ask(byTask)
	h.file("roles/executor", `{"spec": {"agents": ["general-*"], "tools": {"deny": ["WebFetch", "WORSE"]}}}`)
	assert.NotContains(t, ask(byRole), "WORSE")
	assert.Contains(t, ask(byRole), "idumb trust")
	assert.Equal(t, said, ask(byTask))
}

func TestTheSameHouseSaysItToWhoTrustsIt(t *testing.T) {
	h := clonedHouse(t)
	h.file("config", `{"spec": {"projectFacts": ["EVIL"]}}`)
	assert.Contains(t, h.start(), "EVIL")
	assert.Empty(t, h.run(hosts.Event{Type: hosts.SessionStart, Session: "s"}).Notice)
}

func TestASessionHearsTheLineOnce(t *testing.T) {
	h := clonedHouse(t)
	first := h.stranger(hosts.Event{Type: hosts.SessionStart, Session: "s"})
	assert.Equal(t, unknownLine, first.Context)
	assert.Equal(t, unknownNotice, first.Notice)
	for range 3 {
		assert.Equal(t, hosts.Answer{}, h.stranger(hosts.Event{Type: hosts.Prompt, Session: "s"}))
	}
	h.file("config", `{"spec": {}}`)
	assert.True(t, strings.HasPrefix(h.ask(), "<idumb_context>\n"), "trusted meanwhile: the whole pack")
	assert.Equal(t, unknownLine, h.stranger(hosts.Event{Type: hosts.Prompt, Session: "s"}).Context, "and taken back")
}

// A config can add to the defaults and take nothing from them.
func TestAStrangersConfigOnlyRestricts(t *testing.T) {
	h := clonedHouse(t)
	got := openPacking(h.root, nil, h.now).settings
	assert.Equal(t, admission.ModeEnforce, got.Mode)
	assert.Equal(t, "least", got.UnknownAgents)
	assert.Equal(t, 80, got.SplitAt)
	assert.True(t, got.RequirePlan)
	assert.Empty(t, got.ProjectFacts)
	off := environment{admission.EnforceVariable + "=off"}
	assert.Equal(t, admission.ModeOff, openPacking(h.root, off, h.now).settings.Mode, "the user's own word counts")

	require.NoError(t, os.MkdirAll(h.root.Abs(".claude"), 0o755))
	require.NoError(t, os.WriteFile(h.root.Abs(".claude/settings.json"), []byte(`{"env": {"IDUMB_ENFORCE": "off"}}`), 0o644))
	assert.Equal(t, admission.ModeEnforce, openPacking(h.root, off, h.now).settings.Mode, "the repository's own does not")

	home := environment{"XDG_CONFIG_HOME=" + t.TempDir()}
	require.NoError(t, trust.StoreOf(home.get).Trust(h.root))
	assert.Equal(t, admission.ModeOff, openPacking(h.root, append(home, off...), h.now).settings.Mode, "until it is trusted")
	assert.Equal(t, admission.ModeOff, openPacking(h.root, home, h.now).settings.Mode)
	h.file("roles/solo", `{"spec": {"level": 2}}`)
	assert.Equal(t, admission.ModeOff, openPacking(h.root, home, h.now).settings.Mode, "the config is as it was trusted")
	changed := func(r *repo) string {
		return (&handler{repo: r, event: hosts.Event{Type: hosts.SessionStart}, limit: 10000}).context()
	}
	assert.Contains(t, changed(openPacking(h.root, home, h.now)), "- EVIL", "and so is all else")
	assert.Equal(t, changedLine, changed(Backend{}.open(h.root, home, h.now)), "what was packed last may hold what came since")
}

// Each setting is either one that is known to loosen nothing, or restricted drops it.
func TestEverySettingIsSorted(t *testing.T) {
	harmless := []string{"DefaultRole", "RequirePlan", "RequireTodo", "Record"} // see restricted
	unread := []string{                                                         // by the gate
		"ContextShare", "ContextMinCharacters", "ContextTaskBody", "AnchorStaleAfter", "PlanStaleAfter", "TaskStaleAfter", "TaskLevels", "MemFadingBelow", "MemStaleBelow", "OrphanGracePeriod", "DelegationGrace", "PurgeAfter",
		"SessionIdleAfter", "SessionStaleAfter", "EventsKept", "Language", "ProjectFacts", "Controller", "Map", "MinVersion", "Plan", "Sync",
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[resources.ConfigSpec]()) {
		if len(field.Index) > 1 || slices.Contains(harmless, field.Name) || slices.Contains(unread, field.Name) {
			continue
		}
		c := resources.DefaultConfig()
		v := reflect.ValueOf(&c).Elem().FieldByIndex(field.Index)
		switch v.Kind() {
		case reflect.String:
			v.SetString("other")
		case reflect.Int:
			v.SetInt(12345)
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Slice:
			v.Set(reflect.ValueOf([]string{"other"}))
		case reflect.Struct:
			if field.Name == "Planning" { // the leading framework is for the pack only
				c.Planning.Mirror = resources.MirrorTasks
				break
			}
			fallthrough
		default:
			t.Errorf("%s: say in this test whether it may loosen anything", field.Name)
			continue
		}
		assert.True(t, loosens(&c), "%s: add it to loosens, or say here why a stranger may set it", field.Name)
	}
}

// A stranger may have less recorded, and no plans made.
func TestAStrangersRecord(t *testing.T) {
	c := resources.DefaultConfig()
	c.Mode, c.Record, c.Planning.Mirror = "off", resources.RecordNone, resources.MirrorOff
	got := restricted(&c)
	assert.Equal(t, []string{resources.RecordNone, resources.MirrorOff}, []string{got.Record, got.Planning.Mirror})
	c.Planning.Mirror = resources.MirrorTasks
	assert.Equal(t, resources.DefaultConfig().Planning.Mirror, restricted(&c).Planning.Mirror)
}

func TestNoControllerForAStranger(t *testing.T) {
	h := clonedHouse(t)
	a := (&handler{repo: openPacking(h.root, environment{"IDUMB_AUTOSTART=on"}, h.now), env: environment{"IDUMB_AUTOSTART=on"}, event: hosts.Event{Host: "claude", Type: hosts.SessionStart, Session: "s"}, limit: 10000})
	assert.False(t, a.startController())
	assert.Empty(t, a.notice)
}

// Files that nobody can read would prove nothing.
func TestTheStrangersFilesAreRead(t *testing.T) {
	h := clonedHouse(t)
	r := openPacking(h.root, nil, h.now)
	r.snapshot()
	assert.NotContains(t, slices.Collect(maps.Values(r.specs.states)), graph.Broken)

}

// A role counts as it was when the person trusted it: what it says since then can only tighten, and
// one that came since then does not count.
func TestARoleCountsAsItWasTrusted(t *testing.T) {
	h := newHouse(t)
	config := t.TempDir()
	store := trust.StoreOf(func(name string) string { return map[string]string{"XDG_CONFIG_HOME": config}[name] })
	role := func(name string) *resources.Role {
		r, _ := Backend{}.open(h.root, environment{"XDG_CONFIG_HOME=" + config}, h.now).Role(name)
		return r
	}
	h.file("roles/executor", `{"spec": {"paths": {"write": ["src/**", "lib/**"], "deny": ["src/x/**"]}, "tools": {"deny": ["WebFetch"]}}}`)
	require.NotNil(t, role("executor"), "of what nobody trusts the bounds hold")
	require.NoError(t, store.Trust(h.root))
	h.file("roles/executor", `{"spec": {"paths": {"deny": ["docs/**"]}, "shell": {"allow": ["go test"]}, "rules": ["EVIL"]}}`)
	h.file("roles/wide", `{"spec": {"agents": ["codex"]}}`)
	got := role("executor").Spec
	assert.Equal(t, []string{"src/**", "lib/**"}, got.Paths.Write, "it may not write anywhere")
	assert.Equal(t, []string{"src/x/**", "docs/**"}, got.Paths.Deny)
	assert.Equal(t, []string{"WebFetch"}, got.Tools.Deny)
	assert.Equal(t, []string{"go test"}, got.Shell.Allow, "it tightens")
	assert.Empty(t, got.Rules)
	assert.Nil(t, role("wide"))
	h.file("roles/executor", `{"spec": {"paths": {"write": ["src/**"]}}}`)
	assert.Equal(t, []string{"src/**"}, role("executor").Spec.Paths.Write, "less than before")
	h.file("roles/executor", `{"spec": {"paths": {"write": ["src/**", "**"]}}}`)
	assert.Equal(t, []string{"src/**", "lib/**"}, role("executor").Spec.Paths.Write)

	require.NoError(t, store.Trust(h.root))
	assert.Equal(t, []string{"src/**", "**"}, role("executor").Spec.Paths.Write, "the user looked at it")
	assert.NotNil(t, role("wide"))
}

// Neither a removal nor a change of what governs loosens anything, and only the file that changed
// is held back: what was trusted is said on, what came since is not.
func TestWhatGovernsCountsAsItWasTrusted(t *testing.T) {
	h := chainedHouse(t)
	files := map[string]string{
		"config":          `{"spec": {"requirePlan": true, "projectFacts": ["Trusted fact"]}}`,
		"roles/solo":      `{"spec": {"tools": {"deny": ["WebFetch"]}, "rules": ["Trusted rule"]}}`,
		"chainrules/hard": `{"spec": {"level": "HARD_BLOCK", "when": {"commands": ["go build"]}, "requires": [{"files": ["seen.txt"]}], "because": "Look first."}}`,
		"triggers/often":  `{"spec": {"event": "call", "count": 2, "action": "halt", "message": "Trusted message"}}`,
		"shell":           `{"spec": {"rules": [{"name": "git-stash", "verdict": "deny"}], "commands": [{"match": "make deploy", "verdict": "deny", "because": "ships"}]}}`,
	}
	for file, text := range files {
		h.file(file, text)
	}
	home := environment{"XDG_CONFIG_HOME=" + t.TempDir()}
	require.NoError(t, trust.StoreOf(home.get).Trust(h.root))
	ask := func(e hosts.Event) hosts.Answer {
		e.Host, e.Session, e.Cwd = "claude", "s", string(h.root)
		h.now = h.now.Add(time.Hour)
		return (&handler{repo: openPacking(h.root, home, h.now), event: e, limit: 10000}).handle()
	}
	shell := func(line string) string {
		return ask(hosts.Event{Type: hosts.BeforeTool, Tool: "Bash", Action: admission.Shell, Command: line}).Deny
	}
	holds := func(how string) {
		t.Helper()
		start := ask(hosts.Event{Type: hosts.SessionStart})
		assert.Contains(t, start.Context, "Trusted fact", how)
		assert.Contains(t, start.Context, "Trusted rule", how)
		assert.NotContains(t, start.Context, "EVIL", how)
		assert.Contains(t, start.Notice, "run: idumb trust", how)
		assert.NotEmpty(t, shell("make deploy"), how)
		assert.NotEmpty(t, shell("go build ./..."), how)
		assert.NotEmpty(t, ask(hosts.Event{Type: hosts.BeforeTool, Tool: "WebFetch", Action: admission.Other}).Deny, how)
		r := Backend{}.open(h.root, home, h.now)
		assert.True(t, r.settings.RequirePlan, how)
		assert.Len(t, r.triggers("call"), 1, how)
		assert.Equal(t, resources.ActionHalt, r.triggers("call")[0].Spec.Action, how)
	}
	for file, milder := range map[string]string{
		"config": `{"spec": {"projectFacts": ["EVIL"]}}`, "roles/solo": `{"spec": {"rules": ["EVIL"]}}`, "shell": `{"spec": {"rules": [{"name": "git-stash", "verdict": "ask"}]}}`,
		"chainrules/hard": `{"spec": {"level": "WARN", "when": {"commands": ["go vet"]}, "requires": [{"files": ["x"]}], "because": "EVIL"}}`,
		"triggers/often":  `{"spec": {"event": "error", "count": 9, "action": "warn", "message": "EVIL"}}`,
	} {
		h.file(file, milder)
		holds(file + " changed")
		require.NoError(t, os.Remove(h.root.Abs(".idumb/"+file+".json")))
		holds(file + " removed")
		h.file(file, files[file])
	}
	require.NoError(t, os.Rename(h.root.Abs(".idumb/roles"), h.root.Abs(".idumb/rolls")))
	holds("all roles moved away")
	require.NoError(t, trust.StoreOf(home.get).Trust(h.root))
	role, _ := Backend{}.open(h.root, home, h.now).Role("solo")
	assert.Nil(t, role, "the user looked at it")
}

// Most calls leave nothing to be told: the files that govern are not looked at behind them, to see
// whether it may be.
func TestWhatTellsNothingExaminesNothing(t *testing.T) {
	write := hosts.Event{Tool: "Write", Action: admission.Write, Paths: []string{"f.txt"}}
	shell := hosts.Event{Tool: "Bash", Action: admission.Shell, Command: "go test ./...", Output: "ok"}
	for _, of := range []struct {
		event hosts.Event
		code  Code
		tells bool
	}{{write, knowing{}, false}, {shell, knowing{}, false}, {write, &foreignPlans{}, true}} {
		h := newHouse(t)
		h.file("sessions/s", `{"spec": {"activeTask": "a", "role": "executor"}}`)
		of.event.Type, of.event.Session = hosts.BeforeTool, "s"
		h.run(of.event)
		repo := Backend{Code: of.code}.open(h.root, trusting(h.root), h.now)
		of.event.Host, of.event.Type, of.event.Cwd = "claude", hosts.AfterTool, string(h.root)
		(&handler{repo: repo, event: of.event, limit: 10000}).handle()
		assert.Equal(t, of.tells, repo.examined, "%s %T", of.event.Tool, of.code)
	}
}
