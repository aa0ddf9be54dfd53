package beads

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// issue is one line of an export, as far as it was understood.
type issue struct {
	line                                              int
	id, title, description, design, acceptance, notes string
	status, kind, assignee, owner, closeReason        string
	priority                                          *int
	created                                           time.Time
	labels                                            []string
	edges                                             []edge
	selfBlocked, ephemeral, template, pinned          bool
	rest                                              map[string]string // what has no field in a resource, by name
	raw                                               []byte            // the issue as it was written, without our stash
	buried                                            []string          // ids of tombstones that it had edges to
	waiting                                           []edge            // what waits for it, where it is said from its side
	plausible                                         bool              // it says what issues say, not an id alone
	stash                                             *stash            // what export put beside it; nil if nothing
}

// Statuses and types that mean something here.
const (
	open       = "open"
	inProgress = "in_progress"
	hooked     = "hooked"
	closed     = "closed"
	tombstone  = "tombstone"
	epic       = "epic"
)

// records are types of issues that are no work to be done.
var records = []string{"message", "event", "agent", "role", "rig", "gate", "merge-request", "slot"}

func (i *issue) isEpic() bool { return i.kind == epic }

// isOver reports whether nothing is to be done any more.
func (i *issue) isOver() bool {
	switch migrate.TaskState(i.status).State {
	case resources.TaskCompleted, resources.TaskAbandoned, resources.TaskFailed:
		return true
	}
	return false
}

// target returns where a field's value is read to; nil if it has no place of its own.
func (i *issue) target(field string) any {
	switch field {
	case "id":
		return &i.id
	case "title":
		return &i.title
	case "description":
		return &i.description
	case "design":
		return &i.design
	case "acceptance_criteria":
		return &i.acceptance
	case "notes":
		return &i.notes
	case "status":
		return &i.status
	case "issue_type":
		return &i.kind
	case "assignee":
		return &i.assignee
	case "owner":
		return &i.owner
	case "close_reason":
		return &i.closeReason
	case "priority":
		return &i.priority
	case "created_at":
		return &i.created
	case "labels":
		return &i.labels
	case "ephemeral":
		return &i.ephemeral
	case "is_template":
		return &i.template
	case "pinned":
		return &i.pinned
	}
	return nil
}

// decode reads one line. A value of an unexpected type is kept and reported, not
// refused: only a line that is no object, or that has no id, is an error.
func decode(line []byte, number int, r *Report) (*issue, error) {
	raw, text, err := fields(line)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	i := &issue{line: number, rest: map[string]string{}, raw: text}
	if err := json.Unmarshal(raw["id"], &i.id); err != nil {
		if v, _, _ := migrate.Parse(raw["id"]); v.Type == migrate.Number {
			i.id = v.Text
		}
	}
	if strings.TrimSpace(i.id) == "" {
		return nil, fmt.Errorf("it has no id")
	}
	if repeated(text, len(raw)) {
		r.leave(number, "lines with a field that is there twice", "the last one of its repeated fields counts", migrate.Text(string(line)))
	}
	i.takeStash(raw)
	i.plausible = isIssue(raw)
	for _, field := range slices.Sorted(maps.Keys(raw)) {
		i.read(field, raw[field], r)
	}
	i.status = cmp.Or(i.status, open)
	i.kind = cmp.Or(i.kind, "task")
	return i, nil
}

// read takes in one field.
func (i *issue) read(field string, value json.RawMessage, r *Report) {
	if isNothing(value) {
		return
	}
	if edgeType, waits := edgeField(field); edgeType != "" {
		i.readEdges(field, value, edgeType, waits, r)
		return
	}
	target := i.target(field)
	if target == nil {
		i.rest[field] = kept(value)
		return
	}
	fresh := reflect.New(reflect.TypeOf(target).Elem()) // a failed Unmarshal leaves half a value behind
	if json.Unmarshal(value, fresh.Interface()) == nil {
		reflect.ValueOf(target).Elem().Set(fresh.Elem())
		return
	}
	if i.lenient(field, value) {
		r.note(&r.Odd, field+" written in another way: understood", i.id)
		return
	}
	if name := nameIn(value); field == "assignee" && name != "" {
		i.assignee = name
	}
	i.rest[field] = plain(value)
	r.note(&r.Odd, field+" of an unexpected type", i.id)
}

// isNothing reports values that say no more than a missing field does.
func isNothing(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case "", "null", `""`, "[]", "{}", "false":
		return true
	}
	return false
}

// plain returns a string's text, and anything else as compact JSON.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	v, damage, err := migrate.Parse(value)
	if err != nil || len(damage) > 0 {
		return string(value)
	}
	return string(v.JSON())
}

// nameIn returns the name of an agent that was written as an object.
func nameIn(value json.RawMessage) string {
	var object struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(value, &object) != nil {
		return ""
	}
	return object.Name
}
