package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// script runs a line of which nobody can tell what it does, and what it does, in a session.
func (h *house) script(session, call string, does func()) hosts.Answer {
	h.t.Helper()
	e := hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: session, CallID: call, Tool: "Bash", Action: admission.Shell, Command: "python3 tool.py " + call}
	require.Empty(h.t, h.run(e).Deny)
	does()
	e.Type = hosts.AfterTool
	return h.run(e)
}

func (h *house) reads(name string) string {
	data, err := os.ReadFile(h.root.Abs(".idumb/" + name))
	require.NoError(h.t, err)
	return string(data)
}

// What a script did to the person's plan is told when it has run, and counts; an agent's own and
// what a command did do not.
func TestWhatAScriptDidToThePlanIsJudged(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/first", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/mine", personsTask)
	h.file("tasks/own", agentsTask)
	h.start()
	assert.Empty(t, h.script("s", "0", func() {}).LateReason, "nothing changed")
	a := h.script("s", "1", func() {
		h.file("tasks/mine", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
		h.file("tasks/own", `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	})
	assert.Contains(t, a.LateReason, "drop a dependency of task/mine (a user planned it)")
	assert.NotContains(t, a.LateReason, "own")
	assert.Equal(t, []string{resources.ReasonGotThrough}, reasonsOf(t, h))
	assert.Equal(t, 1, h.session("s").Counters.Violations)
	notice := h.run(hosts.Event{Type: hosts.Prompt, Host: "codex", Session: "s", Text: "go on"}).Notice
	assert.Contains(t, notice, "drop a dependency of task/mine")
	assert.Empty(t, h.run(hosts.Event{Type: hosts.Prompt, Host: "codex", Session: "s", Text: "go on"}).Notice, "once")

	assert.Empty(t, h.script("s", "2", func() {
		text := `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "abandoned"}}`
		h.file("tasks/mine", text)
		h.root.RecordWrites([]layout.WriteEntry{{Time: time.Now(), Key: resources.Key{Kind: resources.Tasks, Name: "mine"}, Rev: resources.Revision([]byte(text))}})
	}).LateReason, "a command judged it")
}

// Where somebody else was at work, nobody knows who it was, and it counts for nobody.
func TestWhatChangedMeanwhileCountsForNobody(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/mine", personsTask)
	h.start()
	h.run(hosts.Event{Type: hosts.SessionStart, Host: "codex", Session: "other"})
	a := h.script("s", "1", func() {
		h.script("other", "x", func() {})
		h.file("tasks/mine", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "abandoned"}}`)
	})
	assert.Empty(t, a.LateReason)
	assert.Empty(t, reasonsOf(t, h))
	events, err := records.Events(h.root)
	require.NoError(t, err)
	require.NotEmpty(t, events)
	last := events[len(events)-1]
	assert.Equal(t, "ChangedMeanwhile", last.Reason)
	assert.Contains(t, last.Message, "changed during the call, by an unknown writer: abandon task/mine")
}

// A script that removes what is planned opens nothing, without a controller either.
func TestARemovedTaskOpensNothing(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/mine", personsTask)
	h.file("tasks/first", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.start()
	write := hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"src/a.go"}}
	denied := h.run(write).Deny
	require.NotEmpty(t, denied)
	a := h.script("s", "1", func() {
		for _, file := range []string{"tasks/mine", "tasks/first", "workplans/p"} {
			require.NoError(t, os.Remove(h.root.Abs(".idumb/"+file+".json")))
		}
	})
	assert.Contains(t, a.LateReason, "remove task/mine")
	assert.Contains(t, a.LateReason, "remove workplan/p")
	assert.Contains(t, h.run(write).Deny, "write denied")
	assert.NotNil(t, h.root.MarkOf(resources.Key{Kind: resources.Tasks, Name: "mine"}))
}

