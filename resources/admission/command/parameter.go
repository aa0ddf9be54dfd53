package command

import (
	"cmp"
	"strconv"
	"strings"
)

// variable holds the known values of a variable that the command line sets.
type variable struct {
	values []string          // possible values
	globs  bool              // values contain file patterns
	items  []string          // array items
	refers string            // name of the referenced variable
	keys   map[string]string // associative array ([key]=value ...)
}

// keyed parses items of the form [key]=value.
func (v *variable) keyed() *variable {
	for i, item := range v.items {
		key, value, found := strings.Cut(item, "]=")
		if !found || key == "" || key[0] != '[' || len(v.items) > maxFields {
			continue
		}
		if v.keys == nil {
			v.keys = map[string]string{}
		}
		v.keys[strings.Trim(key[1:], "\"'")], v.items[i] = value, value
	}
	return v
}

// separators returns the characters at which words are split.
func (m *interpreter) separators() string {
	if v, set := m.vars["IFS"]; set && len(v.values) == 1 && isKnown(v.values[0]) {
		return v.values[0]
	}
	return " \t\n"
}

// environment returns a replacement value for environment variables of running programs,
// including ones that usually name a program. It returns "" for other names.
func (m *interpreter) environment(name string) string {
	switch name {
	case "HOME":
		return m.opts.Home
	case "PWD":
		return m.dir
	case "TMPDIR", "TEMP", "TMP", "RUNNER_TEMP":
		return "/tmp/" + unknown
	case "SHELL", "BASH":
		return "/bin/bash"
	case "IFS":
		return " \t\n"
	case "_fetched_":
		return fetched
	case "_private_":
		return private
	case "_listed_":
		return listed
	case "CC", "CXX", "GO", "PYTHON", "NODE", "MAKE", "CARGO", "PAGER", "BROWSER", "EDITOR", "VISUAL":
		return strings.ToLower(name)
	}
	return ""
}

// parameter returns the values of $raw or ${raw}, or unknown.
func (m *interpreter) parameter(raw string) (all []value) {
	switch {
	case raw == "":
	case len(raw) > 1 && raw[0] == '#':
		if text, ok := single(m.lookup(raw[1:])); ok {
			all = one(strconv.Itoa(len(text)))
		}
	case len(raw) > 1 && raw[0] == '!': // indirect expansion
		name, _, rest := nameOf(raw[1:])
		if text, ok := single(m.lookup(name)); ok && rest == "" {
			all = m.lookup(text)
		}
	default:
		if name, index, rest := nameOf(raw); name != "" && rest == "" {
			all = m.indexed(name, index)
		} else if name != "" {
			all = m.modified(name, index, rest)
		}
	}
	return orUnknown(all)
}

// orUnknown returns the values, or the single value unknown for an empty list.
func orUnknown(v []value) []value {
	if len(v) == 0 {
		return one(unknown)
	}
	return v
}

// single returns the only value as text. It returns false for several or unknown values.
func single(vals []value) (string, bool) {
	if len(vals) != 1 || vals[0].list || !isKnown(vals[0].text) {
		return "", false
	}
	return vals[0].text, true
}

// decimals contains the decimal digits.
const decimals = "0123456789"

// nameOf splits the content of ${...} into name, index and rest.
func nameOf(raw string) (name, index, rest string) {
	switch {
	case strings.IndexByte("@*#?-$!", raw[0]) >= 0:
		rest = raw[1:]
	case strings.IndexByte(decimals, raw[0]) >= 0:
		rest = strings.TrimLeft(raw, decimals)
	default:
		rest = strings.TrimLeftFunc(raw, func(r rune) bool { return r < 0x80 && isNameByte(byte(r)) })
	}
	name = raw[:len(raw)-len(rest)]
	if strings.HasPrefix(rest, "[") {
		if end := endOfIndex(rest); end > 0 {
			index, rest = rest[1:end], rest[end+1:]
		}
	}
	return name, index, rest
}

