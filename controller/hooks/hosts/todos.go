package hosts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// todoState returns the state of a to-do item for the word of a host. The state of an unknown word is empty.
func todoState(word string) string {
	switch word {
	case "pending", "blocked":
		return resources.TodoPending
	case "in_progress", "active":
		return resources.TodoActive
	case "completed", "complete", "done":
		return resources.TodoDone
	case "cancelled", "deleted":
		return resources.TodoCancelled
	}
	return ""
}

// todoChange returns the change of the agent's to-do list by a call that succeeded, or nil. response is the
// host's result of the call; nil if the host does not send it.
func todoChange(tool string, args, response Object) *resources.TodoChange {
	switch strings.TrimPrefix(tool, "functions.") {
	case "TodoWrite", "todowrite", "write_todos":
		return wholeList(args["todos"])
	case "update_plan":
		return wholeList(args["plan"])
	case "sql":
		return sqlTodos(args.Text("query"))
	case "update_todo":
		return markdownTodos(args.Text("todos"))
	case "TaskCreate":
		task := response.Object("task")
		return one(resources.Todo{ID: task.Text("id"), Text: firstText(args, "subject", "description"), State: resources.TodoPending})
	case "TaskUpdate":
		id := args.Text("taskId")
		if args.Text("status") == "deleted" {
			return &resources.TodoChange{Removed: []string{id}}
		}
		c := one(resources.Todo{ID: id, Text: args.Text("subject"), State: todoState(args.Text("status")), BlockedBy: textsOf(args["addBlockedBy"])})
		if c != nil {
			c.Blocks = textsOf(args["addBlocks"])
		}
		return c
	case "create_goal":
		return one(resources.Todo{ID: goalID, Text: args.Text("objective"), State: resources.TodoActive})
	case "update_goal":
		return one(resources.Todo{ID: goalID, State: todoState(args.Text("status"))})
	case "ExitPlanMode":
		if plan := firstText(response, "plan"); plan != "" {
			return &resources.TodoChange{Plan: plan}
		}
	}
	return nil
}

// goalID is the ID of the item for the goal of a Codex session, which has one goal at most.
const goalID = "goal"

// one returns the change of one item, or nil if the item has no ID.
func one(t resources.Todo) *resources.TodoChange {
	if t.ID == "" {
		return nil
	}
	return &resources.TodoChange{Items: []resources.Todo{t}}
}

// wholeList returns the change that replaces the list, or nil if the argument is not a list.
func wholeList(list json.RawMessage) *resources.TodoChange {
	if !bytes.HasPrefix(bytes.TrimSpace(list), []byte("[")) {
		return nil
	}
	c := &resources.TodoChange{Whole: true}
	for _, item := range Items(list) {
		o, err := ReadObject(item)
		if err != nil {
			continue
		}
		state := cmp.Or(todoState(o.Text("status")), resources.TodoPending)
		c.Items = append(c.Items, resources.Todo{Text: firstText(o, "content", "step", "description", "text"), State: state})
	}
	return c
}

// firstText returns the first of some members that is a non-empty text.
func firstText(o Object, keys ...string) string {
	for _, key := range keys {
		if text := strings.TrimSpace(o.Text(key)); text != "" {
			return text
		}
	}
	return ""
}
