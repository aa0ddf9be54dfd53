package beads

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// issue is an issue of beads, parsed from a line.
type issue struct {
	line             int
	id, status, kind string
	texts            map[string]string // by field
	flags            map[string]bool   // by field
	priority         *int
	created          time.Time
	labels           []string
	edges            []edge
	waiting          []edge // edges in the opposite direction
	selfBlocked      bool
	buried           []string        // IDs of tombstones with an edge from the issue
	extra            []migrate.Field // data without an object field, in addition to the unused fields of record
	record           *migrate.Record
	raw              []byte // original issue without the stash
	stash            *stash // object stored by an export; nil if there is no such object
}

// Statuses and types with a meaning here.
const (
	open       = "open"
	inProgress = "in_progress"
	closed     = "closed"
	tombstone  = "tombstone"
	epic       = "epic"
)

// records lists the issue types that are not work.
var records = []string{"message", "event", "agent", "role", "rig", "gate", "merge-request", "molecule", "slot"}

// steps lists substrings in IDs of molecule steps. Such steps are done as part of their
// molecule.
var steps = []string{"-mol-", "-wisp-"}

// fields lists the fields with their own handling: the current name first, then alternative
// names, which are only used if the first one is absent. both means that our objects have
// an equivalent.
var fields = [...]struct {
	names  string
	values migrate.Type
	both   bool
}{
	{"id uuid key", migrate.String, false},
	{"title name summary", migrate.String, true},
	{"description body", migrate.String, true},
	{"acceptance_criteria acceptance", migrate.String, true},
	{"design", migrate.String, true},
	{"notes", migrate.String, true},
	{"status state", migrate.String, true},
	{"priority", migrate.Number, true},
	{"issue_type type kind", migrate.String, true},
	{"assignee", migrate.String, true},
	{"labels", migrate.List, true},
	{"close_reason", migrate.String, true},
	{"created_at created", migrate.String, false},
	{"ephemeral", migrate.Bool, false},
	{"is_template", migrate.Bool, false},
	{"pinned", migrate.Bool, false},
}

// isEpic reports whether the issue is an epic, which becomes a plan.
func (i *issue) isEpic() bool { return i.kind == epic }

// isOver reports whether the status is final.
func (i *issue) isOver() bool { return migrate.IsOver(migrate.TaskState(i.status).State) }

// take reads an issue. A value of an unexpected type is preserved and reported. An issue
// without an ID is an error.
func (c *conversion) take(v migrate.Value, number int) error {
	i := &issue{line: number}
	i.stash = takeStash(&v)
	i.raw = v.JSON()
	v.Fields = slices.DeleteFunc(v.Fields, func(f migrate.Field) bool { // newer exports set _type in each issue; compaction_level is 0
		return f.Name == "_type" || f.Value.Text == "false" || f.Value.Type == migrate.Number && f.Value.Text == "0" && f.Name != "priority"
	})
	i.record = migrate.NewRecord(v)
	i.readFields()
	i.id = i.texts["id"]
	if id, _ := i.record.Peek("id", "uuid", "key"); strings.TrimSpace(i.id) == "" || id.Type == migrate.Object || id.Type == migrate.List {
		return errors.New("it has no id")
	}
	c.recognized = c.recognized || i.record.Has("title", "name", "summary", "status", "state", "issue_type", "description", "priority", "dependencies")
	c.readEdges(i)
	c.noteOdd(i)
	i.status, i.kind = cmp.Or(i.texts["status"], open), cmp.Or(i.texts["issue_type"], "task")
	// The last issue with an ID has precedence.
	if before := c.byID[i.id]; before != nil {
		c.problem(i.line, i.id, "the id was already on line "+strconv.Itoa(before.line)+"; this one counts")
		c.Keep(c.file)
		c.list[slices.Index(c.list, before)] = i
	} else {
		c.list = append(c.list, i)
	}
	c.byID[i.id] = i
	return nil
}