// endOfIndex returns the position of the "]" that closes an index, which may be nested, or
// -1.
func endOfIndex(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// lookup returns the values of a variable. It returns none if the line does not set it and
// the name is unknown.
func (m *interpreter) lookup(name string) []value {
	if name == "" {
		return nil
	}
	switch name {
	case "@", "*":
		if !m.inFunction && len(m.args) == 0 {
			return one("")
		}
		return []value{{list: true, items: m.args}}
	case "#":
		return one(strconv.Itoa(len(m.args)))
	case "0":
		return one(cmp.Or(m.arg0, "bash"))
	case "?":
		return one("0")
	case "-":
		return one("hB")
	case "$", "!", "_":
		return one(unknown)
	}
	if strings.IndexByte(decimals, name[0]) >= 0 {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 || n > len(m.args) {
			return one("")
		}
		return one(m.args[n-1])
	}
	v, set := m.vars[name]
	for n := 0; set && v.refers != "" && n < 8; n++ { // chained references
		name = v.refers
		v, set = m.vars[name]
	}
	switch s := m.environment(name); {
	case set && v.items != nil:
		return []value{{list: true, items: v.items}}
	case set:
		all := textValues(v.values)
		for i := range all {
			all[i].glob = v.globs && strings.ContainsAny(all[i].text, "*?[")
		}
		return all
	case s != "":
		return one(s)
	}
	return nil
}

// indexed returns the values of name or name[index].
func (m *interpreter) indexed(name, index string) []value {
	if strings.ContainsAny(index, "$`") {
		index = m.document(index)
	}
	if v, set := m.vars[name]; set && v.keys != nil {
		if value, has := v.keys[strings.Trim(index, "\"'")]; has {
			return one(value)
		}
	}
	vals := m.lookup(name)
	if len(vals) != 1 || !vals[0].list || name == "@" || name == "*" || index == "@" || index == "*" {
		return vals
	}
	n, err := 0, error(nil)
	if index != "" {
		n, err = strconv.Atoi(m.arithmetic(index))
	}
	items := vals[0].items
	if n < 0 {
		n += len(items)
	}
	switch {
	case err != nil:
		return one(unknown)
	case n < 0 || n >= len(items):
		return one("")
	}
	return one(items[n])
}

// modified returns the values of ${name rest}.
func (m *interpreter) modified(name, index, rest string) []value {
	vals := m.indexed(name, index)
	op, colon := strings.CutPrefix(rest, ":")
	if op == "" {
		return nil
	}
	set := len(vals) > 0 && (!colon || vals[0].list && len(vals[0].items) > 0 || vals[0].text != "")
	switch op[0] {
	case '-', '=', '+':
		if op[0] != '+' && set {
			return vals
		}
		if op[0] == '+' && !set {
			return one("")
		}
		texts := m.texts(textOf(op[1:], inArgument, false))
		if op[0] == '=' {
			m.vars[name] = &variable{values: texts}
		}
		return textValues(texts)
	case '?':
		return vals
	}
	var all []value
	for _, v := range orUnknown(vals) {
		if v.list {
			all = append(all, value{text: unknown})
		} else {
			all = append(all, value{text: m.edited(v.text, colon, rest, op)})
		}
	}
	return all
}

// textValues converts texts to values.
func textValues(texts []string) []value {
	var all []value
	for _, t := range texts {
		all = append(all, value{text: t})
	}
	return all
}

// edited applies the operator #, %, /, :, ^ or a comma to a text.
func (m *interpreter) edited(s string, colon bool, rest, op string) string {
	if !isKnown(s) {
		if strings.ContainsAny(op, "$`") {
			m.document(op)
		}
		for _, mark := range []string{fetched, private, listed} {
			if strings.Contains(s, mark) {
				return mark
			}
		}
		return unknown
	}
	switch {
	case colon:
		return m.substring(s, op)
	case op[0] == '#' || op[0] == '%':
		pattern, longest := strings.CutPrefix(op[1:], op[:1])
		return trimmed(s, m.text(textOf(pattern, inArgument, false)), op[0] == '#', longest)
	case op[0] == '/':
		return m.replaced(s, op[1:])
	}
	switch rest {
	case "^^", "@U":
		return strings.ToUpper(s)
	case ",,", "@L":
		return strings.ToLower(s)
	}
	return unknown
}

// substring returns ${name:from:length} for the value s, with op as "from" or "from:length". It
// returns the mark unknown if a number is unknown.
func (m *interpreter) substring(s, op string) string {
	from, length, limited := strings.Cut(op, ":")
	a, err := strconv.Atoi(strings.Trim(m.arithmetic(strings.Trim(from, " ()")), " "))
	if err != nil {
		return unknown
	}
	if a < 0 {
		a += len(s)
	}
	if s = s[min(max(0, a), len(s)):]; !limited {
		return s
	}
	n, err := strconv.Atoi(m.arithmetic(length))
	if err != nil {
		return unknown
	}
	if n < 0 {
		n += len(s)
	}
	return s[:min(max(0, n), len(s))]
}

// trimmed removes the part that a pattern matches at the start or end.
func trimmed(s, pattern string, front, longest bool) string {
	if !isKnown(pattern) || len(s) > 512 {
		return unknown
	}
	best := -1
	for n := 0; n <= len(s) && (longest || best < 0); n++ {
		if front && matches(pattern, s[:n]) || !front && matches(pattern, s[len(s)-n:]) {
			best = n
		}
	}
	switch {
	case best < 0:
		return s
	case front:
		return s[best:]
	}
	return s[:len(s)-best]
}

// replaced returns ${name/old/new} for plain texts.
func (m *interpreter) replaced(s, op string) string {
	everywhere := strings.HasPrefix(op, "/")
	op = strings.TrimPrefix(op, "/")
	old, with, _ := strings.Cut(op, "/")
	old, with = m.text(textOf(old, inArgument, false)), m.text(textOf(with, inArgument, false))
	switch {
	case !isKnown(old) || len(s) > 4096 || old == "" || strings.ContainsAny(old[:1], "#%") || strings.ContainsAny(old, "*?["):
		return unknown
	case everywhere:
		return strings.ReplaceAll(s, old, with)
	}
	return strings.Replace(s, old, with, 1)
}
