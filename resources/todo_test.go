package resources

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// IDs are texts of strangers too: a record with long or many IDs stays small, so that it can be read again.
func TestIDsOfALongListAreCut(t *testing.T) {
	id := strings.Repeat("x", 1<<20)
	var many []string
	for i := range 100000 {
		many = append(many, fmt.Sprint("b", i))
	}
	var l TodoList
	l.Apply(&TodoChange{Items: []Todo{{ID: id, Text: "A", BlockedBy: many}, {ID: "c", Text: "C"}}, Blocks: append([]string{"c"}, many...)})
	l.Apply(&TodoChange{Items: []Todo{{ID: id, State: TodoDone, BlockedBy: append([]string{"d"}, many...)}}})
	require.Len(t, l.Items, 2)
	assert.Equal(t, []string{"A", TodoDone}, []string{l.Items[0].Text, l.Items[0].State}, "a cut ID is found again")
	assert.Equal(t, []string{l.Items[0].ID}, l.Items[1].BlockedBy)
	data, err := json.Marshal(l)
	require.NoError(t, err)
	assert.Less(t, len(data), 4<<10)
	l.Apply(&TodoChange{Removed: []string{id}})
	assert.Len(t, l.Items, 1)
}

func TestTodoListOfItemsWithIDs(t *testing.T) {
	var l TodoList
	assert.True(t, l.Apply(&TodoChange{Items: []Todo{{ID: "1", Text: "Write the cart", State: TodoPending}}}))
	assert.True(t, l.Apply(&TodoChange{Items: []Todo{{ID: "2", Text: "Test the cart"}}}))
	assert.True(t, l.Apply(&TodoChange{Items: []Todo{{ID: "1", State: TodoActive}}, Blocks: []string{"2"}}))
	assert.Equal(t, []Todo{{ID: "1", Text: "Write the cart", State: TodoActive}, {ID: "2", Text: "Test the cart", State: TodoPending, BlockedBy: []string{"1"}}}, l.Items)
	assert.Equal(t, "Write the cart", l.Current())
	assert.False(t, l.Apply(&TodoChange{Items: []Todo{{ID: "1", State: TodoActive}}}), "nothing changed")
	assert.False(t, l.Apply(&TodoChange{Items: []Todo{{ID: "7", State: TodoDone}}}), "an unknown item has no text")
	l.Apply(&TodoChange{Items: []Todo{{ID: "1", State: TodoDone}}})
	done, all := l.Done()
	assert.Equal(t, []int{1, 2}, []int{done, all})
	assert.Len(t, l.Open(), 1)
	assert.True(t, l.Apply(&TodoChange{Removed: []string{"2"}}))
	assert.Empty(t, l.Open())
}

// A host that sends the whole list has no IDs: an item keeps its task by its text.
func TestTodoListAsAWhole(t *testing.T) {
	l := TodoList{Items: []Todo{{Text: "Write it", State: TodoActive, Task: "p-write-it"}, {Text: "Test it", State: TodoPending, Task: "p-test-it"}}}
	assert.True(t, l.Apply(&TodoChange{Whole: true, Items: []Todo{{Text: "Write  it", State: TodoDone}, {Text: "Document it", State: TodoCancelled}, {Text: "Test it", State: TodoPending}}}))
	require.Len(t, l.Items, 3)
	assert.Equal(t, []Todo{{Text: "Write it", State: TodoDone, Task: "p-write-it"}}, l.Unfollowed())
	done, all := l.Done()
	assert.Equal(t, []int{1, 2}, []int{done, all}, "a cancelled item is not counted")

	l = TodoList{Items: []Todo{{Text: "Test", Task: "p-test"}, {Text: "Test", Task: "p-test-2"}}}
	l.Apply(&TodoChange{Whole: true, Items: []Todo{{Text: "Test", State: TodoDone}, {Text: "Test", State: TodoPending}}})
	assert.Equal(t, []string{"p-test", "p-test-2"}, []string{l.Items[0].Task, l.Items[1].Task}, "each task has one item")

	l = TodoList{Items: []Todo{{Text: "Test", Task: "p-test", State: TodoActive, Followed: true}, {Text: "Read", Task: "p-read"}, {Text: "Write", Task: "p-write"}}}
	l.Apply(&TodoChange{Whole: true, Items: []Todo{{Text: "Write", State: TodoPending}, {Text: "Read all", State: TodoPending}, {Text: "Test", State: TodoActive}}})
	assert.Equal(t, []Todo{{Text: "Write", State: TodoPending, Task: "p-write"}, {Text: "Read all", State: TodoPending, Task: "p-read"}, {Text: "Test", State: TodoActive, Task: "p-test", Followed: true}}, l.Items, "reordered and renamed")
	assert.Empty(t, l.Unfollowed())
	l.Apply(&TodoChange{Whole: true, Items: []Todo{{Text: "Rest", State: TodoPending}, {Text: "Write", State: TodoDone}, {Text: "Sleep", State: TodoPending}}})
	assert.Equal(t, []Todo{{Text: "Rest", State: TodoPending}, {Text: "Write", State: TodoDone, Task: "p-write"}, {Text: "Sleep", State: TodoPending}}, l.Items, "a new list")
}

func TestTodoListIsCutAndMasked(t *testing.T) {
	l := TodoList{Items: make([]Todo, maxTodos)}
	c := TodoChange{Whole: true, Plan: strings.Repeat("plan ", 1<<20)}
	for range 10_000 {
		c.Items = append(c.Items, Todo{Text: strings.Repeat("x", 1<<10), State: TodoPending})
	}
	c.Items[0].Text = "Fix auth: use ghp_0123456789abcdefghij\nof https://me:secret@example.com"
	l.Apply(&c)
	assert.Len(t, l.Items, maxTodos)
	assert.Equal(t, "Fix auth: use *** of https://***@example.com", l.Items[0].Text)
	assert.LessOrEqual(t, len([]rune(l.Items[1].Text)), maxTodoText)
	assert.LessOrEqual(t, len(l.Plan), maxTodoPlan+len("…"))
}

func TestStepsOfPlan(t *testing.T) {
	l := TodoList{Plan: "# Plan\n\n1. Measure it\n2) Mend it\r\n   - a detail\n- [ ] Test it\n* Ship it\n-nothing\n12 months\n1.5 hours\n- \n"}
	var texts []string
	for _, step := range l.Steps() {
		texts = append(texts, step.Text)
	}
	assert.Equal(t, []string{"Measure it", "Mend it", "Test it", "Ship it"}, texts)
	for text, want := range map[string]bool{"Test it": true, "run the tests.": true, "TESTED": true, "the latest": false, "test_a": false, "contest": false} {
		assert.Equal(t, want, namesTests(text), text)
	}
}
