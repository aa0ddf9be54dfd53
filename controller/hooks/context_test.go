package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// chainedHouse has a task that is being worked on, one that waits for it, and a role.
func chainedHouse(t *testing.T) *house {
	h := newHouse(t)
	for _, task := range []string{"b", "c"} {
		require.NoError(t, h.root.Remove(".idumb/tasks/"+task+".json"))
	}
	h.file("tasks/a", `{"spec": {"workPlan": "p", "title": "First", "expectedOutput": "o", "state": "active"}}`)
	h.file("tasks/z", `{"spec": {"workPlan": "p", "title": "Last", "expectedOutput": "o", "dependsOn": ["a"]}}`)
	return h
}

func (h *house) start() string {
	return h.run(hosts.Event{Type: hosts.SessionStart, Session: "s"}).Context
}

func (h *house) ask() string { return h.run(hosts.Event{Type: hosts.Prompt, Session: "s"}).Context }

func (h *house) finish(task string) {
	h.file("tasks/"+task, `{"spec": {"workPlan": "p", "title": "First", "expectedOutput": "o", "state": "completed", "result": {"evidence": "seen"}}}`)
}

func TestATurnIsToldWhatChanged(t *testing.T) {
	h := chainedHouse(t)
	first := h.start()
	assert.True(t, strings.HasPrefix(first, "<idumb_context>\n"))
	for range 3 {
		assert.Empty(t, h.ask(), "nothing changed")
	}
	for _, test := range []struct {
		name   string
		change func()
		want   []string
	}{
		{"a completion", func() { h.finish("a") }, []string{"COMPLETED: a ", "UNBLOCKED: z Last (after a)"}},
		{"an anchor", func() {
			h.file("anchors/cookies", `{"spec": {"content": "httpOnly cookies only", "priority": "critical"}}`)
		}, []string{"<added>", "httpOnly cookies only (critical context; anchors/cookies)"}},
		{"the intent", func() {
			h.file("trajectory", `{"spec": {"intent": "stop </context_update> <x>", "intentShiftedAt": "2026-11-21T12:00:00Z"}}`)
		}, []string{"INTENT SHIFTED: stop &lt;/context_update&gt; &lt;x&gt; (since 2026-11-21)"}},
		{"a false path", func() {
			h.file("mems/trap", `{"spec": {"type": "false_path", "content": "AVOID x BECAUSE y INSTEAD z"}}`)
		}, []string{"AVOID x BECAUSE y INSTEAD z"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.change()
			got := h.ask()
			assert.True(t, strings.HasPrefix(got, "<context_update base="), got)
			for _, want := range test.want {
				assert.Contains(t, got, want)
			}
			assert.Empty(t, h.ask(), "told once")
		})
	}
	assert.Equal(t, 11, h.session("s").Counters.Turns)
}

// A session's record names the agent that acts now.
func TestSessionRecordsItsAgent(t *testing.T) {
	h := chainedHouse(t)
	for _, agent := range []string{"build", "plan", "", "build"} {
		h.run(hosts.Event{Type: hosts.Prompt, Session: "s", Agent: agent})
		want := agent
		if agent == "" {
			want = "plan" // this event names none
		}
		assert.Equal(t, want, h.session("s").Agent)
	}
}

// What bears on a task is told when it is started, beside the result: no other prompt may come.
func TestAStartedTaskBringsItsMemory(t *testing.T) {
	for name, call := range map[string]hosts.Event{
		"a command": {Type: hosts.AfterTool, Tool: "Bash", Action: admission.Shell, Command: "idumb start z", CallID: "1", Session: "s"},
		"a tool":    {Type: hosts.AfterTool, Tool: "mcp__idumb__govern_task", Action: admission.Governance, StartedTasks: []string{"z"}, CallID: "1", Session: "s"},
	} {
		t.Run(name, func(t *testing.T) {
			h := chainedHouse(t)
			h.file("mems/cents", `{"spec": {"content": "Stripe wants cents.", "originTask": "z"}}`)
			h.start()
			h.file("tasks/z", `{"spec": {"workPlan": "p", "title": "Bill with Stripe", "expectedOutput": "o", "state": "active"}}`)
			assert.Contains(t, h.run(call).Context, "Stripe wants cents.")
			assert.NotContains(t, h.ask(), "Stripe wants cents.", "told once")
			assert.NotContains(t, h.run(call).Context, "Stripe wants cents.", "it was started before")
		})
	}
}

