package beads

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// known are the fields that have a place of their own, as they are written today.
var known = []string{
	"id", "title", "description", "design", "acceptance_criteria", "notes", "status", "issue_type", "assignee", "owner",
	"close_reason", "priority", "created_at", "labels", "ephemeral", "is_template", "pinned", "dependencies", "metadata",
}

// fields takes a line apart. Fields that are known get their names of today, however they are written
// (issueType, Issue-Type). What encoding/json does not read, but migrate.Parse does without damage (NaN), is read
// as well. text is the line as compact JSON.
func fields(line []byte) (raw map[string]json.RawMessage, text []byte, err error) {
	err = json.Unmarshal(line, &raw)
	v, damage, bad := migrate.Parse(line)
	if err != nil && (bad != nil || len(damage) > 0 || v.Type != migrate.Object) {
		return nil, nil, notAnObject(err)
	}
	text = v.JSON()
	if err != nil {
		if err = json.Unmarshal(text, &raw); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range sortedKeys(raw) {
		today := todays(name)
		if _, taken := raw[today]; today != "" && !taken {
			raw[today] = raw[name]
			delete(raw, name)
		}
	}
	return raw, text, nil
}

// aliases are other names of known fields, folded. They count only where the field itself is not there.
var aliases = map[string]string{
	"name": "title", "summary": "title", "state": "status", "type": "issue_type", "kind": "issue_type",
	"created": "created_at", "acceptance": "acceptance_criteria", "body": "description", "uuid": "id", "key": "id",
}

// todays is the name of today of a field that is known under another spelling or name; "" for any other.
func todays(name string) string {
	if strings.HasPrefix(name, "_") {
		return ""
	}
	for _, k := range known {
		if k == name {
			return ""
		}
	}
	plain := migrate.Fold(name)
	for _, k := range known {
		if migrate.Fold(k) == plain {
			return k
		}
	}
	return aliases[plain]
}

// isIssue reports whether an object says what issues say, beyond an id.
func isIssue(raw map[string]json.RawMessage) bool {
	for _, name := range []string{"title", "status", "issue_type", "description", "priority", "dependencies"} {
		if !isNothing(raw[name]) {
			return true
		}
	}
	return false
}

// repeated reports whether an object has more fields than names.
func repeated(text []byte, names int) bool {
	v, _, err := migrate.Parse(text)
	return err == nil && len(v.Fields) > names
}

// lenient reads a value of a known field that is of another type than it should be, and says
// the same: a priority as a word, a time as a number, labels as one text.
func (i *issue) lenient(field string, value json.RawMessage) bool {
	v, _, err := migrate.Parse(value)
	if err != nil {
		return false
	}
	switch field {
	case "priority":
		n, ok := priorityOf(v.Text)
		if (v.Type == migrate.String || v.Type == migrate.Number) && ok {
			i.priority = &n
			return true
		}
	case "created_at":
		if t, _, ok := migrate.ParseTime(v); ok {
			i.created = t.UTC().Truncate(time.Second)
			i.rest["created_at"] = kept(value)
			return true
		}
	case "labels":
		if v.Type == migrate.String {
			for label := range strings.SplitSeq(v.Text, ",") {
				if label = strings.TrimSpace(label); label != "" {
					i.labels = append(i.labels, label)
				}
			}
			return true
		}
	case "title", "status", "issue_type", "assignee":
		if v.Type == migrate.Number {
			*i.target(field).(*string) = v.Text
			return true
		}
	}
	return false
}

// priorityOf reads a priority that was written as a text: "1", "P1", "high".
func priorityOf(text string) (int, bool) {
	if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(text), ".0")); err == nil {
		return n, true
	}
	word := migrate.Priority(text)
	for n := range 5 {
		if priorityName(n) == word {
			return n, true
		}
	}
	return 0, false
}

// kept is a value as an annotation holds it, such that it can be told again what it was: a text as it is, unless it
// could be taken for JSON, and anything else as JSON.
func kept(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && json.Valid([]byte(text)) {
		return string(bytes.TrimSpace(value))
	}
	return plain(value)
}

// notAnObject says without Go's names that a line holds something else.
func notAnObject(err error) error {
	if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errors.New("it holds " + other.Value)
	}
	return err
}
