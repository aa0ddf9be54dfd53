package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxSignature is the maximum length of a signature, in characters.
const maxSignature = 200

// unit is the scanner state of one file that all languages share. The scanner
// of a language processes the tokens and calls declare and bring. Tokens are
// indexes. A method that processes a part of the file from a token on returns
// the token after the part.
type unit struct {
	*lexer
	Facts
	outline bool
	summed  int // number of tokens in all checksums so far
}

// input is a file to scan.
type input struct {
	language string // name in the table of languages
	data     []byte
	outline  bool // for Outline: no checksums, signatures and docs
}

// maxSummed limits the average number of declarations that contain a token, for example
// methods and their classes. Without it, deep nesting, or a thousand names in one
// statement, would cause quadratic work.
const maxSummed = 8

// scanned splits a file into tokens and returns its unit.
func scanned(in input, row *lexis) *unit {
	u := &unit{lexer: lex(in.data, row), outline: in.outline}
	u.Facts = Facts{Language: in.language, Lines: countLines(in.data), Partial: u.lexer.partial}
	return u
}

// declare adds a symbol with the tokens from first to last, inclusive. The
// caller sets its name, owner, kind and Exported. The signature ends before
// token head (the opening bracket of the body, or last+1). It ignores a symbol
// without a name or with invalid tokens. Beyond a limit it sets Partial
// instead.
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

// full reports whether a file has reached the maximum number of declarations.
// It then sets Partial.
func (u *unit) full() bool {
	if len(u.Symbols) >= maxSymbols {
		u.Partial = "over 25,000 declarations"
	}
	return len(u.Symbols) >= maxSymbols
}

// signature returns the text of some tokens on one line, without comments.
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

// sum returns the checksum of the tokens from first to last, inclusive. It ignores
// comments, white space, a comma or semicolon before a closing bracket, and the type of
// line ends in strings. It includes the indentation of statements relative to the first
// one, and preprocessor lines.
func (u *unit) sum(first, last int) string {
	if u.outline {
		return ""
	}
	h := sha256.New()
	directives := u.directivesAfter(first)
	for i := first; i <= last; i++ {
		for ; len(directives) > 0 && int(directives[0].nextToken) <= i; directives = directives[1:] {
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
			prefix, inner := u.stringParts(b)
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

// stringParts splits a string in ' or " (also tripled) into its prefix and the text
// between the quotes. It returns any other text whole, such as a template or a
// piece of one. The caller checks whether the type of quotes matters
// (sameQuotes).
func (u *unit) stringParts(text []byte) (prefix, inner []byte) {
	for i, c := range text {
		size := 1
		switch {
		case u.letter(c):
			continue
		case c != '"' && c != '\'' || text[len(text)-1] != c: // a piece of a template
			return nil, text
		case bytes.HasPrefix(text[i+1:], []byte{c, c}) && len(text) >= i+6:
			size = 3
		}
		return text[:i], text[i+size : max(len(text)-size, i+size)]
	}
	return nil, text
}

// bring adds an import to the facts of the file, unless From is empty.
func (u *unit) bring(i Import) {
	if i.From != "" {
		u.Imports = append(u.Imports, i)
	}
}

// unquoted returns the text of a string token without its first and last byte,
// the quotes. It returns "" for other tokens.
func (u *unit) unquoted(i int) string {
	b := u.bytes(i)
	if u.kindOf(i) != textToken || len(b) < 2 {
		return ""
	}
	return string(b[1 : len(b)-1])
}

// cut truncates a text to most characters.
func cut(text string, most int) string { return resources.Shortened(text, most, "…") }

// countLines returns the number of lines, including a last one without a line end.
func countLines(data []byte) int {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// sharedTokens contains the tokens before end that several symbols of a declaration share.
type sharedTokens struct {
	first, end int
	sum        string
}

// shared returns the tokens of a range, with their checksum, as shared by several symbols.
func (u *unit) shared(first, end int) sharedTokens {
	return sharedTokens{first, end, u.sum(first, end-1)}
}

// declareApart adds one of several symbols of a declaration. Its own tokens are from own up
// to end, and its last token is last. The checksum covers the shared tokens and the own
// tokens.
func (u *unit) declareApart(s Symbol, with sharedTokens, own, end, last int) {
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
