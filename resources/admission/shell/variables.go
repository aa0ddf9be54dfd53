package shell

import "strings"

// maxValue is the longest value of a variable that is followed, in bytes.
const maxValue = 4 << 10

// variables are the values that a line gives to its variables before it uses them, as
// patterns like Word.Pattern. What comes later in the text is taken to run later, and
// what stands in a branch to run: it is a look at what a line means, and no proof.
type variables map[string]string

// set keeps a value; one that is not known takes an older one away.
func (v *variables) set(name, pattern string, known bool) {
	if *v == nil {
		*v = variables{}
	}
	if delete(*v, name); known && len(pattern) <= maxValue {
		(*v)[name] = pattern
	}
}

// bind takes in assignments.
func (v *variables) bind(assigns []word) {
	for _, w := range assigns {
		name, value, found := strings.Cut(w.pattern, "=")
		if found && w.assigns && !strings.ContainsAny(name, "+[") {
			v.set(name, value, !w.opaque)
		} else if name, _, _ = strings.Cut(w.text, "="); w.assigns {
			v.set(strings.TrimRight(name, "+"), "", false)
		}
	}
}

// loop takes in "for NAME in WORD ...": the name stands for any of the words.
func (v *variables) loop(words []word) {
	if len(words) == 0 {
		return
	}
	var values []string
	known := len(words) > 2 && words[1].literal && words[1].text == "in"
	for _, w := range words[min(2, len(words)):] {
		known = known && !w.opaque && !w.inHome && !strings.ContainsAny(w.pattern, ",}")
		values = append(values, w.pattern)
	}
	value := strings.Join(values, ",")
	if len(values) > 1 {
		value = "{" + value + "}"
	}
	v.set(words[0].text, value, known)
}

// declarers set variables by words of theirs, and readers to what nobody knows.
var (
	declarers = []string{"export", "declare", "typeset", "readonly", "local"}
	readers   = []string{"read", "mapfile", "readarray", "unset", "getopts"}
)

// variable reads a name behind "$", in braces or not; false if there is none whose
// value is known. assigned says that the value begins what the word assigns.
func (p *parser) variable(assigned bool) (pattern string, found bool) {
	rest := p.src[p.pos:]
	braced := strings.HasPrefix(rest, "{")
	if braced {
		rest = rest[1:]
	}
	n := 0
	for n < len(rest) && isNameByte(rest[n]) {
		n++
	}
	name, length := rest[:n], n
	if braced {
		if !strings.HasPrefix(rest[n:], "}") {
			return "", false
		}
		length += 2
	}
	pattern, found = p.values[name]
	if !found && name == "HOME" && assigned && strings.HasPrefix(p.src[p.pos+length:], "/") {
		pattern, found = "~", true
	}
	if found {
		p.pos += length
	}
	return pattern, found
}