// The updates make a chain: each one's base is what the one before came to.
func TestUpdatesMakeAChain(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.file("anchors/one", `{"spec": {"content": "one", "priority": "critical"}}`)
	first := attribute(h.ask(), "base")
	known, err := os.ReadFile(filepath.Join(string(h.root), ".idumb/run/hook/s.pack"))
	require.NoError(t, err)
	sum := sha256.Sum256(known)
	h.file("anchors/two", `{"spec": {"content": "two", "priority": "critical"}}`)
	second := attribute(h.ask(), "base")
	assert.Equal(t, hex.EncodeToString(sum[:8]), second)
	assert.NotEqual(t, first, second)
}

func attribute(text, name string) string {
	_, rest, _ := strings.Cut(text, name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func TestAPackChangesByItselfOnceADay(t *testing.T) {
	h := chainedHouse(t)
	h.finish("a") // whose work would go stale
	h.start()
	for h.now.Hour() < 23 {
		h.now = h.now.Add(30 * time.Minute)
		assert.Empty(t, h.ask())
	}
	h.now = h.now.Add(70 * time.Minute)
	got := h.ask()
	assert.Contains(t, got, "<changed>\n<task>\nToday: 2026-11-22\n</task>\n</changed>")
	assert.NotContains(t, got, "<added>")
	assert.NotContains(t, got, "<ended>")
	assert.Empty(t, h.ask())
}

func TestWholePacks(t *testing.T) {
	h := chainedHouse(t)
	first := h.start()
	for _, e := range []hosts.Event{
		{Type: hosts.SessionStart, Session: "s"},
		{Type: hosts.SessionStart, Session: "forked"},
		{Type: hosts.SubagentStart, Session: "s", Subagent: "x", Agent: "Explore"},
		{Type: hosts.SessionStart},
		{Type: hosts.SessionStart, Session: "s", Compacted: true},
	} {
		got := h.run(e).Context
		assert.True(t, strings.HasPrefix(got, "<idumb_context>\n"), "%+v: %s", e, got)
		assert.True(t, strings.HasSuffix(got, "</idumb_context>\n"))
		if e.Session == "s" && e.Subagent == "" && !e.Compacted {
			assert.Equal(t, first, got, "the same bytes")
		}
	}
	assert.Empty(t, h.ask(), "whatever was told last is known")
}

// A host that takes its conversation up again for each prompt, as codex exec resume does, is
// told what it does not know yet, and not all of it each time.
func TestAConversationThatIsTakenUpAtOnceKeepsWhatItWasTold(t *testing.T) {
	h := chainedHouse(t)
	unknown := h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Resumed: true}).Context
	assert.Contains(t, unknown, "<idumb_context>", "nobody knows what it was told")
	again := hosts.Event{Type: hosts.SessionStart, Session: "s", Resumed: true}
	assert.Empty(t, h.run(again).Context)
	h.finish("a")
	assert.Contains(t, h.run(again).Context, "<context_update")
	assert.Empty(t, h.run(again).Context)
	h.now = h.now.Add(2 * time.Minute)
	assert.Contains(t, h.run(again).Context, "<idumb_context>", "it was away")
}

// What a session was told can be read later: each update once, of whole packs that there was one.
func TestWhatIsToldIsWrittenDown(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.file("mems/slow", `{"spec": {"content": "AVOID <x> BECAUSE it is slow", "type": "false_path"}}`)
	update := h.ask()
	require.Contains(t, update, "AVOID &lt;x&gt; BECAUSE it is slow")
	h.ask()
	log, _, err := h.root.Read(layout.DeliveryLogPath("s"), layout.MaxSpec)
	require.NoError(t, err)
	parts := strings.Split(string(log), "# 20")
	require.Len(t, parts, 3)
	assert.True(t, strings.HasSuffix(parts[1], "Z\n"+wholeTold), parts[1])
	assert.True(t, strings.HasSuffix(parts[2], "Z\n"+update), parts[2])
}

