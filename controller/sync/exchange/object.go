package exchange

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// part is a member of a merged object: its name with the colon, and its value.
type part struct {
	name        string
	head, value string
}

// object merges two objects and returns the text: the remote object with the
// local changes.
func (m *merger) object(path string, f *resources.Field, b, o, t *node) string {
	var parts []part
	same := true // the members are those of the remote object
	for _, theirs := range t.members {
		ours := o.member(theirs.name)
		what, text := m.member(joinField(path, theirs.name), childField(f, theirs.name), b.member(theirs.name), ours, theirs.value)
		switch {
		case what == keep:
			text = theirs.value.text()
		case what == take && ours == nil:
			same = false
			continue
		case what == take:
			text = ours.text()
		}
		parts = append(parts, part{theirs.name, t.source[theirs.position:theirs.value.start], text})
	}
	for i, ours := range o.members {
		if t.member(ours.name) != nil {
			continue
		}
		what, text := m.member(joinField(path, ours.name), childField(f, ours.name), b.member(ours.name), ours.value, nil)
		if what == keep {
			continue
		}
		if what == take {
			text = ours.value.text()
		}
		same = false
		parts = slices.Insert(parts, insertAfter(parts, o.members[:i]), part{ours.name, o.source[ours.position:ours.value.start], text})
	}
	if same {
		return replaceValues(t, parts)
	}
	return formatObject(parts, o, t)
}

// insertAfter returns the position for a member that follows certain members in the
// local object.
func insertAfter(parts []part, before []member) int {
	for _, b := range slices.Backward(before) {
		if i := slices.IndexFunc(parts, func(p part) bool { return p.name == b.name }); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// replaceValues returns the remote object with other values and unchanged spacing.
func replaceValues(t *node, parts []part) string {
	var b strings.Builder
	at := t.start
	for i, p := range parts {
		value := t.members[i].value
		b.WriteString(t.source[at:value.start] + p.value)
		at = value.end
	}
	return b.String() + t.source[at:t.end]
}

// formatObject formats an object with different members than the remote one. It uses
// the spacing of the remote object, or of the local one if the remote object is
// empty.
func formatObject(parts []part, o, t *node) string {
	like := t
	if len(like.members) == 0 {
		like = o
	}
	if len(parts) == 0 || len(like.members) == 0 {
		return "{}"
	}
	first, last := like.members[0], like.members[len(like.members)-1]
	before, end := like.source[like.start+1:first.position], like.source[last.value.end:like.end]
	between := before
	if len(like.members) > 1 {
		between = strings.TrimLeft(like.source[first.value.end:like.members[1].position], " \t\r\n")[1:]
	}
	var b strings.Builder
	b.WriteString("{" + before)
	for i, p := range parts {
		if i > 0 {
			b.WriteString("," + between)
		}
		b.WriteString(p.head + p.value)
	}
	return b.String() + end
}

// joinField appends a field name to a path of fields, separated by a dot.
func joinField(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// childField returns the field of a member, or nil.
func childField(f *resources.Field, name string) *resources.Field {
	if f == nil || f.Shape != resources.ObjectShape {
		return nil
	}
	c, _ := f.Field(name)
	return c
}
