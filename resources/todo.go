package resources

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// States of a to-do item.
const (
	TodoPending   = "pending"
	TodoActive    = "active"
	TodoDone      = "done"
	TodoCancelled = "cancelled"
)

// Limits of a to-do list. Longer lists and texts are cut.
const (
	maxTodos    = 200
	maxTodoText = 1000 // in characters
	maxTodoID   = 100  // in characters
	maxTodoPlan = 64 << 10
)

// TodoList is the to-do list that an agent keeps in its host. It is a local record of the session's hook and
// governs nothing.
type TodoList struct {
	Session   string   `json:"session"`            // name of the session's record
	Host      string   `json:"host"`               // claude, opencode, codex, ...
	Process   *Process `json:"process,omitempty"`  // process of the host; nil if unknown
	StartedAt Time     `json:"startedAt,omitzero"` // time of the first record; zero in older records
	UpdatedAt Time     `json:"updatedAt"`          // time of the last change
	Items     []Todo   `json:"items,omitempty"`    // in the order of the host
	Plan      string   `json:"plan,omitempty"`     // the plan that the user accepted in the host, or that the agent wrote into its plan file, in Markdown
	Adopted   string   `json:"adopted,omitempty"`  // the plan that was made of the list
	TakenOver string   `json:"takenBy,omitempty"`  // the session that received the open items and then made a list
}

// Todo is an item of a to-do list.
type Todo struct {
	ID        string   `json:"id,omitempty"` // ID in the host; empty if the host uses no IDs
	Text      string   `json:"text"`
	State     string   `json:"state"`
	BlockedBy []string `json:"blockedBy,omitempty"` // IDs of other items
	Task      string   `json:"task,omitempty"`      // the task that was made of it
	Followed  bool     `json:"followed,omitempty"`  // the task has followed the item to its state
	Told      bool     `json:"told,omitempty"`      // the agent was told that others completed the task
}

// IsOpen reports whether the item is neither done nor cancelled.
func (t Todo) IsOpen() bool { return t.State == TodoPending || t.State == TodoActive }

// Open returns the open items.
func (l *TodoList) Open() []Todo {
	return slices.DeleteFunc(slices.Clone(l.Items), func(t Todo) bool { return !t.IsOpen() })
}

// PlanTitle returns the title of a plan that is made of the list.
func (l *TodoList) PlanTitle() string {
	return "To-do list of " + Holder{Host: l.Host, Session: l.Session}.Brief()
}

// ID returns an identifier of the list. Another list of the same session, recorded after this one was deleted, has
// another ID.
func (l *TodoList) ID() string { return l.Session + " " + l.StartedAt.Format(time.RFC3339) }

// Done returns the number of finished items, and the number of items without cancelled ones.
func (l *TodoList) Done() (done, all int) {
	for _, t := range l.Items {
		switch t.State {
		case TodoDone:
			done++
			all++
		case TodoPending, TodoActive:
			all++
		}
	}
	return done, all
}

// Unfollowed returns the started and finished items whose task has not followed them.
func (l *TodoList) Unfollowed() []Todo {
	return slices.DeleteFunc(slices.Clone(l.Items), func(t Todo) bool {
		return t.Task == "" || t.Followed || t.State != TodoActive && t.State != TodoDone
	})
}

// MarkTasks calls mark with each item that was made into one of the tasks. It
// reports whether there is such an item.
func (l *TodoList) MarkTasks(tasks []string, mark func(*Todo)) (marked bool) {
	for i := range l.Items {
		if t := &l.Items[i]; t.Task != "" && slices.Contains(tasks, t.Task) {
			mark(t)
			marked = true
		}
	}
	return marked
}

// Current returns the text of the item that the agent works on, or "".
func (l *TodoList) Current() string {
	if i := slices.IndexFunc(l.Items, func(t Todo) bool { return t.State == TodoActive }); i >= 0 {
		return l.Items[i].Text
	}
	return ""
}

// TodoChange is a change of a to-do list by one call of a host's tool.
type TodoChange struct {
	Whole   bool     // Items replace the list
	Items   []Todo   // otherwise each replaces the set fields of the item with its ID, or is added
	Blocks  []string // IDs of items that wait for the item of this change
	Removed []string // IDs
	Plan    string   // accepted plan, or content of the plan file; empty if the change has none
}

