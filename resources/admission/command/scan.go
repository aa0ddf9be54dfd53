package command

import (
	"slices"
	"strings"
)

// word is one word of a command.
type word struct {
	text    string    // literal part with quotes removed
	literal bool      // text is the whole word
	source  string    // text as written
	assigns bool      // NAME=... with an unquoted name
	runs    [][]*stmt // commands in its substitutions
	parts   []part    // parts for the interpreter
}

// part is a part of a word.
type part struct {
	kind   piece
	bytes  []byte // text
	text   string // content of a parameter, sum or process
	quoted bool
	run    []*stmt // command, process
	items  []word  // array
}

// piece is the kind of a part of a word.
type piece int

const (
	plainText    piece = iota // literal text; unquoted, it may contain patterns and braces
	param                     // $name or ${...}; text is the content
	substitution              // $(...) or `...`
	process                   // <(...), or >(...) if text is ">"
	sum                       // $((...)); text is the content
	tilde                     // leading "~"
	array                     // list of values after NAME=
	extglob                   // ?(...) and similar: unknown
)

// lit adds text to a word's parts.
func (w *word) lit(s string, quoted bool) {
	if last := len(w.parts) - 1; last >= 0 && w.parts[last].kind == plainText && w.parts[last].quoted == quoted {
		w.parts[last].bytes = append(w.parts[last].bytes, s...)
		return
	}
	w.parts = append(w.parts, part{kind: plainText, bytes: []byte(s), quoted: quoted})
}

// heredoc is a here-document whose body starts on the next line.
type heredoc struct {
	end      string
	tabs     bool // <<-: leading tabs are removed
	verbatim bool // quoted delimiter: the body is not expanded
	body     *string
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos >= len(p.src) {
		return 0
	}
	return p.src[p.pos]
}

// hasPrefix reports whether the remaining input starts with a text.
func (p *parser) hasPrefix(s string) bool { return strings.HasPrefix(p.src[p.pos:], s) }

// blanks skips blanks and comments.
func (p *parser) blanks() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.pos++
		case p.hasPrefix("\\\n"):
			p.pos += 2
		case c == '#' && (p.pos == 0 || strings.IndexByte(" \t\r\n;&|()", p.src[p.pos-1]) >= 0):
			for p.pos < len(p.src) && p.src[p.pos] != '\n' {
				p.pos++
			}
		default:
			return
		}
	}
}

// blankLines skips blanks, comments and newlines.
func (p *parser) blankLines() {
	for p.blanks(); p.peek() == '\n'; p.blanks() {
		p.pos++
		// the bodies of here-documents that start on the previous line
		for _, h := range p.heredocs {
			begin, end := p.pos, len(p.src)
			for p.pos < len(p.src) {
				line, _, _ := strings.Cut(p.src[p.pos:], "\n")
				at := p.pos
				p.pos = min(p.pos+len(line)+1, len(p.src))
				if h.tabs {
					line = strings.TrimLeft(line, "\t")
				}
				if line == h.end {
					end = at
					break
				}
				if !h.verbatim && strings.ContainsAny(line, "$`") {
					p.dynamic = true
				}
			}
			*h.body = p.src[begin:end]
		}
		p.heredocs = nil
	}
}

// metacharacters end a word.
const metacharacters = " \t\r\n;&|()<>"

// reserved reports whether the next word is the given reserved word, unquoted.
func (p *parser) reserved(w string) bool {
	if !p.hasPrefix(w) {
		return false
	}
	end := p.pos + len(w)
	if end+1 < len(p.src) && p.src[end+1] == '(' && (p.src[end] == '<' || p.src[end] == '>') { // a longer word
		return false
	}
	return end >= len(p.src) || strings.IndexByte(metacharacters, p.src[end]) >= 0
}

// anyReserved reports whether the next word is one of some reserved words.
func (p *parser) anyReserved(words ...string) bool { return slices.ContainsFunc(words, p.reserved) }

// skipWord skips the reserved word at the current position.
func (p *parser) skipWord() {
	for p.pos < len(p.src) && strings.IndexByte(metacharacters, p.src[p.pos]) < 0 {
		p.pos++
	}
}

// redirection parses one redirection with its target. Here-documents have no
// target. It returns false if no redirection starts here. After an error it
// returns true and sets failed.
func (p *parser) redirection() (found []redirect, ok bool) {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	op := p.operator()
	if op == "" || op[0] == '&' && p.pos > start {
		p.pos = start
		return nil, false
	}
	fd := p.src[start:p.pos]
	p.pos += len(op)
	p.blanks()
	target, complete := p.word()
	if !complete {
		p.failed = true
		return nil, true
	}
	switch op {
	case "<<", "<<-":
		body := new(string)
		p.heredocs = append(p.heredocs, heredoc{end: target.text, tabs: op == "<<-", verbatim: p.quotedSince(start), body: body})
		return []redirect{{input: body, op: op, verbatim: p.quotedSince(start)}}, true
	case "<<<":
		return []redirect{{target: target, input: &target.text, op: op}}, true
	case "<", "<&":
		return []redirect{{target: target, op: op}}, true
	}
	writes := op != ">&" || !isDescriptor(target.text) || !target.literal
	return []redirect{{target: target, writes: writes, op: op, fd: fd}}, true
}

// quotedSince reports whether the delimiter of a here-document was quoted.
func (p *parser) quotedSince(start int) bool {
	return strings.ContainsAny(p.src[start:p.pos], `'"\`)
}

// operators lists the redirections of bash, longest first. "<(" and ">(" are process
// substitutions, which are words.
var operators = []string{"&>>", "&>|", "&>", "<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">"}

// operator returns the redirection operator at the current position, or "".
func (p *parser) operator() string {
	i := slices.IndexFunc(operators, p.hasPrefix)
	if i < 0 || p.hasPrefix("<(") || p.hasPrefix(">(") {
		return ""
	}
	return operators[i]
}
