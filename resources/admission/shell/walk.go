package shell

import (
	"path"
	"strings"
)

// proof is what the exit code of the whole line says about a part of it.
type proof struct{ success, failure bool }

// walker goes through a parsed line in the order in which it runs.
type walker struct {
	line    *Line
	dir     string // of literal cds so far
	unknown bool   // a cd that cannot be followed came before
	filter  bool   // in a pipe, behind another command
	loose   bool   // there are loops or conditions: nothing is sure to run
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
		w.redirect(r)
	}
	switch s.kind {
	case simple:
		w.call(s, p)
	case block, function:
		w.list(s.list, p)
	case subshell:
		inner := *w
		inner.list(s.list, p)
	case and: // code 0: both succeeded; another: one of them failed
		w.both(s, proof{success: p.success})
	case or: // code 0: one of them succeeded; another: both failed
		w.both(s, proof{failure: p.failure})
	case pipe: // the code is the last command's, and each runs in a subshell
		left, right := *w, *w
		left.stmt(s.left, proof{})
		right.filter = true
		right.stmt(s.right, p)
	}
}

func (w *walker) both(s *stmt, p proof) {
	w.stmt(s.left, p)
	w.stmt(s.right, p)
}

// call is a simple command.
func (w *walker) call(s *stmt, p proof) {
	for _, word := range s.assigns {
		w.substitutions(word)
		if word.assigns {
			w.line.Assigns = append(w.line.Assigns, word.text)
		}
	}
	for _, word := range s.words {
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
		c.Args = append(c.Args, word.known())
	}
	c.Dir, c.DirUnknown = w.dir, w.unknown
	c.Input, c.Reads = s.input()
	w.changeDir(c)
	w.line.Commands = append(w.line.Commands, c)
}

// input is what here-documents and here-strings give a command to read, and whether
// its input is redirected at all.
func (s *stmt) input() (text string, redirected bool) {
	for _, r := range s.redirects {
		if r.input != nil {
			text = *r.input // the last one holds
		}
		redirected = redirected || !r.writes
	}
	return text, redirected
}

// substitutions walks what $(...) and the like in a word run: in a subshell,
// with an exit code of their own.
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

// changeDir follows a literal cd.
func (w *walker) changeDir(c Command) {
	if len(c.Words) == 0 {
		w.unknown = true // could be cd
		return
	}
	switch c.Words[0] {
	case "cd", "pushd":
		w.cd(c)
	case "popd", "eval", "source", ".", "builtin", "command":
		w.unknown = true
	}
}

func (w *walker) cd(c Command) {
	args := c.Args[1:]
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if w.loose || len(args) != 1 || !args[0].Literal || args[0].Text == "" || strings.ContainsRune("-+", rune(args[0].Text[0])) {
		w.unknown = true
		return
	}
	dir := args[0].Text
	if path.IsAbs(dir) {
		w.dir, w.unknown = dir, false
		return
	}
	w.dir = joinDir(w.dir, dir)
}

// joinDir does not clean: "link/.." is not ".", and only whoever can look at the
// file system may resolve it.
func joinDir(dir, next string) string {
	if dir == "" {
		return next
	}
	return dir + "/" + next
}

// redirect takes in a file that is written.
func (w *walker) redirect(r redirect) {
	w.substitutions(r.target)
	if !r.writes || r.target.text == "" && r.target.literal {
		return
	}
	if !r.target.literal && !r.target.home {
		w.line.Dynamic = true
		w.line.Unknown = append(w.line.Unknown, r.target.known())
		return
	}
	t := Target{Path: r.target.text, Home: r.target.home, Dir: w.dir}
	t.Unknown = w.unknown && !t.Home && !path.IsAbs(t.Path)
	w.line.Writes = append(w.line.Writes, t)
}

// isDescriptor tells 2>&1 and 2>&- from bash's >&file.
func isDescriptor(text string) bool {
	return text == "-" || strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == ""
}
