package hosts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// listText returns the text of an item in the forms that agents write.
var listText = [...]func(i int) string{
	func(i int) string { return fmt.Sprintf("Add the route /v%d", i) },
	func(i int) string { return fmt.Sprintf("**Step %d**: fix `src/a%d.ts:%d`", i, i, i*10) },
	func(i int) string { return fmt.Sprintf("Überprüfe 第%d項 🌱 مرحبا", i) },
	func(i int) string { return fmt.Sprintf("Say \"no\" to <b>%d</b> & C:\\dir\\%d", i, i) },
	func(i int) string { return fmt.Sprintf("1.%d) nested\n   - part of %d\n\t- rest", i, i) },
}

// listStates returns the states of the items of a list at a point of the work.
var listStates = [...]func(i, n int) string{
	func(i, n int) string { return "pending" },
	func(i, n int) string { return map[bool]string{true: "in_progress", false: "pending"}[i == 0] },
	func(i, n int) string { return [...]string{"completed", "in_progress", "pending"}[min(i, 2)] },
	func(i, n int) string { return map[bool]string{true: "completed", false: "pending"}[i%2 == 0] }, // out of order
	func(i, n int) string { return "completed" },
}

// wantItems returns the items that a list must have.
func wantItems(n int, text func(int) string, state func(i, n int) string, id bool) []resources.Todo {
	words := map[string]string{"pending": resources.TodoPending, "in_progress": resources.TodoActive, "completed": resources.TodoDone}
	items := []resources.Todo{}
	for i := range n {
		t := resources.Todo{Text: strings.Join(strings.Fields(text(i)), " "), State: words[state(i, n)]}
		if id {
			t.ID = fmt.Sprint(i + 1)
		}
		items = append(items, t)
	}
	return items
}

