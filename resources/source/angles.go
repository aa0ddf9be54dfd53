package source

// angles pairs < with > where they enclose arguments or parameters of types, so that past steps
// over them: between them stands only what inTypes allows. Where they compare or shift, they
// stay alone. What brackets enclose is looked at by itself.
func (l *lexer) angles(inTypes func(i int) bool) {
	var open, outer []int32 // < without their other one; how many there were outside of each bracket
	base := int32(0)
	for i := range l.tokens {
		t := &l.tokens[i]
		c := byte(0)
		if t.kind == punctToken && t.to-t.from == 1 {
			c = l.data[t.from]
		}
		switch {
		case c == '<':
			open = append(open, int32(i))
		case c == '>' && int32(len(open)) > base:
			at := open[len(open)-1]
			open = open[:len(open)-1]
			l.tokens[at].pair, t.pair = int32(i), at
		case t.pair > int32(i):
			if !inTypes(i) {
				open = open[:base]
			}
			outer = append(outer, base)
			base = int32(len(open))
		case t.pair >= 0 && len(outer) > 0:
			open = open[:base]
			base, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case !inTypes(i):
			open = open[:base]
		}
	}
}

// word reports whether a token is a word.
func (l *lexer) word(i int) bool { return i >= 0 && i < len(l.tokens) && l.tokens[i].kind == wordToken }

// until is the first token at or after i that is one of some texts, end if there is none before
// it. Brackets are stepped over, those apart that are asked for.
func (l *lexer) until(i, end int, texts ...string) int {
	for i < end && !l.is(i, texts...) {
		i = l.past(i)
	}
	return min(i, end)
}

// closing is the other one of a bracket; the last token before end if it has none.
func (l *lexer) closing(i, end int) int {
	if next := l.past(i); next > i+1 {
		return min(next-1, end-1)
	}
	return end - 1
}

// joined is the text of some tokens without what stands between them.
func (l *lexer) joined(first, end int) string {
	var b []byte
	for i := first; i < end; i++ {
		b = append(b, l.bytes(i)...)
	}
	return string(b)
}

// scope is a body whose members are declared, or a whole file.
type scope struct {
	next, end int    // its next token, and that after its last one
	owner     string // as of its members
	name      string // of the type, without owners
	kind      string // of the declaration; "" for a file
	open      bool   // its members are for everybody unless they say otherwise
}

// inner is what of a scope is the owner of a name's members.
func (s scope) inner(name string) string { return ownedBy(s.owner, name) }

// maxScopes is how deep types may stand in types: each is summed with all that it holds.
const maxScopes = 32

// scopes calls next with each member of a file's scope and of those that it opens, innermost
// first. next returns the token after the member, and the scope that it opened, if any.
func (u *unit) scopes(next func(s scope) (after int, inside *scope)) {
	all := []scope{{end: len(u.tokens)}}
	for len(all) > 0 {
		s := &all[len(all)-1]
		if s.next >= s.end {
			all = all[:len(all)-1]
			continue
		}
		after, inside := next(*s)
		s.next = max(after, s.next+1)
		switch {
		case inside == nil:
		case len(all) > maxScopes:
			u.Partial = "deeper than 32 types"
		default:
			s.next = max(s.next, inside.end) // nothing is read twice
			all = append(all, *inside)
		}
	}
}

// settled is finish for languages of brackets: where they do not match, nobody can tell whether
// what a declaration holds is all that it held before.
func (u *unit) settled() Facts {
	if u.torn && u.Partial == "" {
		u.Partial = "does not parse"
		for i := range u.Symbols {
			u.Symbols[i].Body = ""
		}
	}
	return u.finish()
}
