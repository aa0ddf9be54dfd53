package command

import (
	"path"
	"slices"
	"strings"
)

// MaxLine is the maximum length of a command line, in bytes. Longer ones are not parsed.
const MaxLine = 256 << 10

// Line is a parsed command line. Read interprets it.
type Line struct {
	Commands []Command
	Writes   []string // literal targets of writing redirections
	Dynamic  bool     // parts are only known at run time: substitutions, loops, functions

	text   string
	list   []*stmt
	broken bool // cannot be parsed to the end, or has unclosed parts
}

// Command is one simple command of a line.
type Command struct {
	Words    []string // leading literal words
	Complete bool     // Words is the whole command
	Assigned bool     // preceded by assignments (FOO=1 make)
	// OnSuccess and OnFailure report whether exit code 0, or another one, of the whole line
	// proves the same result of this command.
	OnSuccess, OnFailure bool
	Filter               bool // reads from a pipe
}

// Parse parses a command line. ok is false for unsupported syntax; the commands parsed
// before it are returned.
func Parse(text string) (line Line, ok bool) {
	if len(text) > MaxLine {
		return Line{Dynamic: true, text: text}, false
	}
	p := &parser{src: text}
	line = Line{text: text, list: p.list()}
	line.broken = !p.isComplete()
	ok = !p.failed && p.pos >= len(p.src)
	w := &walker{line: &line}
	w.list(line.list, proof{success: !p.compound && ok, failure: !p.compound && ok})
	line.Dynamic = line.Dynamic || p.compound || p.dynamic || !ok
	return line, ok
}

// withoutMarks replaces control characters that are used as marks for unknown parts.
func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return 0x05
		}
		return r
	}, text)
}

// proof describes which results of a part the exit code of the whole line proves.
type proof struct{ success, failure bool }

// walker visits the commands of a parsed line in order.
type walker struct {
	line   *Line
	filter bool // after another command in a pipe
}

// list visits a list of commands. Its exit code is that of the last command.
func (w *walker) list(list []*stmt, p proof) {
	for i, s := range list {
		if i < len(list)-1 {
			w.stmt(s, proof{})
		} else {
			w.stmt(s, p)
		}
	}
}

// stmt visits one statement with its redirections. p contains the results that the exit code of the
// line proves about it.
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
	case and, or: // exit code 0 of a && b: both succeeded; nonzero of a || b: both failed
		half := proof{success: p.success && s.kind == and, failure: p.failure && s.kind == or}
		w.stmt(s.left, half)
		w.stmt(s.right, half)
	case pipe: // the last command sets the exit code
		right := *w
		w.stmt(s.left, proof{})
		right.filter = true
		right.stmt(s.right, p)
	}
}

// call visits a simple command and adds it to the line, after the commands in its substitutions.
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

// substitutions visits the commands in substitutions of a word. They have a separate exit
// code.
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

// isDescriptor reports whether the target of >& in bash is a file descriptor
// (2>&1) or closes one (2>&-), and not a file.
func isDescriptor(text string) bool {
	return text == "-" || strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == ""
}

// filters lists commands that may follow an idumb command in a pipe. They only shorten its
// output.
var filters = []string{"cat", "head", "tail", "grep", "jq", "wc"}

// Governance reports whether a line only runs idumb. Such lines are allowed for all agents,
// whatever tools they may use. cd, echo and filters after a pipe are allowed in them,
// commands that write are not.
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

// IsIdumb reports whether a command word is idumb itself, as a bare name or an absolute
// path. A relative path could be a script with the same name.
func IsIdumb(word string) bool {
	return word == "idumb" || path.IsAbs(word) && strings.HasSuffix(word, "/idumb")
}
