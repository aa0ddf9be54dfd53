package hooks

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// recordedWords returns the words that occur in a file below .idumb.
func (h *house) recordedWords(words ...string) (found []string) {
	var all strings.Builder
	require.NoError(h.t, filepath.WalkDir(h.root.Abs(layout.Dir), func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(file)
			all.Write(data)
		}
		return err
	}))
	for _, word := range words {
		if strings.Contains(all.String(), word) {
			found = append(found, word)
		}
	}
	return found
}

// Each value of config.record keeps more of a session than the next one.
func TestRecord(t *testing.T) {
	for _, c := range []struct {
		record string
		want   []string
	}{
		{"", []string{"zebra", "giraffe", "lion.go", "deploy", "tiger", "panda"}},
		{"full", []string{"zebra", "giraffe", "lion.go", "deploy", "tiger", "panda"}},
		{"names", []string{"lion.go", "deploy"}},
		{"none", nil},
	} {
		h := newHouse(t)
		h.file("config", `{"spec": {"record": "`+c.record+`"}}`)
		if c.record == "" {
			h.file("config", `{"spec": {}}`)
		}
		h.run(startOf("one"))
		h.run(hosts.Event{Type: hosts.Prompt, Session: "one", Text: "elephant"})
		shell := hosts.Event{Type: hosts.BeforeTool, Session: "one", Tool: "Bash", Action: admission.Shell, Command: "X=1 ./bin/deploy giraffe"}
		h.run(shell)
		shell.Type = hosts.AfterTool
		h.run(shell)
		h.run(hosts.Event{Type: hosts.BeforeTool, Session: "one", Tool: "Read", Action: admission.Read, Paths: []string{"lion.go"}})
		h.run(todoCall("one", resources.Todo{Text: "Feed the tiger", State: resources.TodoPending}))
		h.run(hosts.Event{Type: hosts.Waits, Session: "one", WaitsFor: resources.WaitsForAnswer, Text: "Feed the panda?"})
		assert.NotEmpty(t, h.session("one").State)
		asked := h.recordedWords("panda")
		h.run(hosts.Event{Type: hosts.Stop, Session: "one", Text: "I fed the zebra."})
		h.run(hosts.Event{Type: hosts.SessionEnd, Session: "one"})
		assert.ElementsMatch(t, c.want, append(asked, h.recordedWords("zebra", "giraffe", "lion.go", "deploy", "tiger", "elephant")...), "record: %q", c.record)
		assert.Equal(t, 1, strings.Count(string(notesOf(h.root, "one", notesCalls)), " Bash "), "calls are counted")
	}
}

// Each value of config.planning.mirror.
func TestMirror(t *testing.T) {
	lists := func(spec string) *house {
		h := newHouse(t)
		h.file("config", `{"spec": `+spec+`}`)
		h.run(startOf("one"))
		h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoActive}))
		h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoDone}, resources.Todo{Text: "Do y", State: resources.TodoActive}))
		h.run(hosts.Event{Type: hosts.SessionEnd, Session: "one"})
		return h
	}
	const plan = ".idumb/workplans/to-do-list-of-claude-one.json"
	for _, spec := range []string{`{}`, `{"planning": {"mirror": "show"}}`} {
		h := lists(spec)
		assert.Contains(t, h.run(startOf("two")).Context, "Left open by claude/one", spec)
		assert.NoFileExists(t, h.root.Abs(plan), spec)
	}
	for _, spec := range []string{`{"planning": {"mirror": "off"}}`, `{"record": "names"}`} {
		h := lists(spec)
		assert.NotContains(t, h.run(startOf("two")).Context, "Left open", spec)
		assert.Empty(t, TodoLists(h.root), spec)
		assert.NoFileExists(t, h.root.Abs(plan), spec)
	}

	h := lists(`{"planning": {"mirror": "tasks"}}`)
	made := objectOf[*resources.WorkPlan](h.root, resources.Key{Kind: resources.WorkPlans, Name: "to-do-list-of-claude-one"})
	require.NotNil(t, made)
	assert.Equal(t, resources.PlanDraft, resources.PlanState(made))
	l, _ := TodoListOf(h.root, "one")
	require.Len(t, l.Items, 2)
	for i, title := range []string{"Do x", "Do y"} {
		task := objectOf[*resources.Task](h.root, resources.Key{Kind: resources.Tasks, Name: l.Items[i].Task})
		require.NotNil(t, task, title)
		assert.Equal(t, []string{title, "", made.Metadata.Name}, []string{task.Spec.Title, task.Spec.State, task.Spec.WorkPlan}, "a draft starts nothing")
	}
	assert.Contains(t, h.run(startOf("two")).Context, "Left open by claude/one", "no session receives a draft")
}