// readFields reads the fields in the table.
func (i *issue) readFields() {
	i.texts, i.flags = map[string]string{}, map[string]bool{}
	r := i.record
	for _, f := range fields {
		names := strings.Fields(f.names)
		switch v, _ := r.Peek(names[0]); {
		case names[0] == "created_at":
			i.created = r.Time(names...).UTC().Truncate(time.Second)
		case f.values == migrate.String:
			i.texts[names[0]] = r.Text(names...)
		case f.values == migrate.Bool && v.Type == migrate.Bool:
			i.flags[names[0]] = true
			r.Take(names[0])
		}
	}
	if v, ok := r.Peek("priority"); ok {
		if n, ok := priorityOf(v.Text); ok {
			i.priority = &n
			r.Take("priority")
		}
	}
	if i.labels = r.Texts("labels"); len(i.labels) > 0 {
		i.extra = append(i.extra, migrate.Field{Name: "labels", Value: migrate.ValueOf(i.labels)})
	}
}

// noteOdd reports fields in an unexpected format.
func (c *conversion) noteOdd(i *issue) {
	rest := i.record.Rest()
	for _, f := range fields {
		names := strings.Fields(f.names)
		v, ok := i.record.Peek(names...)
		isLeft := func(left migrate.Field) bool { return migrate.Fold(left.Name) == migrate.Fold(names[0]) }
		switch {
		case !ok || v.Nothing():
		case slices.ContainsFunc(rest, isLeft):
			c.odd(names[0]+" of an unexpected type", i.id)
		case v.Type != f.values:
			c.odd(names[0]+" written in another way: understood", i.id)
		}
	}
}

// priorityOf parses a priority, which may be a text: "1", "P1", "high".
func priorityOf(text string) (int, bool) {
	if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(text), ".0")); err == nil {
		return n, true
	}
	n := slices.Index(priorities[:], migrate.Priority(text))
	return n, n >= 0
}

// priorities lists the words for the priorities 0 to 4 of beads.
var priorities = [...]string{"critical", "high", "medium", "normal", "low"}

// noWork returns the reason why an open issue is not work, or "".
func (i *issue) noWork() string {
	switch {
	case slices.Contains(records, i.kind):
		return "open " + i.kind
	case slices.ContainsFunc(steps, func(part string) bool { return strings.Contains(i.id, part) }):
		return "step of a molecule"
	case i.selfBlocked:
		return "issue that blocks itself"
	case len(i.targets(conditional)) > 0:
		return "issue that is done only if another one fails"
	case i.flags["ephemeral"]:
		return "ephemeral issue"
	case i.flags["is_template"]:
		return "template"
	case i.flags["pinned"]:
		return "pinned issue"
	}
	return ""
}

// is reports whether a status is one of names, ignoring case and separators.
func is(status string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return migrate.Fold(name) == migrate.Fold(status) })
}

// setText sets a text field. See set.
func setText(v *migrate.Value, field, text string) { set(v, field, migrate.Text(text)) }

// set sets a field of an issue. It finds an existing field by any of its names.
func set(v *migrate.Value, field string, value migrate.Value) {
	names := field
	for _, f := range fields {
		if name, _, _ := strings.Cut(f.names, " "); name == field {
			names = f.names
		}
	}
	v.Type = migrate.Object
	at := slices.IndexFunc(v.Fields, func(f migrate.Field) bool { return f.Name == field })
	for name := range strings.FieldsSeq(names) {
		if at < 0 {
			at = slices.IndexFunc(v.Fields, func(f migrate.Field) bool {
				return !strings.HasPrefix(f.Name, "_") && migrate.Fold(f.Name) == migrate.Fold(name)
			})
		}
	}
	if at < 0 {
		v.Fields = append(v.Fields, migrate.Field{Name: field, Value: value})
		return
	}
	v.Fields[at].Value = value
}
