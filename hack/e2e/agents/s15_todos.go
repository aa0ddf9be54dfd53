package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// todoItems is the to-do list of the scenario. The first two items get done.
var todoItems = []string{"Dig the bed", "Buy seeds", "Sow the rows", "Water the rows", "Write the label"}

// todoHandOver tests the to-do list that the agent keeps in its host: a session that never mentions idumb makes a list
// of five items, finishes two and ends. The list must be seen, and the next session must be told of the rest once.
func todoHandOver(s *stage) {
	o := clients.Options{}
	switch s.host {
	case "claude":
		o.Env = []string{"CLAUDE_CODE_ENABLE_TODO_TOOLS=1"}
		o.Args = []string{"--tools=default,TaskCreate,TaskUpdate"}
	case "codex":
		o.Args = []string{"-c", "tools.update_plan.enabled=true"}
	}
	s.play(s.actor, o, []string{"make a garden"}, model.Lane{Name: "main", Steps: append(todoSteps(s.host), model.Say("I stop here.").Rejecting("GOVERNANCE BLOCK", "Left open"))})

	var all struct {
		Items []struct {
			Status struct {
				State string `json:"state"`
				Items []struct {
					Text  string `json:"text"`
					State string `json:"state"`
				} `json:"items"`
			} `json:"status"`
		} `json:"items"`
	}
	s.must(json.Unmarshal([]byte(s.idumb("get", "todos", "-o", "json")), &all))
	s.check(len(all.Items) == 1, "there are %d to-do lists, want 1", len(all.Items))
	if len(all.Items) != 1 {
		return
	}
	list := all.Items[0].Status
	s.check(list.State == "left-open", "the list is %s, want left-open", list.State)
	s.check(len(list.Items) == len(todoItems), "the list has %d items: %v", len(list.Items), list.Items)
	for i, item := range list.Items {
		want := "pending"
		if i < 2 {
			want = "done"
		}
		s.check(item.Text == todoItems[i] && item.State == want, "item %d is %q, %s; want %q, %s", i, item.Text, item.State, todoItems[i], want)
	}

	next, err := s.join(s.client(), 0)
	s.must(err)
	s.actor = next // with a home of its own, in which the repository is not trusted yet
	s.idumb("trust")
	s.play(next, clients.Options{}, []string{"go on"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Shell("echo hello")).Knowing("(2 of 5 done): Sow the rows; Water the rows; Write the label."),
		model.Say("Done."),
	}})
}

// todoSteps returns the steps in which the agent of a host makes the list and finishes two items.
func todoSteps(host string) []model.Step {
	list := func(done int, text string) (all []map[string]any) {
		for i, item := range todoItems {
			status := "pending"
			if i < done {
				status = "completed"
			}
			all = append(all, map[string]any{text: item, "status": status})
		}
		return all
	}
	switch host {
	case "opencode":
		withPriority := func(done int) map[string]any {
			all := list(done, "content")
			for i := range all {
				all[i]["priority"] = "medium"
			}
			return map[string]any{"todos": all}
		}
		return []model.Step{
			model.Use(model.Call{Tool: "todowrite", Input: withPriority(0)}),
			model.Use(model.Call{Tool: "todowrite", Input: withPriority(2)}),
		}
	case "copilot":
		sql := func(query string) model.Step {
			return model.Use(model.Call{Tool: "sql", Input: map[string]any{"description": "the list", "query": query}})
		}
		var rows []string
		for i, item := range todoItems {
			rows = append(rows, fmt.Sprintf("('item-%d', '%s', 'all of it')", i+1, item))
		}
		return []model.Step{
			sql("INSERT INTO todos (id, title, description) VALUES " + strings.Join(rows, ", ") + ";"),
			sql("UPDATE todos SET status = 'done' WHERE id IN ('item-1', 'item-2');"),
		}
	case "gemini":
		return []model.Step{
			model.Use(model.Call{Tool: "write_todos", Input: map[string]any{"todos": list(0, "description")}}),
			model.Use(model.Call{Tool: "write_todos", Input: map[string]any{"todos": list(2, "description")}}),
		}
	case "codex":
		return []model.Step{
			model.Use(model.Call{Tool: "update_plan", Input: map[string]any{"plan": list(0, "step")}}),
			model.Use(model.Call{Tool: "update_plan", Input: map[string]any{"plan": list(2, "step")}}),
		}
	}
	var create, finish []model.Call
	for _, item := range todoItems {
		create = append(create, model.Call{Tool: "TaskCreate", Input: map[string]any{"subject": item, "description": item}})
	}
	for i := range 2 {
		finish = append(finish, model.Call{Tool: "TaskUpdate", Input: map[string]any{"taskId": fmt.Sprint(i + 1), "status": "completed"}})
	}
	return []model.Step{model.Use(create...), model.Use(finish...)}
}