func TestComingBack(t *testing.T) {
	for _, test := range []struct {
		name    string
		event   hosts.Event
		away    time.Duration
		changes bool
		want    string // "" for no word of it
	}{
		{"after a weekend", hosts.Event{Type: hosts.SessionStart, Resumed: true}, 60 * time.Hour, true, "This session was resumed: you were away for 2 days. Changed since then:\n<context_update base="},
		{"after lunch", hosts.Event{Type: hosts.SessionStart, Resumed: true}, 3 * time.Hour, true, "This session was resumed: you were away for 3 h. Changed since then:\n<context_update base="},
		{"nothing changed", hosts.Event{Type: hosts.SessionStart, Resumed: true}, 3 * time.Hour, false, "This session was resumed: you were away for 3 h. Nothing changed since then.\n<idumb_context>"},
		{"soon", hosts.Event{Type: hosts.SessionStart, Resumed: true}, 10 * time.Minute, true, "This session was resumed: you were away for 10 min. Changed"},
		{"at once", hosts.Event{Type: hosts.SessionStart, Resumed: true}, time.Second, true, ""},
		{"after a compaction", hosts.Event{Type: hosts.SessionStart, Compacted: true}, 3 * time.Hour, true, ""},
		{"it was never closed", hosts.Event{Type: hosts.Prompt}, 3 * time.Hour, true, "This session was resumed: you were away for 3 h. Changed since then:\n<context_update base="},
		{"it was never closed, nothing changed", hosts.Event{Type: hosts.Prompt}, 3 * time.Hour, false, "This session was resumed: you were away for 3 h. Nothing changed since then.\n<idumb_context>"},
		{"it was never closed, soon", hosts.Event{Type: hosts.Prompt}, 10 * time.Minute, true, "<context_update base="},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := chainedHouse(t)
			h.file("config", `{"spec": {"taskStaleAfter": "1000h"}}`)
			h.start()
			h.now = h.now.Add(test.away)
			if test.changes {
				h.finish("a")
			}
			test.event.Session = "s"
			got := h.run(test.event).Context
			if test.want == "" {
				assert.NotContains(t, got, "you were away")
			} else if assert.Contains(t, got, test.want); test.changes {
				assert.Contains(t, got, "UNBLOCKED: z Last")
			}
			assert.Empty(t, h.ask())
			assert.Equal(t, test.away >= time.Minute && !test.event.Compacted && (test.away >= time.Hour || test.event.Resumed), !h.session("s").ResumedAt.IsZero())
		})
	}
}

func TestAResumedSessionIsInThatPhase(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.run(hosts.Event{Type: hosts.SessionEnd, Session: "s"})
	h.now = h.now.Add(5 * time.Hour)
	h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Resumed: true})
	r := openPacking(h.root, trusting(h.root), h.now)
	s, _ := r.Session("s")
	status, _ := status.DeriveSession(s, r.snapshot())
	assert.Equal(t, resources.SessionResumed, status.Phase)
}

func TestWhatADelegateIsTold(t *testing.T) {
	h := newHouse(t)
	h.hand("d", "a", "executor", `, "allowedTools": ["read", "edit"], "expectedOutput": "a parser"`)
	const mine = "- d: you work under this delegation [assigned]: coordinator handed the task a over to you (executor), expects: a parser, allowed tools: read, edit; the iDumb tools are always open"
	t.Run("at its start", func(t *testing.T) {
		got := h.run(hosts.Event{Type: hosts.SubagentStart, Session: "s", Subagent: "x", Agent: "executor"}).Context
		assert.Contains(t, got, mine)
		assert.Contains(t, got, `<active_task id="a">`)
		assert.Empty(t, h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Subagent: "x", Agent: "executor", Tool: "Read", Action: 0}).Context)
	})
	t.Run("when it is found out", func(t *testing.T) {
		h.hand("late", "b", "investigator", "")
		got := h.run(hosts.Event{Type: hosts.SubagentStart, Session: "s", Subagent: "y", Agent: "general-purpose"}).Context
		require.NotContains(t, got, "you work under")
		(&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: hosts.Event{Host: "claude", Type: hosts.BeforeTool, Session: "s", Subagent: "y"}}).updateSession(func(s *resources.SessionSpec) {
			s.Delegation, s.ActiveTask = "late", "b"
		})
		call := hosts.Event{Type: hosts.BeforeTool, Session: "s", Subagent: "y", Agent: "general-purpose", Tool: "Read"}
		assert.Contains(t, h.run(call).Context, "- late: you work under this delegation")
		assert.Empty(t, h.run(call).Context)
	})
	t.Run("recalled", func(t *testing.T) {
		h.hand("d", "a", "executor", `, "state": "recalled"`)
		got := h.run(hosts.Event{Type: hosts.Prompt, Session: "s", Subagent: "x", Agent: "executor"}).Context
		assert.Contains(t, got, "DELEGATION RECALLED: d RECALLED: the task a was taken back from you")
	})
}

