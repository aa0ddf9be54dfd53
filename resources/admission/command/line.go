package command

import (
	"path"
	"slices"
	"strings"
)

// MaxLine is the longest command line that is read, in bytes. Of a longer one
// nothing is known.
const MaxLine = 256 << 10

// Line is a command line as it is written. What it would do is for Read.
type Line struct {
	Commands []Command
	Writes   []string // the names behind redirections that write, as far as they are literal
	Dynamic  bool     // something of it is only known when it runs: a substitution, a loop, a function

	text   string
	list   []*stmt
	broken bool // it cannot be read to its end, or what it opens is not closed
}

// Command is one simple command of a line, as it is written.
type Command struct {
	Words    []string // literal words; the first that is not literal ends the list
	Complete bool     // Words is the whole command
	Assigned bool     // it has assignments of its own in front (FOO=1 make)
	// OnSuccess and OnFailure are what the exit code of the whole line proves of
	// this command: that code 0, or another one, was its own outcome.
	OnSuccess, OnFailure bool
	Filter               bool // it reads from a pipe
}

// Parse reads a command line. ok is false if it is no shell that this package
// can read; what was found up to there is returned.
func Parse(text string) (line Line, ok bool) {
	if len(text) > MaxLine {
		return Line{Dynamic: true, text: text}, false
	}
	p := &parser{src: text}
	line = Line{text: text, list: p.list()}
	line.broken = !p.whole()
	ok = !p.failed && p.pos >= len(p.src)
	w := &walker{line: &line}
	w.list(line.list, proof{success: !p.compound && ok, failure: !p.compound && ok})
	line.Dynamic = line.Dynamic || p.compound || p.dynamic || !ok
	return line, ok
}

// withoutMarks puts another control character in the place of those that stand for what is
// not known.
func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return 0x05
		}
		return r
	}, text)
}

// proof is what the exit code of the whole line says about a part of it.
type proof struct{ success, failure bool }

// walker goes through a parsed line in the order in which it is written.
type walker struct {
	line   *Line
	filter bool // in a pipe, behind another command
}

// list walks commands in a row. Only the last one's exit code is the list's.
func (w *walker) list(list []*stmt, p proof) {
	for i, s := range list {
		if i < len(list)-1 {
			w.stmt(s, proof{})
		} else {
			w.stmt(s, p)
		}
	}
}

func (w *walker) stmt(s *stmt, p proof) {
	if s.negated || s.background {
		p = proof{}
	}
	for _, r := range s.redirects {
		w.substitutions(r.target)
		if r.writes && r.target.literal && r.target.text != "" {
			w.line.Writes = append(w.line.Writes, r.target.text)
		}
		w.line.Dynamic = w.line.Dynamic || r.writes && !r.target.literal
	}
	switch s.kind {
	case simple:
		w.call(s, p)
	case block, function, subshell:
		w.list(s.list, p)
	case and, or: // code 0 of a && b: both succeeded; another of a || b: both failed
		half := proof{success: p.success && s.kind == and, failure: p.failure && s.kind == or}
		w.stmt(s.left, half)
		w.stmt(s.right, half)
	case pipe: // the code is the last command's
		right := *w
		w.stmt(s.left, proof{})
		right.filter = true
		right.stmt(s.right, p)
	}
}

// call is a simple command.
func (w *walker) call(s *stmt, p proof) {
	for _, word := range slices.Concat(s.assigns, s.words) {
		w.substitutions(word)
	}
	if len(s.words) == 0 {
		return
	}
	c := Command{Complete: true, Assigned: len(s.assigns) > 0, OnSuccess: p.success, OnFailure: p.failure, Filter: w.filter}
	for _, word := range s.words {
		if c.Complete = c.Complete && word.literal; c.Complete {
			c.Words = append(c.Words, word.text)
		}
	}
	w.line.Commands = append(w.line.Commands, c)
}

// substitutions walks what $(...) and the like in a word run: with an exit code of their own.
func (w *walker) substitutions(word word) {
	for _, list := range word.runs {
		w.line.Dynamic = true
		inner := *w
		inner.filter = false
		for _, s := range list {
			inner.stmt(s, proof{})
		}
	}
}

// isDescriptor tells 2>&1 and 2>&- from bash's >&file.
func isDescriptor(text string) bool {
	return text == "-" || strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == ""
}

// filters may follow an idumb command in a pipe: they only show less of it.
var filters = []string{"cat", "head", "tail", "grep", "jq", "wc"}

// Governance reports whether the line does nothing but run idumb: then it is
// how an agent gets on, whatever tools it may use. Looking around (cd, echo) and
// filters behind a pipe are allowed with it; anything that writes is not.
func (l Line) Governance() bool {
	if l.Dynamic || len(l.Writes) > 0 {
		return false
	}
	found := false
	for _, c := range l.Commands {
		switch {
		case len(c.Words) == 0 || c.Assigned:
			return false
		case IsIdumb(c.Words[0]):
			found = true
		case c.Filter && slices.Contains(filters, c.Words[0]):
		case c.Words[0] == "cd", c.Words[0] == "echo", c.Words[0] == "true":
		default:
			return false
		}
	}
	return found
}

// IsIdumb reports whether a command word is our own command: by its bare name
// or as an absolute path. A relative path could be a script of the same name.
func IsIdumb(word string) bool {
	return word == "idumb" || path.IsAbs(word) && strings.HasSuffix(word, "/idumb")
}
