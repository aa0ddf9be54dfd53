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

// issue is one line of an export, as far as it was understood.
type issue struct {
	line             int
	id, status, kind string
	texts            map[string]string // by their fields
	flags            map[string]bool   // by their fields
	priority         *int
	created          time.Time
	labels           []string
	edges            []edge
	waiting          []edge // what waits for it, where it is said from its side
	selfBlocked      bool
	buried           []string        // ids of tombstones that it had edges to
	extra            []migrate.Field // what the object has no field for, besides what is left of the record
	record           *migrate.Record
	raw              []byte // the issue as it was written, without our stash
	stash            *stash // what export put beside it; nil if nothing
}

// Statuses and types that mean something here.
const (
	open       = "open"
	inProgress = "in_progress"
	closed     = "closed"
	tombstone  = "tombstone"
	epic       = "epic"
)

// records are types of issues that are no work to be done.
var records = []string{"message", "event", "agent", "role", "rig", "gate", "merge-request", "molecule", "slot"}

// steps are what the ids of the steps of molecules have in them, which are done within these and no work by themselves.
var steps = []string{"-mol-", "-wisp-"}

// fields are those that have a place of their own: how they are written today, and their other names, which count
// only where the field itself is not there. both: our objects say it as well.
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

func (i *issue) isEpic() bool { return i.kind == epic }

// isOver reports whether nothing is to be done any more.
func (i *issue) isOver() bool { return migrate.IsOver(migrate.TaskState(i.status).State) }

// take reads an issue. A value of an unexpected type is kept and reported, not refused; only an issue without an id is an
// error.
func (c *conversion) take(v migrate.Value, number int) error {
	i := &issue{line: number}
	i.stash = takeStash(&v)
	i.raw = v.JSON()
	v.Fields = slices.DeleteFunc(v.Fields, func(f migrate.Field) bool { // each issue of a newer export says _type; compaction_level is 0
		return f.Name == "_type" || f.Value.Text == "false" || f.Value.Type == migrate.Number && f.Value.Text == "0" && f.Name != "priority"
	})
	i.record = migrate.NewRecord(v)
	i.readFields()
	i.id = i.texts["id"]
	if id, _ := i.record.Peek("id", "uuid", "key"); strings.TrimSpace(i.id) == "" || id.Type == migrate.Object || id.Type == migrate.List {
		return errors.New("it has no id")
	}
	c.known = c.known || i.record.Has("title", "name", "summary", "status", "state", "issue_type", "description", "priority", "dependencies")
	c.readEdges(i)
	c.noteOdd(i)
	i.status, i.kind = cmp.Or(i.texts["status"], open), cmp.Or(i.texts["issue_type"], "task")
	c.add(i)
	return nil
}

// add adds an issue; the last one of an id counts.
func (c *conversion) add(i *issue) {
	if before := c.byID[i.id]; before != nil {
		c.problem(i.line, i.id, "the id was already on line "+strconv.Itoa(before.line)+"; this one counts")
		c.Keep(c.file)
		c.list[slices.Index(c.list, before)] = i
	} else {
		c.list = append(c.list, i)
	}
	c.byID[i.id] = i
}

// readFields reads the fields of the table.
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

// noteOdd notes the fields that are not written as they are today.
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

// priorityOf reads a priority, also one that was written as a text: "1", "P1", "high".
func priorityOf(text string) (int, bool) {
	if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(text), ".0")); err == nil {
		return n, true
	}
	n := slices.Index(priorities[:], migrate.Priority(text))
	return n, n >= 0
}

// priorities are those of beads, 0 to 4, in words.
var priorities = [...]string{"critical", "high", "medium", "normal", "low"}

// noWork says why an open issue is nothing to be done, "" if it is.
func (i *issue) noWork() string {
	switch {
	case slices.Contains(records, i.kind):
		return "open " + i.kind
	case slices.ContainsFunc(steps, func(part string) bool { return strings.Contains(i.id, part) }):
		return "step of a molecule"
	case i.selfBlocked:
		return "issue that blocks itself"
	case len(i.leading(conditional)) > 0:
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

// is reports whether a status is one of these, however it is written.
func is(status string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return migrate.Fold(name) == migrate.Fold(status) })
}

// put gives an issue a text, see set.
func put(v *migrate.Value, field, text string) { set(v, field, migrate.Text(text)) }

// set gives an issue a field, or another value to it, however it is written.
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