// What an agent wrote as a file is an agent's, and may be changed by agents.
func TestAFileOfAPlanSaysWhoseItIs(t *testing.T) {
	h := newHouse(t)
	h.start()
	text := `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`
	args, err := hosts.ReadObject([]byte(`{"content": "{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"o\"}}"}`))
	require.NoError(t, err)
	e := hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", CallID: "1", Tool: "Write", Action: admission.Write, Paths: []string{".idumb/tasks/new.json"}, Args: args}
	require.Empty(t, h.run(e).Deny)
	h.file("tasks/new", text)
	e.Type = hosts.AfterTool
	h.run(e)
	assert.Contains(t, h.reads("tasks/new.json"), `"idumb.dev/made-by": "s"`)
	h.script("s", "2", func() { h.file("tasks/by-script", text) })
	assert.Contains(t, h.reads("tasks/by-script.json"), `"idumb.dev/made-by": "s"`)
	h.file("tasks/persons", text)
	h.script("s", "3", func() {})
	assert.NotContains(t, h.reads("tasks/persons.json"), "made-by")
}

// A commit explains that a file is gone only if it is what took it.
func TestACommitBesideARemovalExplainsNothing(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/first", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/mine", personsTask)
	git := func(args ...string) {
		out, err := exec.Command("git", append([]string{"-C", string(h.root), "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("init", "-q", "-b", "main")
	git("add", ".idumb/tasks/first.json")
	git("commit", "-qm", "one")
	git("checkout", "-qb", "without")
	git("rm", "-q", "--cached", ".idumb/tasks/first.json")
	git("commit", "-qm", "two")
	git("checkout", "-qf", "main")
	h.start()
	h.script("s", "1", func() {})
	h.script("s", "2", func() {
		git("commit", "-q", "--allow-empty", "-m", "three")
		require.NoError(t, os.Remove(h.root.Abs(".idumb/tasks/mine.json")))
	})
	assert.NotNil(t, h.root.MarkOf(resources.Key{Kind: resources.Tasks, Name: "mine"}), "git never had it")
	h.script("s", "3", func() { git("checkout", "-q", "without") })
	assert.NoFileExists(t, h.root.Abs(".idumb/tasks/first.json"))
	assert.Nil(t, h.root.MarkOf(resources.Key{Kind: resources.Tasks, Name: "first"}), "git took it")
}

// A commit explains no removal that comes after it, however soon.
func TestARemovalJustBehindACommitIsTold(t *testing.T) {
	h := newHouse(t)
	git := func(args ...string) { gitIn(t, string(h.root), args...) }
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "one")
	h.file("tasks/mine", personsTask)
	h.start()
	git("add", ".idumb/tasks/mine.json")
	git("commit", "-qm", "two")
	h.script("s", "1", func() {})
	h.script("s", "2", func() { require.NoError(t, h.root.Remove(".idumb/tasks/mine.json")) })
	assert.NotNil(t, h.root.MarkOf(resources.Key{Kind: resources.Tasks, Name: "mine"}))
}

// A controller that came up while a call ran judges it by what the hook saw before.
func TestACallIsJudgedThoughSomebodyElseAnswersAfterIt(t *testing.T) {
	h := newHouse(t)
	h.now = time.Now()
	h.file("tasks/first", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/mine", personsTask)
	h.start()
	h.script("s", "0", func() {})
	e := hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", CallID: "1", Tool: "Bash", Action: admission.Shell, Command: "python3 tool.py", Cwd: string(h.root)}
	h.now = time.Now()
	require.Empty(t, (&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, limit: 10000}).handle().Deny)
	h.file("tasks/mine", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	require.NoError(t, h.root.Replace(layout.ControllerFile, []byte("{}")))
	e.Type = hosts.AfterTool
	by := Backend{Reader: readFiles(h.root), Specs: NewSpecs()}.open(h.root, trusting(h.root), time.Now())
	assert.Contains(t, (&handler{repo: by, event: e, limit: 10000}).handle().LateReason, "drop a dependency of task/mine")
}

// An editor that saves while the hook has the maker noted never loses its save.
func TestAnEditorsSaveSurvivesTheNote(t *testing.T) {
	h := newHouse(t)
	h.start()
	for i := range 40 {
		name := fmt.Sprintf("tasks/n%d", i)
		path, saved := h.root.Abs(".idumb/"+name+".json"), make(chan error)
		h.script("s", fmt.Sprint(i), func() {
			h.file(name, `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
			go func() {
				time.Sleep(time.Duration(i) * 400 * time.Microsecond)
				err := os.WriteFile(path+"~", []byte(`{"spec": {"workPlan": "p", "expectedOutput": "edited"}}`), 0o644)
				saved <- errors.Join(err, os.Rename(path+"~", path))
			}()
		})
		require.NoError(t, <-saved)
		require.Contains(t, h.reads(name+".json"), "edited")
		require.NoError(t, os.Remove(path))
	}
}

// A hook writes no spec by itself: without a controller it queues what is to be written.
func TestAHookQueuesWhatItWrites(t *testing.T) {
	h := newHouse(t)
	h.start()
	h.file("tasks/new", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	data := h.reads("tasks/new.json")
	answer := &handler{repo: openPacking(h.root, trusting(h.root), h.now), event: hosts.Event{Host: "codex", Session: "s"}, limit: 10000}
	key := resources.Key{Kind: resources.Tasks, Name: "new"}
	object, _ := answer.repo.Get(key)
	answer.madeBy(specChange{key: key, new: object})
	answer.madeBy(specChange{key: key, new: object})
	assert.Equal(t, data, h.reads("tasks/new.json"))
	waiting := requests.Waiting(h.root)
	require.Len(t, waiting, 1, "the same wish is queued once")
	assert.Equal(t, "note-maker task/new", waiting[0].String())

	carried := 0
	answer.repo.carrier = func(_ context.Context, w requests.Request) error { carried++; return nil }
	answer.madeBy(specChange{key: key, new: object})
	assert.Equal(t, 1, carried, "a controller carries it out at once")
	assert.Len(t, requests.Waiting(h.root), 1)
	h.drain()
	assert.Contains(t, h.reads("tasks/new.json"), `"idumb.dev/made-by": "s"`)
}

// An agent's edit tool writes no token into a file of .idumb.
func TestAFileOfOursHoldsNoToken(t *testing.T) {
	h := newHouse(t)
	h.start()
	write := func(file, content string) string {
		args, err := hosts.ReadObject([]byte(`{"content": "` + content + `"}`))
		require.NoError(t, err)
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{file}, Args: args}).Deny
	}
	assert.Contains(t, write(".idumb/mems/m.json", `{\"spec\": {\"content\": \"one\\nghp_abcdefghijklmnop1234\"}}`), "with a token (ghp_...)")
	assert.Contains(t, write(".idumb/tasks/n.json", `{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"sk-0123456789abcdefghij\"}}`), "with a token (sk-0...)")
	assert.NotContains(t, write(".idumb/mems/m.json", `{\"spec\": {\"content\": \"rotate the token\"}}`), "a token")
	assert.NotContains(t, write("src/a.go", `ghp_abcdefghijklmnop1234`), "a token")

	line := "cat > .idumb/mems/m.json <<EOF\n{\"spec\": {\"content\": \"ghp_abcdefghijklmnop1234\"}}\nEOF"
	assert.Contains(t, h.run(hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Tool: "Bash", Action: admission.Shell, Command: line}).Deny, "with a token (ghp_...)")
	logs, err := filepath.Glob(h.root.Abs(layout.EventsDir) + "/*.jsonl")
	require.NoError(t, err)
	require.Len(t, logs, 1)
	logged, err := os.ReadFile(logs[0])
	require.NoError(t, err)
	assert.Contains(t, string(logged), "EOF")
	assert.NotContains(t, string(logged), "ghp_abcdefghijklmnop1234")
}
