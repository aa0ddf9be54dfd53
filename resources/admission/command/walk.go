package command

import "strings"

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
	case and: // code 0: both succeeded; another: one of them failed
		w.both(s, proof{success: p.success})
	case or: // code 0: one of them succeeded; another: both failed
		w.both(s, proof{failure: p.failure})
	case pipe: // the code is the last command's
		right := *w
		w.stmt(s.left, proof{})
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
