package hosts

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// sqlTodos returns the change of Copilot's to-do list by SQL statements, or nil.
// The list is a table todos(id, title, description, status), with a table
// todo_deps(todo_id, depends_on). Only literal values are read, and of
// conditions only those that name items by id. Any other statement is skipped.
func sqlTodos(query string) *resources.TodoChange {
	c := &resources.TodoChange{}
	for _, words := range sqlStatements(query) {
		s := &sqlReader{words: words}
		switch {
		case s.skip("insert"):
			s.insert(c)
		case s.skip("update", "todos", "set"):
			s.update(c)
		case s.skip("delete", "from", "todos"):
			c.Removed = append(c.Removed, s.ids()...)
		}
	}
	if len(c.Items)+len(c.Removed) == 0 {
		return nil
	}
	return c
}

// sqlWord is a word of a statement.
type sqlWord struct {
	text    string
	literal bool // a text in single quotes, or a number
}

// sqlStatements splits a query into statements of words.
func sqlStatements(query string) (all [][]sqlWord) {
	var words []sqlWord
	for i := 0; i < len(query); {
		c := query[i]
		switch {
		case c == ';':
			all, words = append(all, words), nil
			i++
		case strings.HasPrefix(query[i:], "--"):
			_, rest, _ := strings.Cut(query[i:], "\n")
			i = len(query) - len(rest)
		case c == '\'' || c == '"' || c == '`':
			text, length := sqlQuoted(query[i:], c)
			words = append(words, sqlWord{text, c == '\''})
			i += length
		case isSQLWord(c):
			end := i
			for end < len(query) && isSQLWord(query[end]) {
				end++
			}
			words = append(words, sqlWord{query[i:end], c >= '0' && c <= '9'})
			i = end
		case c > ' ':
			words = append(words, sqlWord{query[i : i+1], false})
			i++
		default:
			i++
		}
	}
	return append(all, words)
}

// isSQLWord reports whether a byte is part of a name or a number.
func isSQLWord(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// sqlQuoted reads a quoted text at the beginning of query, and returns its length
// with the quotes. A doubled quote is part of the text.
func sqlQuoted(query string, quote byte) (text string, length int) {
	var b strings.Builder
	for i := 1; i < len(query); i++ {
		if query[i] != quote {
			b.WriteByte(query[i])
			continue
		}
		if i+1 == len(query) || query[i+1] != quote {
			return b.String(), i + 1
		}
		b.WriteByte(quote)
		i++
	}
	return b.String(), len(query)
}

// sqlReader reads the words of one statement.
type sqlReader struct{ words []sqlWord }

// skip skips words, and reports whether they were next.
func (s *sqlReader) skip(words ...string) bool {
	if len(s.words) < len(words) {
		return false
	}
	for i, w := range words {
		if s.words[i].literal || !strings.EqualFold(s.words[i].text, w) {
			return false
		}
	}
	s.words = s.words[len(words):]
	return true
}

// next returns the next word, or the zero word at the end.
func (s *sqlReader) next() (w sqlWord) {
	if len(s.words) > 0 {
		w, s.words = s.words[0], s.words[1:]
	}
	return w
}

// list reads a list in parentheses. An element that is not one word is empty.
func (s *sqlReader) list() (all []string) {
	if !s.skip("(") {
		return nil
	}
	element, n, depth := "", 0, 0
	for len(s.words) > 0 {
		switch w := s.next(); {
		case !w.literal && depth == 0 && (w.text == "," || w.text == ")"):
			if n != 1 {
				element = ""
			}
			if all, n = append(all, element), 0; w.text == ")" {
				return all
			}
		default:
			if !w.literal && w.text == "(" {
				depth++
			} else if !w.literal && w.text == ")" {
				depth--
			}
			element = w.text
			n++
		}
	}
	return nil
}

// insert adds the rows of an INSERT statement to the change.
func (s *sqlReader) insert(c *resources.TodoChange) {
	if s.skip("or") {
		s.next()
	}
	s.skip("into")
	table := strings.ToLower(s.next().text)
	columns := s.list()
	if columns == nil {
		columns = map[string][]string{"todos": {"id", "title", "description", "status"}, "todo_deps": {"todo_id", "depends_on"}}[table]
	}
	if !s.skip("values") {
		return
	}
	value := func(row []string, column string) string {
		i := slices.IndexFunc(columns, func(name string) bool { return strings.EqualFold(name, column) })
		if i < 0 || i >= len(row) {
			return ""
		}
		return row[i]
	}
	for row := s.list(); row != nil; row = s.list() {
		var t resources.Todo
		switch table {
		case "todos":
			t = resources.Todo{ID: value(row, "id"), Text: value(row, "title"), State: todoState(value(row, "status"))}
			if t.Text == "" {
				t.Text = value(row, "description")
			}
		case "todo_deps":
			t = resources.Todo{ID: value(row, "todo_id"), BlockedBy: []string{value(row, "depends_on")}}
		}
		if t.ID != "" {
			c.Items = append(c.Items, t)
		}
		s.skip(",")
	}
}

// update adds the items of an UPDATE statement to the change.
func (s *sqlReader) update(c *resources.TodoChange) {
	var t resources.Todo
	for len(s.words) > 0 && !s.skip("where") {
		column := strings.ToLower(s.next().text)
		if !s.skip("=") || len(s.words) == 0 || !s.words[0].literal {
			continue
		}
		switch value := s.next().text; column {
		case "status":
			t.State = todoState(value)
		case "title":
			t.Text = value
		}
	}
	if t.State == "" && t.Text == "" {
		return
	}
	for _, id := range s.ids() {
		t.ID = id
		c.Items = append(c.Items, t)
	}
}

// ids returns the ids in the rest of a statement: WHERE id = 'a', or WHERE id IN
// ('a', 'b'). It returns nil for any other condition.
func (s *sqlReader) ids() (all []string) {
	s.skip("where")
	switch {
	case s.skip("id", "=") && len(s.words) == 1 && s.words[0].literal:
		return []string{s.words[0].text}
	case s.skip("id", "in"):
		if all = s.list(); len(s.words) > 0 {
			return nil
		}
	}
	return all
}

// markdownTodos returns the change that replaces the list by the items of a
// Markdown list: "- [x] done", "- [ ] open".
func markdownTodos(text string) *resources.TodoChange {
	c := &resources.TodoChange{Whole: true}
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*+ ")
		if len(line) < 4 || line[0] != '[' || line[2] != ']' {
			continue
		}
		state := resources.TodoPending
		if line[1] == 'x' || line[1] == 'X' {
			state = resources.TodoDone
		}
		c.Items = append(c.Items, resources.Todo{Text: strings.TrimSpace(line[3:]), State: state})
	}
	return c
}