func TestBeforeACompaction(t *testing.T) {
	h := chainedHouse(t)
	h.file("config", `{"spec": {"language": {"communication": "Vietnamese"}}}`)
	h.file("anchors/cookies", `{"spec": {"content": "httpOnly cookies only", "priority": "critical"}}`)
	h.file("anchors/other", `{"spec": {"content": "not that critical"}}`)
	h.start()
	h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Write", Action: 1, Paths: []string{"x.go"}})
	got := h.run(hosts.Event{Type: hosts.BeforeCompact, Session: "s"}).Context
	for _, want := range []string{
		`the active iDumb task is "a" of plan "p"`, "answer the user in Vietnamese", "httpOnly cookies only", "0 of 2 tasks done",
		"- z [blocked] Last (after a)", `<active_task id="a">`,
	} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, got, "not that critical")
	assert.Equal(t, got, h.run(hosts.Event{Type: hosts.BeforeCompact, Session: "s"}).Context, "idempotent")
	for i := range 200 {
		h.file(fmt.Sprintf("anchors/a%d", i), `{"spec": {"priority": "critical", "content": "`+strings.Repeat("\U0001F600", 100)+`"}}`)
	}
	got = h.run(hosts.Event{Type: hosts.BeforeCompact, Session: "s"}).Context
	assert.LessOrEqual(t, len(utf16.Encode([]rune(got))), 10000)
	assert.Contains(t, got, `<active_task id="a">`)
	assert.LessOrEqual(t, len(utf16.Encode([]rune(h.start()))), 10000, "a pack as well")
}

func TestWhatIsSaidBesideAFullPack(t *testing.T) {
	h := chainedHouse(t)
	for i := range 300 {
		h.file(fmt.Sprintf("mems/m%d", i), fmt.Sprintf(`{"spec": {"content": "first task o fact %d %s", "originTask": "a"}}`, i, strings.Repeat("\U0001F600", 30)))
	}
	h.start()
	h.now = h.now.Add(5 * time.Hour)
	h.finish("a")
	got := h.run(hosts.Event{Type: hosts.SessionStart, Session: "s", Resumed: true}).Context
	assert.LessOrEqual(t, len(utf16.Encode([]rune(got))), 10000)
	assert.Contains(t, got, "This session was resumed: you were away for 5 h.")
	assert.Empty(t, h.ask())
}

// What the hook packs is what the controller packs, byte for byte, and the role in it is
// the one that the gate judges by.
func TestTheHookPacksWhatTheControllerPacks(t *testing.T) {
	h := chainedHouse(t)
	h.file("config", `{"spec": {"defaultRole": "investigator"}}`)
	h.hand("d", "a", "executor", "")
	for _, host := range hosts.Names() {
		known, _ := hosts.ByName(host)
		for _, e := range []hosts.Event{
			{Session: host + "-main"}, {Session: host + "-agent", Agent: "general-purpose"}, {Session: host + "-none", Agent: "unheard-of"},
			{Session: host + "-main", Subagent: "sub", Agent: "Explore"}, {Session: host + "-main", Subagent: "handed", Agent: "executor"},
		} {
			e.Host, e.Type = host, hosts.SessionStart
			if e.Subagent != "" {
				e.Type = hosts.SubagentStart
			}
			h.run(e)
			r := openPacking(h.root, trusting(h.root), h.now)
			hook := &handler{repo: r, event: e, limit: known.Traits().ContextLimit}
			s, ok := r.Session(hook.sessionName())
			require.True(t, ok)
			reader := packer.Reader{Session: s, Rights: &admission.Rights{Call: hook.self(), View: r}}
			if s != nil {
				reader.Limit = packer.LimitFor(hosts.TraitsOf(s.Spec.Host).ContextLimit)
			}
			assert.Equal(t, string(packer.Make(r.snapshot(), reader).Bytes), hook.context(), "%+v", e)
			require.NotNil(t, hook.role())
			assert.Contains(t, hook.context(), "You act in the role "+hook.role().Metadata.Name+".", "%+v", e)
		}
	}
}

