package command

import (
	"strconv"
	"strings"
)

// assign sets variables, by the command of that name; undo takes back those that are a
// command's own.
func (m *machine) assign(assigns []word, by string, forCommand, loose bool) (undo func()) {
	undo = func() {}
	for _, w := range assigns {
		name, v, appends := m.assignment(w)
		if name == "" {
			continue
		}
		before, had := m.vars[name]
		if appends && had && len(before.values) == 1 && len(v.values) == 1 && v.items == nil {
			v.values[0] = before.values[0] + v.values[0]
		} else if appends && had && v.items != nil {
			v.items = append(append([]string(nil), before.items...), v.items...)
		}
		if n := indexOf(w); n >= 0 && v.items == nil && len(v.values) == 1 { // a[2]=x
			items := make([]string, n+1)
			if had {
				items = append(append([]string(nil), before.items...), make([]string, max(0, n+1-len(before.items)))...)
			}
			items[n] = v.values[0]
			v = &variable{items: items}
		}
		if loose && had && v.items == nil && len(before.values)+len(v.values) <= maxChoices {
			v.values = append(v.values, before.values...)
		}
		m.vars[name] = v
		m.setting(name, v, by, forCommand)
		if forCommand {
			outer := undo
			undo = func() {
				outer()
				if had {
					m.vars[name] = before
				} else {
					delete(m.vars, name)
				}
			}
		}
	}
	return undo
}

// maxIndex is up to which index the items of a list are kept apart.
const maxIndex = 255

// indexOf is the index in NAME[index]=value, if it is a plain number; else -1.
func indexOf(w word) int {
	if len(w.parts) == 0 {
		return -1
	}
	head, _, _ := strings.Cut(string(w.parts[0].bytes), "=")
	_, index, found := strings.Cut(strings.TrimSuffix(head, "+"), "[")
	n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
	if !found || err != nil || n < 0 || n > maxIndex {
		return -1
	}
	return n
}

// assignment reads NAME=value, NAME+=value and NAME=(a b).
func (m *machine) assignment(w word) (name string, v *variable, appends bool) {
	if !w.assigns || len(w.parts) == 0 || w.parts[0].kind != plainText {
		return "", nil, false
	}
	head, value, _ := strings.Cut(string(w.parts[0].bytes), "=")
	head, appends = strings.CutSuffix(head, "+")
	name, _, _ = strings.Cut(head, "[")
	rest := word{parts: append([]part(nil), w.parts...)}
	rest.parts[0] = part{kind: plainText, bytes: []byte(value)}
	v = &variable{}
	for _, p := range rest.parts {
		if p.kind == array {
			v.items = append([]string{}, m.values(p, false)[0].items...)
			return name, v.keyed(), appends
		}
	}
	if strings.HasPrefix(value, "~/") || value == "~" {
		rest.parts[0].bytes = []byte(m.opts.Home + value[1:])
	}
	v.values = m.texts(rest)
	return name, v, appends
}