// Apply changes the list. It masks secrets in the texts of items, cuts long
// texts, and drops items above the limit. It reports whether the plan or the
// ID, text, state or blockers of an item changed.
func (l *TodoList) Apply(c *TodoChange) (changed bool) {
	before := slices.Clone(l.Items)
	plan := l.Plan
	if c.Whole {
		l.Items = nil
	}
	items := slices.Clone(c.Items[:min(len(c.Items), maxTodos)])
	for i := range items {
		items[i].Text, items[i].ID = clean(items[i].Text), Shortened(items[i].ID, maxTodoID, "…")
		items[i].BlockedBy = cutIDs(items[i].BlockedBy)
	}
	if c.Whole {
		keepTasks(before, items)
	}
	for _, t := range items {
		l.put(t)
	}
	for _, blocked := range cutIDs(c.Blocks) {
		l.put(Todo{ID: blocked, BlockedBy: []string{items[0].ID}})
	}
	removed := cutIDs(c.Removed)
	l.Items = slices.DeleteFunc(l.Items, func(t Todo) bool { return t.ID != "" && slices.Contains(removed, t.ID) })
	if c.Plan != "" {
		l.Plan = maskWords(Shortened(strings.ToValidUTF8(c.Plan, "\uFFFD"), maxTodoPlan, "…"))
	}
	return plan != l.Plan || !slices.EqualFunc(before, l.Items, func(a, b Todo) bool {
		return a.ID == b.ID && a.Text == b.Text && a.State == b.State && slices.Equal(a.BlockedBy, b.BlockedBy)
	})
}

// keepTasks gives the items of a whole list the tasks of the items that they replace: of the item with the same text,
// or, in a list of the same length in which most items kept their text, of the renamed item at the same place.
func keepTasks(before, items []Todo) {
	taken := make([]bool, len(before))
	keep := func(t *Todo, i int) {
		taken[i], t.Task, t.Told = true, before[i].Task, before[i].Told
		t.Followed = before[i].Followed && before[i].State == t.State
	}
	var renamed []int
	for i := range items {
		j := slices.IndexFunc(before, func(known Todo) bool { return known.Text == items[i].Text })
		for j >= 0 && j < len(before) && (taken[j] || before[j].Text != items[i].Text) {
			j++ // another item has the same text
		}
		if j >= 0 && j < len(before) {
			keep(&items[i], j)
		} else {
			renamed = append(renamed, i)
		}
	}
	for _, i := range renamed {
		if len(items) == len(before) && 2*len(renamed) < len(items) && !taken[i] {
			keep(&items[i], i)
		}
	}
}

// put adds an item, or updates the item with its ID. It ignores a new item
// without a text and one above the limit. Its text must be clean.
func (l *TodoList) put(t Todo) {
	i := slices.IndexFunc(l.Items, func(known Todo) bool { return t.ID != "" && known.ID == t.ID })
	switch {
	case i >= 0:
		known := &l.Items[i]
		if t.Text != "" {
			known.Text = t.Text
		}
		if t.State != "" {
			known.Followed = known.Followed && known.State == t.State
			known.State = t.State
		}
		for _, id := range t.BlockedBy {
			if !slices.Contains(known.BlockedBy, id) && len(known.BlockedBy) < maxTodos {
				known.BlockedBy = append(slices.Clone(known.BlockedBy), id)
			}
		}
	case t.Text != "" && len(l.Items) < maxTodos:
		if t.State == "" {
			t.State = TodoPending
		}
		l.Items = append(l.Items, t)
	}
}

// clean returns a text in one line with single spaces. It masks tokens and the users of URLs, and cuts long texts.
func clean(text string) string {
	return Shortened(maskWords(strings.Join(strings.Fields(text), " ")), maxTodoText, "…")
}

// cutIDs returns the first IDs, and cuts long ones.
func cutIDs(ids []string) (cut []string) {
	for _, id := range ids[:min(len(ids), maxTodos)] {
		cut = append(cut, Shortened(id, maxTodoID, "…"))
	}
	return cut
}

// maskWords masks tokens and the users of URLs in a text.
func maskWords(text string) string {
	var b strings.Builder
	for text != "" {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		b.WriteString(withoutTokens(withoutUser(text[:end])))
		text = text[end:]
		space := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
		b.WriteString(text[:space])
		text = text[space:]
	}
	return b.String()
}
