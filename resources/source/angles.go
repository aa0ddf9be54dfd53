package source

// angles pairs < with > if they enclose type arguments or type parameters, so
// that tokenAfter skips them. Only tokens for which inTypes returns true may be
// in between. Comparison and shift operators are not paired. The content of
// brackets is processed separately.
func (l *lexer) angles(inTypes func(i int) bool) {
	var open, outer []int32 // unpaired <; their number outside of each bracket
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

func (l *lexer) word(i int) bool { return i >= 0 && i < len(l.tokens) && l.tokens[i].kind == wordToken }

// until returns the first token at or after i whose text is in texts, or end if there is
// none before end. It skips the content of brackets, unless the bracket is in texts.
func (l *lexer) until(i, end int, texts ...string) int {
	for i < end && !l.is(i, texts...) {
		i = l.tokenAfter(i)
	}
	return min(i, end)
}

// closing returns the matching bracket. If there is none, it returns the last token before
// end.
func (l *lexer) closing(i, end int) int {
	if next := l.tokenAfter(i); next > i+1 {
		return min(next-1, end-1)
	}
	return end - 1
}

// joined returns the text of some tokens without white space.
func (l *lexer) joined(first, end int) string {
	var b []byte
	for i := first; i < end; i++ {
		b = append(b, l.bytes(i)...)
	}
	return string(b)
}

// scope is the body of a declaration with members, or an entire file.
type scope struct {
	next, end int    // next token, and the token after the last one
	owner     string // Symbol.Owner of its members
	name      string // name of the type, without owners
	kind      string // kind of the declaration; empty for a file
	open      bool   // members are public by default
}

// inner returns the owner of the members of a name in the scope.
func (s scope) inner(name string) string { return ownedBy(s.owner, name) }

// maxScopes limits the nesting of types, because each type is hashed with its content.
const maxScopes = 32

// scopes calls next for each member of the file's scope and of nested scopes, innermost
// first. next returns the token after the member, and the scope that the member opens, if
// any.
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
			s.next = max(s.next, inside.end) // each token is visited once
			all = append(all, *inside)
		}
	}
}

// finishBalanced is finish for languages with brackets. If brackets do not
// match, the extent of a declaration is unknown: it removes all checksums and
// sets Partial.
func (u *unit) finishBalanced() Facts {
	if u.unbalanced && u.Partial == "" {
		u.Partial = "does not parse"
		for i := range u.Symbols {
			u.Symbols[i].Body = ""
		}
	}
	return u.finish()
}