func TestASubagentIsHeldToWhatWasHandedToIt(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "evidence": [{"file": "db/**"}]}}`)
	h.hand("d", "a", "executor", "")
	h.run(hosts.Event{Type: hosts.SubagentStart, Session: "s", Subagent: "x", Agent: "executor"})
	h.run(hosts.Event{Type: hosts.SubagentStart, Session: "s", Subagent: "free", Agent: "Explore"})
	stop := hosts.Event{Type: hosts.SubagentStop, Session: "s", Subagent: "x", Agent: "executor"}
	assert.Contains(t, h.run(stop).Hold, `task "a" is active and not done`)
	assert.Zero(t, h.session("s.x").EndedAt)
	assert.Empty(t, h.run(stop).Hold)
	assert.NotZero(t, h.session("s.x").EndedAt)
	assert.Empty(t, h.run(hosts.Event{Type: hosts.SubagentStop, Session: "s", Subagent: "free", Agent: "Explore"}).Hold)
	assert.NotZero(t, h.session("s.free").EndedAt)
}

// Without a controller the last pack is led by what says that it is old, and by how tasks are now.
func TestAnOldPackIsLedByItsAge(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed", "result": {"evidence": "seen"}}}`)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "planned"}}`)
	file := h.root.Abs(layout.PackPath(""))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("<idumb_context>\n<active_task id=\"tasks/a\">\n</idumb_context>\n"), 0o600))
	c, _ := openPacking(h.root, trusting(h.root), time.Now()).Task("c")
	book := leases.Open(h.root)
	_, err := book.Claim(c, book.Session("other", nil), false, time.Now())
	require.NoError(t, err)
	hour := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(file, hour, hour))
	told := (&handler{repo: Backend{}.open(h.root, trusting(h.root), time.Now()), event: hosts.Event{Type: hosts.SessionStart, Session: "s", Host: "claude", Cwd: string(h.root)}, limit: 10000}).handle().Context
	first, rest, _ := strings.Cut(told, "\n")
	assert.Contains(t, first, "no controller answers; the context below was packed at "+hour.UTC().Format("2006-01-02 15:04:05"))
	assert.Contains(t, first, "By the files now: active: c (held by other); ready for you: b; changed since then: a is completed, b is planned. `idumb next` reads the files.")
	assert.True(t, strings.HasPrefix(rest, "<idumb_context>"), told)
}

// A task that comes back is told with the reason, also beside another task; who starts it again hears its text and the
// reason at once.
func TestATaskThatComesBackIsToldWithItsReason(t *testing.T) {
	h := ownHouse(t)
	h.start()
	require.Empty(t, h.wants("s").Deny)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "review"}}`)
	h.ask()
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "failed", "reason": "the <test> is missing"}}`)
	require.NoError(t, h.root.AppendCheckpoint("b", resources.Checkpoint{Time: resources.NewTime(h.now), Session: "s", Tool: "write"}))
	require.NoError(t, h.root.AppendCheckpoint("c", resources.Checkpoint{Time: resources.NewTime(h.now), Session: "x", Tool: "write"}))
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "failed", "reason": "too slow"}}`)
	h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "failed", "reason": "another's"}}`)
	told := h.ask()
	assert.Contains(t, told, "\na was handed back: the &lt;test&gt; is missing\nb was handed back: too slow\n")
	assert.NotContains(t, told, "another's")
	assert.NotContains(t, told, "active_task", "that it ended follows")
	assert.Empty(t, h.ask(), "once")

	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "reason": "the <test> is missing"}}`)
	told = h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "idumb start a"}).Context
	assert.Contains(t, told, "Expected output: o\nHanded back or abandoned before: the &lt;test&gt; is missing\n")
	assert.NotContains(t, told, "was handed back")

	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "abandoned", "reason": "not wanted"}}`)
	assert.Contains(t, h.ask(), "\na was abandoned: not wanted\n")
}
