package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// MaxLine is the longest command line that is read, in bytes. A longer one has
// neither commands nor writes.
const MaxLine = 256 << 10

// Line is what is known of a command line.
type Line struct {
	Commands []Command
	Writes   []Target // files that redirections write, in order
	Dynamic  bool     // something of it is only known when it runs: a substitution, a function, eval
}

// Command is one simple command of a line.
type Command struct {
	Words    []string // literal words; the first that is not literal ends the list
	Complete bool     // Words is the whole command
	Assigned bool     // it has assignments of its own in front (FOO=1 make)
	// OnSuccess and OnFailure are what the exit code of the whole line proves of
	// this command: that code 0, or another one, is its own outcome.
	OnSuccess, OnFailure bool
	Filter               bool // it reads from a pipe
}

// Target is a file that a redirection writes.
type Target struct {
	Path string // as written, quotes removed
	Home bool   // it starts in the home folder (~/x, $HOME/x); Path is the rest
	// Dir is where relative paths stand, relative to the line's own folder, if a
	// literal cd came before; Unknown says that it cannot be told.
	Dir     string
	Unknown bool
}

// Parse reads a command line. ok is false if it is no valid shell: then nothing
// is known of it, and the shell will refuse it as well.
func Parse(line string) (parsed Line, ok bool) {
	if len(line) > MaxLine {
		return Line{Dynamic: true}, false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return Line{Dynamic: true}, false
	}
	w := &walker{line: &parsed}
	w.statements(file.Stmts, proof{success: true, failure: true})
	return parsed, true
}

// proof is what the exit code of the whole line says about a part of it.
type proof struct{ success, failure bool }

// walker goes through a parsed line in the order in which it runs.
type walker struct {
	line    *Line
	dir     string // of literal cds so far
	unknown bool   // a cd that is not literal came before
	filter  bool
}

// statements walks a list. Only the last one's exit code is the list's.
func (w *walker) statements(list []*syntax.Stmt, p proof) {
	for i, s := range list {
		if i == len(list)-1 {
			w.statement(s, p)
		} else {
			w.statement(s, proof{})
		}
	}
}

func (w *walker) statement(s *syntax.Stmt, p proof) {
	if s.Negated {
		p = proof{}
	}
	if s.Background || s.Coprocess {
		p = proof{}
	}
	for _, r := range s.Redirs {
		w.redirect(r)
	}
	w.command(s.Cmd, p)
}

func (w *walker) command(c syntax.Command, p proof) {
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(c, p)
	case *syntax.BinaryCmd:
		w.binary(c, p)
	case *syntax.Block:
		w.statements(c.Stmts, p)
	case *syntax.Subshell:
		inner := *w
		inner.statements(c.Stmts, p)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.statement(c.Stmt, p)
		}
	default:
		w.other(c)
	}
}

// binary walks a && b, a || b and a | b.
func (w *walker) binary(c *syntax.BinaryCmd, p proof) {
	switch c.Op {
	case syntax.AndStmt: // code 0: both succeeded; another: one of them failed
		both := proof{success: p.success}
		w.statement(c.X, both)
		w.statement(c.Y, both)
	case syntax.OrStmt: // code 0: one of them succeeded; another: both failed
		both := proof{failure: p.failure}
		w.statement(c.X, both)
		w.statement(c.Y, both)
	default: // a pipe's code is its last command's, and each runs in a subshell
		left, right := *w, *w
		left.statement(c.X, proof{})
		right.filter = true
		right.statement(c.Y, p)
	}
}

// call is a simple command.
func (w *walker) call(c *syntax.CallExpr, p proof) {
	w.substitutions(c)
	if len(c.Args) == 0 {
		return
	}
	cmd := Command{Complete: true, Assigned: len(c.Assigns) > 0, OnSuccess: p.success, OnFailure: p.failure, Filter: w.filter}
	for _, word := range c.Args {
		text, literal := static(word)
		if !literal {
			cmd.Complete = false
			break
		}
		cmd.Words = append(cmd.Words, text)
	}
	w.changeDir(cmd)
	w.line.Commands = append(w.line.Commands, cmd)
}

// changeDir follows a literal cd.
func (w *walker) changeDir(c Command) {
	if len(c.Words) == 0 {
		w.unknown = true // could be cd
		return
	}
	switch c.Words[0] {
	case "cd":
	case "pushd", "popd", "eval", "source", ".":
		w.unknown = true
		return
	default:
		return
	}
	args := c.Words[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if !c.Complete || len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		w.unknown = true
		return
	}
	if path.IsAbs(args[0]) {
		w.dir, w.unknown = args[0], false
		return
	}
	w.dir = joinDir(w.dir, args[0])
}

// joinDir does not clean: "link/.." is not ".", and only whoever can look at the
// file system may resolve it.
func joinDir(dir, next string) string {
	if dir == "" {
		return next
	}
	return dir + "/" + next
}

// redirect takes in a file that is written. Descriptors (2>&1) and inputs are none.
func (w *walker) redirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut,
		syntax.AppClob, syntax.RdrAllClob, syntax.AppAllClob:
	default:
		return
	}
	word, home := fromHome(r.Word)
	text, literal := static(word)
	if !literal {
		w.line.Dynamic = true
		return
	}
	if r.Op == syntax.DplOut && isDescriptor(text) || text == "" {
		return
	}
	w.line.Writes = append(w.line.Writes, Target{Path: text, Home: home, Dir: w.dir, Unknown: w.unknown && !home && !path.IsAbs(text)})
}

// isDescriptor tells 2>&1 and 2>&- from csh's >&file.
func isDescriptor(text string) bool {
	return text == "-" || strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == ""
}

// other walks what has no exit code of its own that could be told: loops,
// conditions, functions. What they run and write still counts.
func (w *walker) other(c syntax.Command) {
	w.line.Dynamic = true
	inner := *w
	syntax.Walk(c, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			for _, r := range n.Redirs {
				inner.redirect(r)
			}
		case *syntax.CallExpr:
			inner.call(n, proof{})
			return false
		}
		return true
	})
	w.unknown = w.unknown || inner.unknown || inner.dir != w.dir
}

// substitutions walks $(...) and <(...) in a simple command's words.
func (w *walker) substitutions(c *syntax.CallExpr) {
	visit := func(n syntax.Node) bool {
		var list []*syntax.Stmt
		switch n := n.(type) {
		case *syntax.CmdSubst:
			list = n.Stmts
		case *syntax.ProcSubst:
			list = n.Stmts
		default:
			return true
		}
		w.line.Dynamic = true
		inner := *w
		for _, s := range list {
			inner.statement(s, proof{})
		}
		return false
	}
	for _, a := range c.Assigns {
		syntax.Walk(a, visit)
	}
	for _, word := range c.Args {
		syntax.Walk(word, visit)
	}
}