// Lists in the forms of the hosts, their texts and their states are mirrored item by item: 304 lists, each sent first
// as a plan, then again with its states.
func TestListsOfAllForms(t *testing.T) {
	sent := func(v any) string {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		return string(data)
	}
	after := func(tool string, input, response any) string {
		return sent(map[string]any{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": tool, "tool_input": input, "tool_response": response})
	}
	whole := func(n int, key string, text func(int) string, state func(i, n int) string, more map[string]any) []map[string]any {
		list := []map[string]any{}
		for i := range n {
			item := map[string]any{key: text(i), "status": state(i, n)}
			for k, v := range more {
				item[k] = v
			}
			list = append(list, item)
		}
		return list
	}
	type lister func(n int, text func(int) string, state func(i, n int) string) []string
	for _, form := range []struct {
		name string
		host Host
		id   bool
		send lister
	}{
		{"TaskCreate", claude, true, func(n int, text func(int) string, state func(i, n int) string) (events []string) {
			for i := range n {
				id := fmt.Sprint(i + 1)
				events = append(events, after("TaskCreate", map[string]any{"subject": text(i), "description": "more", "activeForm": "Doing"}, map[string]any{"task": map[string]any{"id": id, "subject": text(i)}}))
				if state(i, n) == "completed" {
					events = append(events, after("TaskUpdate", map[string]any{"taskId": id, "status": "in_progress"}, map[string]any{"success": true}))
				}
				events = append(events, after("TaskUpdate", map[string]any{"taskId": id, "status": state(i, n)}, map[string]any{"success": true}))
			}
			return events
		}},
		{"TodoWrite", claude, false, func(n int, text func(int) string, state func(i, n int) string) []string {
			return []string{after("TodoWrite", map[string]any{"todos": whole(n, "content", text, state, map[string]any{"activeForm": "Doing"})}, map[string]any{"oldTodos": []any{}})}
		}},
		{"todowrite", OpenCode{}, false, func(n int, text func(int) string, state func(i, n int) string) []string {
			return []string{sent(map[string]any{"hook": "tool.after", "session": "s", "tool": "todowrite", "todos": whole(n, "content", text, state, map[string]any{"priority": "high", "id": "x"})})}
		}},
		{"update_plan", codex, false, func(n int, text func(int) string, state func(i, n int) string) []string {
			return []string{after("update_plan", map[string]any{"explanation": "why", "plan": whole(n, "step", text, state, nil)}, "Plan updated")}
		}},
	} {
		lists := 0
		for _, n := range []int{0, 1, 3, 20} {
			for k, text := range listText {
				for s, state := range listStates {
					if n == 0 && k+s > 0 {
						continue
					}
					lists++
					var l resources.TodoList
					for _, states := range []func(i, n int) string{listStates[0], state} {
						for _, event := range form.send(n, text, states) {
							e, err := form.host.Parse([]byte(event))
							require.NoError(t, err)
							require.NotNil(t, e.Todos, event)
							l.Apply(e.Todos)
						}
					}
					got := append([]resources.Todo{}, l.Items...)
					require.Equal(t, wantItems(n, text, state, form.id), got, "%s, %d items, text %d, states %d", form.name, n, k, s)
				}
			}
		}
		assert.Equal(t, 76, lists, form.name)
	}
}

// What agents do to lists over time: rename, delete, reorder, merge, and write what is no list.
func TestChangesOfLists(t *testing.T) {
	task := func(input string) string {
		return `{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "TaskUpdate", "tool_input": ` + input + `, "tool_response": {"success": true}}`
	}
	create := func(id, subject string) string {
		return `{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "TaskCreate", "tool_input": {"subject": "` + subject + `"}, "tool_response": {"task": {"id": "` + id + `"}}}`
	}
	todos := func(list string) string {
		return `{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "TodoWrite", "tool_input": {"todos": ` + list + `}, "tool_response": {}}`
	}
	for _, c := range []struct {
		name   string
		events []string
		want   string // TEXT=STATE of each item
	}{
		{"renamed", []string{create("1", "A"), create("2", "B"), task(`{"taskId": "1", "subject": "A2"}`)}, "A2=pending B=pending"},
		{"deleted", []string{create("1", "A"), create("2", "B"), task(`{"taskId": "1", "status": "deleted"}`)}, "B=pending"},
		{"unknown state", []string{create("1", "A"), task(`{"taskId": "1", "status": "paused"}`)}, "A=pending"},
		{"owner only", []string{create("1", "A"), task(`{"taskId": "1", "owner": "me"}`)}, "A=pending"},
		{"back to pending", []string{create("1", "A"), task(`{"taskId": "1", "status": "in_progress"}`), task(`{"taskId": "1", "status": "pending"}`)}, "A=pending"},
		{"update before create", []string{task(`{"taskId": "1", "status": "completed"}`), create("1", "A")}, "A=pending"},
		{"same id twice", []string{create("1", "A"), create("1", "B")}, "B=pending"},
		{"reordered", []string{todos(`[{"content": "A", "status": "pending"}, {"content": "B", "status": "completed"}]`), todos(`[{"content": "B", "status": "completed"}, {"content": "A", "status": "in_progress"}]`)}, "B=done A=active"},
		{"emptied", []string{todos(`[{"content": "A", "status": "pending"}]`), todos(`[]`)}, ""},
		{"same text twice", []string{todos(`[{"content": "A", "status": "completed"}, {"content": "A", "status": "pending"}]`)}, "A=done A=pending"},
		{"no text", []string{todos(`[{"content": " ", "status": "pending"}, {"status": "pending"}, 7, null, {"content": "A", "status": "pending"}]`)}, "A=pending"},
		{"no status", []string{todos(`[{"content": "A"}, {"content": "B", "status": 3}]`)}, "A=pending B=pending"},
		{"cancelled", []string{todos(`[{"content": "A", "status": "cancelled"}]`)}, "A=cancelled"},
		{"null", []string{todos(`[{"content": "A"}]`), todos(`null`)}, "A=pending"},
	} {
		var l resources.TodoList
		for _, event := range c.events {
			e, err := claude.Parse([]byte(event))
			require.NoError(t, err, c.name)
			if e.Todos != nil {
				l.Apply(e.Todos)
			}
		}
		var got []string
		for _, item := range l.Items {
			got = append(got, item.Text+"="+item.State)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}
