package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxSignature is how long the text of a signature may be, in characters.
const maxSignature = 200

// unit is one file while its declarations are collected. A language's scanner walks the
// tokens and calls declare, bring and give; what all languages share is done here.
type unit struct {
	*lexer
	Facts
	outline bool
	summed  int // tokens that sums were taken over so far
}

// input is a file to scan.
type input struct {
	language string // as the row of languages calls it
	data     []byte
	outline  bool // only what Outline tells is wanted: no sums, no signatures, no docs
}

// maxSummed is how many times, on average, each token of a file may stand in a declaration: in
// methods and the classes around them. Whoever nests deeper, or declares a thousand names in one
// statement, would make the work grow with the square of the file.
const maxSummed = 8

// scanned begins the facts of a file.
func scanned(in input, row *lexis) *unit {
	u := &unit{lexer: lex(in.data, row), outline: in.outline}
	u.Facts = Facts{Language: in.language, Lines: countLines(in.data), Partial: u.lexer.partial}
	return u
}

// declare adds a symbol that stands in the tokens from first to last, both included. Its name,
// owner, kind and whether it is exported are given; signature ends before the token head (its
// body's bracket, or one past last).
func (u *unit) declare(s Symbol, first, head, last int) {
	if s.Name == "" || first < 0 || last < first || last >= len(u.tokens) || u.full() {
		return
	}
	if u.summed += last - first + 1; u.summed > max(maxSummed*len(u.tokens), 100_000) {
		u.Partial = "too many declarations in one another"
		return
	}
	s.From, s.To = u.lineOf(first), u.lastLine(last)
	s.Signature = u.signature(first, min(head, last+1))
	s.Body = u.sum(first, last)
	u.Symbols = append(u.Symbols, s)
}

// full reports whether a file has as many declarations as are read of one.
func (u *unit) full() bool {
	if len(u.Symbols) >= maxSymbols {
		u.Partial = "over 25,000 declarations"
	}
	return len(u.Symbols) >= maxSymbols
}

// signature is the text of some tokens on one line, comments aside.
func (u *unit) signature(first, end int) string {
	if u.outline {
		return ""
	}
	var b strings.Builder
	for i := first; i < end && b.Len() <= maxSignature; i++ {
		if i > first && u.tokens[i].from > u.tokens[i-1].to {
			b.WriteByte(' ')
		}
		b.Write(u.bytes(i))
	}
	return cut(strings.Join(strings.Fields(b.String()), " "), maxSignature)
}

// sum is over some tokens, both ends included: not over comments and blanks, nor over what
// formatters add when they break lines (a comma or semicolon before a bracket that closes), nor
// how the lines of a text end. How deep a statement is indented counts from the first one. Lines of
// the preprocessor between two tokens count.
func (u *unit) sum(first, last int) string {
	if u.outline {
		return ""
	}
	h := sha256.New()
	directives := u.directivesAfter(first)
	for i := first; i <= last; i++ {
		for ; len(directives) > 0 && int(directives[0].before) <= i; directives = directives[1:] {
			h.Write([]byte("\n" + directives[0].text + "\x00"))
		}
		b := u.bytes(i)
		t := u.tokens[i]
		switch {
		case t.kind == commentToken: // a docstring
			continue
		case t.kind == punctToken && len(b) == 1 && strings.IndexByte(u.silent, b[0]) >= 0:
			continue
		case t.kind == punctToken && (b[0] == ',' || b[0] == ';') && i < last && strings.ContainsAny(u.text(i+1), ")]}"):
			continue
		case t.level > 0 && i > first:
			h.Write([]byte{'\n', byte(t.level - u.tokens[first].level)})
		}
		if t.kind == textToken && u.sameQuotes {
			prefix, inner := u.parts(b)
			h.Write(prefix)
			b = inner
		}
		if t.kind == textToken {
			b = bytes.ReplaceAll(b, []byte("\r\n"), []byte{'\n'})
		}
		h.Write(b)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// parts are a string's prefix and what stands between its quotes: all of it where they matter.
func (u *unit) parts(text []byte) (prefix, inner []byte) {
	for i, c := range text {
		size := 1
		switch {
		case u.letter(c):
			continue
		case c != '"' && c != '\'' || text[len(text)-1] != c: // no string: a template's piece
			return nil, text
		case bytes.HasPrefix(text[i+1:], []byte{c, c}) && len(text) >= i+6:
			size = 3
		}
		return text[:i], text[i+size : max(len(text)-size, i+size)]
	}
	return nil, text
}

// bring adds an import.
func (u *unit) bring(i Import) {
	if i.From != "" {
		u.Imports = append(u.Imports, i)
	}
}

// unquoted is the text of a string's token.
func (u *unit) unquoted(i int) string {
	b := u.bytes(i)
	if u.kindOf(i) != textToken || len(b) < 2 {
		return ""
	}
	return string(b[1 : len(b)-1])
}

// cut shortens a text to so many characters.
func cut(text string, most int) string { return resources.Shortened(text, most, "…") }

func countLines(data []byte) int {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// shared is what several symbols of a declaration have in common: tokens up to end.
type shared struct {
	first, end int
	sum        string
}

func (u *unit) shared(first, end int) shared { return shared{first, end, u.sum(first, end-1)} }

// declareApart adds one of several symbols of a declaration, whose own tokens are from own up to
// end, and whose last one is last. What stands between those and what all share does not count.
func (u *unit) declareApart(s Symbol, with shared, own, end, last int) {
	if s.Name == "" || own < with.first || last < own || last >= len(u.tokens) || u.full() {
		return
	}
	s.From, s.To = u.lineOf(with.first), u.lastLine(last)
	s.Signature = cut(strings.TrimSpace(u.signature(with.first, with.end)+" "+u.signature(own, end)), maxSignature)
	if !u.outline {
		s.Body = hexSum([]byte(with.sum + u.sum(own, end-1)))
	}
	u.Symbols = append(u.Symbols, s)
}
