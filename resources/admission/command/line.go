package command

import "strings"

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
