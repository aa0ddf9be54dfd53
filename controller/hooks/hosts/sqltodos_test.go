package hosts

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

func TestSQLTodos(t *testing.T) {
	item := func(id, text, state string) resources.Todo { return resources.Todo{ID: id, Text: text, State: state} }
	change := func(items ...resources.Todo) *resources.TodoChange { return &resources.TodoChange{Items: items} }
	for query, want := range map[string]*resources.TodoChange{
		"INSERT INTO todos (id, title, description) VALUES ('bed','Dig the bed; now','x (all)'),\n ('seeds','Buy the gardener''s seeds','y')": change(item("bed", "Dig the bed; now", ""), item("seeds", "Buy the gardener's seeds", "")),
		"insert or replace into todos values ('a', 'One', 'first', 'in_progress');":                                                           change(item("a", "One", "active")),
		"INSERT INTO \"todos\" (\"status\", \"id\", \"title\") VALUES ('blocked', 'a', 'One')":                                                change(item("a", "One", "pending")),
		"INSERT INTO todo_deps VALUES ('b', 'a'), ('c', 'a')":                                                                                 change(resources.Todo{ID: "b", BlockedBy: []string{"a"}}, resources.Todo{ID: "c", BlockedBy: []string{"a"}}),
		"UPDATE todos SET status = 'done', updated_at = datetime('now') WHERE id = 'a'; SELECT * FROM todos":                                  change(item("a", "", "done")),
		"UPDATE todos SET title = 'Two', status='in_progress' WHERE id IN ('a','b')":                                                          change(item("a", "Two", "active"), item("b", "Two", "active")),
		"-- the first\nUPDATE todos SET status='done' WHERE id='a'":                                                                           change(item("a", "", "done")),
		"DELETE FROM todos WHERE id = 'a'":                                                                                                    {Removed: []string{"a"}},
		"UPDATE todos SET status='done'":                                                                                                      nil,
		"UPDATE todos SET status='done' WHERE id='a' AND title='One'":                                                                         nil,
		"UPDATE todos SET status='done' WHERE status='pending'":                                                                               nil,
		"UPDATE others SET status='done' WHERE id='a'":                                                                                        nil,
		"DELETE FROM todos": nil,
		"INSERT INTO notes (id, title) VALUES ('a', 'One')":          nil,
		"INSERT INTO todos (id, title) SELECT id, title FROM others": nil,
		"SELECT * FROM todos WHERE id = 'a'":                         nil,
		"INSERT INTO todos (id, title) VALUES (":                     nil,
		"INSERT INTO todos VALUES ('a":                               nil,
		"'":                                                          nil,
		"":                                                           nil,
	} {
		assert.Equal(t, want, sqlTodos(query), query)
	}
}

func TestMarkdownTodos(t *testing.T) {
	want := &resources.TodoChange{Whole: true, Items: []resources.Todo{{Text: "Dig", State: "done"}, {Text: "Sow", State: "pending"}}}
	assert.Equal(t, want, markdownTodos("# List\n- [x] Dig\n  * [ ] Sow\n- water\n"))
}

func TestWithoutTags(t *testing.T) {
	assert.Equal(t, "[context_update base=\"e9\"]\na < b, b > c <FILE>, <- x [/next] <", withoutTags("<context_update base=\"e9\">\na < b, b > c <FILE>, <- x </next> <"))
}
