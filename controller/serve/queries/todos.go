package queries

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// TodoLists holds the to-do lists that agents keep in their hosts, the latest first.
type TodoLists struct {
	Items []TodoRecord `json:"items"`
}

// TodoRecord is a to-do list, as an object without spec. Its name is the session's.
type TodoRecord struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Status TodoStatus `json:"status"`
}

// TodoStatus is the content and the state of a to-do list.
type TodoStatus struct {
	Agent     string           `json:"agent"`   // the session with its host, in short
	State     string           `json:"state"`   // see the constants
	Summary   string           `json:"summary"` // progress, state and worktree
	Done      int              `json:"done"`
	Total     int              `json:"total"` // without cancelled items
	Current   string           `json:"current,omitempty"`
	UpdatedAt resources.Time   `json:"updatedAt"`
	Items     []resources.Todo `json:"items"`
	Steps     []resources.Todo `json:"steps,omitempty"`    // the steps of the plan, if the list has no items
	Plan      string           `json:"plan,omitempty"`     // the plan of the agent in its host, in Markdown
	Adopted   string           `json:"adopted,omitempty"`  // the work plan that was made of the list
	Worktree  string           `json:"worktree,omitempty"` // another worktree of the repository, in which the agent works
}

// WorktreeName returns the name of the directory of the other worktree, or ".".
func (s TodoStatus) WorktreeName() string { return filepath.Base(s.Worktree) }

// States of to-do lists.
const (
	TodosInUse     = "in-use"
	TodosLeftOpen  = "left-open" // the next session receives the open items
	TodosFinished  = "finished"
	TodosAdopted   = "adopted"
	TodosTakenOver = "taken-over" // by a later session
)

// TodoListsOf returns the to-do lists in all worktrees of the repository, of the sessions that the client names, or
// all.
func TodoListsOf(s *Source, v url.Values) (TodoLists, error) {
	answer := TodoLists{Items: []TodoRecord{}}
	wanted := map[string]bool{}
	for _, name := range v["name"] {
		wanted[name] = true
	}
	for _, root := range append([]layout.Root{s.Root}, s.Root.Trees()...) {
		for _, l := range hooks.TodoLists(root) {
			if len(wanted) > 0 && !wanted[l.Session] {
				continue
			}
			r := s.todoRecord(root, &l)
			if root != s.Root {
				r.Status.Worktree = string(root)
			}
			text := fmt.Sprintf("%d/%d done", r.Status.Done, r.Status.Total)
			if len(r.Status.Steps) > 0 {
				text = fmt.Sprintf("plan, steps: %d", len(r.Status.Steps))
			}
			text += ", " + strings.ReplaceAll(r.Status.State, "-", " ")
			if r.Status.Worktree != "" {
				text += " in worktree " + r.Status.WorktreeName()
			}
			r.Status.Summary = text
			answer.Items = append(answer.Items, r)
		}
	}
	slices.SortStableFunc(answer.Items, func(a, b TodoRecord) int { return b.Status.UpdatedAt.Compare(a.Status.UpdatedAt.Time) })
	return answer, nil
}

// todoRecord returns the record of a list in a worktree.
func (s *Source) todoRecord(root layout.Root, l *resources.TodoList) TodoRecord {
	r := TodoRecord{Status: TodoStatus{Agent: resources.Holder{Host: l.Host, Session: l.Session}.Brief(), Current: l.Current(), UpdatedAt: l.UpdatedAt, Items: l.Items, Plan: l.Plan, Adopted: l.Adopted}}
	r.Metadata.Name = l.Session
	if len(l.Items) == 0 {
		r.Status.Steps = l.Steps()
	}
	r.Status.Done, r.Status.Total = l.Done()
	switch {
	case l.Adopted != "":
		r.Status.State = TodosAdopted
	case hooks.IsTodoListInUse(root, l, hooks.SessionOf(root, l.Session), s.Now(), resources.Duration(s.Settings().SessionIdleAfter, 0)):
		r.Status.State = TodosInUse
	case len(l.Open()) == 0:
		r.Status.State = TodosFinished
	case l.TakenOver != "":
		r.Status.State = TodosTakenOver
	default:
		r.Status.State = TodosLeftOpen
	}
	return r
}

// shownTodos returns the lists that the status shows: lists in use, and lists that were left open.
func (s *Source) shownTodos() []TodoRecord {
	var shown []TodoRecord
	all, _ := TodoListsOf(s, nil)
	for _, r := range all.Items {
		if state := r.Status.State; r.Status.Total > 0 && state == TodosLeftOpen || r.Status.Total+len(r.Status.Steps) > 0 && state == TodosInUse {
			shown = append(shown, r)
		}
	}
	return shown
}
