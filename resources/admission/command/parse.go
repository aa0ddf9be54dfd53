package command

// stmt is a command, or several connected ones.
type stmt struct {
	kind        kind
	words       []word // simple
	assigns     []word // simple: assignments before the command
	redirects   []redirect
	list        []*stmt // block, subshell
	left, right *stmt   // and, or, pipe
	name        string  // function: name
	loop        []word  // simple: loop variable, "in", and the values
	loose       bool    // simple: inside a loop or condition, may not run
	negated     bool
	background  bool
	opens       int   // number of loops that start here
	closes      bool  // block: end of a loop; the redirections are the loop's
	sum         *word // block: content of ((...)), or the word of a case
}

// kind is the type of a statement in the syntax tree.
type kind int

const (
	simple kind = iota
	block
	subshell
	and
	or
	pipe
	function // list is its body
)

// redirect is one redirection of a command, such as >file or 2>&1.
type redirect struct {
	target word
	writes bool    // opens a file for writing
	input  *string // input from a here-document or here-string
	op     string
	fd     string // file descriptor; empty for the default
	// verbatim means that the here-document is not expanded.
	verbatim bool
}

// maxDepth is the maximum nesting of groups and substitutions.
const maxDepth = 50

// parser parses the grammar of bash. Loops and conditions are parsed as lists of their
// commands.
type parser struct {
	src      string
	pos      int
	depth    int
	heredocs []heredoc
	failed   bool // unbalanced, or deeper than maxDepth
	compound bool // contains a loop, condition or function
	dynamic  bool // contains a here-document with a substitution
	cases    int  // number of open case clauses
	inner    int  // number of open ${ ...; }
	nested   int  // number of open loops and conditions
	ifs      int  // number of unfinished conditions; negative for ends without a start
	loops    int  // the same for loops
}

// list parses commands up to the end of the input, a ")" or "}", or the end of a case
// branch.
func (p *parser) list() []*stmt {
	p.depth++
	defer func() { p.depth-- }()
	p.failed = p.failed || p.depth > maxDepth
	var all []*stmt
	for !p.failed {
		p.blankLines()
		if p.atListEnd() {
			break
		}
		s := p.andOr()
		if s == nil {
			p.failed = true
			break
		}
		c := p.peek()
		s.background = s.background || c == '&'
		if (c == ';' || c == '&') && !p.hasPrefix(";;") && !p.hasPrefix(";&") {
			p.pos++
		}
		all = append(all, s)
	}
	return all
}

// atListEnd reports whether the next token ends a list of commands: the end of the input, ")", "}",
// ";;", ";&" or "esac".
func (p *parser) atListEnd() bool {
	switch c := p.peek(); {
	case p.pos >= len(p.src), c == ')', p.hasPrefix(";;"), p.hasPrefix(";&"):
		return true
	case c == '}':
		return p.inner > 0 || p.reserved("}")
	case c == 'e' && p.cases > 0:
		return p.reserved("esac")
	}
	return false
}

// andOr parses a && b || c, which is left-associative.
func (p *parser) andOr() *stmt {
	s := p.pipeline()
	for s != nil && !p.failed && (p.hasPrefix("&&") || p.hasPrefix("||")) {
		k := and
		if p.hasPrefix("||") {
			k = or
		}
		p.pos += 2
		p.blankLines()
		right := p.pipeline()
		if right == nil {
			return nil
		}
		s = &stmt{kind: k, left: s, right: right}
	}
	return s
}

// pipeline parses commands joined by |, with ! and "time" in front. It returns nil on a syntax
// error.
func (p *parser) pipeline() *stmt {
	negated := false
	for p.blanks(); p.reserved("!") || p.reserved("time"); p.blanks() {
		negated = negated != (p.src[p.pos] == '!')
		p.skipWord()
		if p.blanks(); p.reserved("-p") {
			p.skipWord()
		}
	}
	s := p.command()
	for s != nil && p.peek() == '|' && !p.hasPrefix("||") {
		p.pos++
		if p.peek() == '&' {
			p.pos++
		}
		p.blankLines()
		right := p.command()
		if right == nil {
			return nil
		}
		s = &stmt{kind: pipe, left: s, right: right}
	}
	if s != nil && negated {
		s = &stmt{kind: block, list: []*stmt{s}, negated: true}
	}
	return s
}

// command parses a simple or compound command with its redirections. It returns nil on a syntax
// error.
func (p *parser) command() *stmt {
	p.blanks()
	switch {
	case p.hasPrefix("(("):
		if end, ok := p.arithmetic(p.pos + 2); ok {
			sum := word{parts: []part{{kind: sum, text: p.src[p.pos+2 : end-2]}}}
			p.pos, p.compound = end, true
			return p.withRedirects(&stmt{kind: block, sum: &sum})
		}
		return p.group(subshell, ")")
	case p.peek() == '(':
		return p.group(subshell, ")")
	case p.reserved("{"):
		return p.group(block, "}")
	case p.reserved("[["):
		return p.test()
	case p.reserved("case"):
		return p.caseClause()
	case p.anyReserved(openers...):
		p.compound = true
		if p.anyReserved("if", "while", "until") {
			p.nested++
			p.counted(1)
		}
		loop := p.anyReserved("while", "until")
		p.skipWord()
		p.blankLines()
		s := &stmt{kind: block}
		if !p.atListEnd() {
			s = p.andOr()
		}
		if s != nil && loop {
			s.opens++
		}
		return s
	case p.anyReserved("fi", "done", "esac"):
		p.compound = true
		p.nested = max(0, p.nested-1)
		p.counted(-1)
		s := &stmt{kind: block, closes: p.reserved("done")}
		p.skipWord()
		return p.withRedirects(s)
	case p.reserved("coproc"):
		return p.coprocess()
	case p.anyReserved("for", "select", "function"):
		return p.header()
	}
	return p.simple()
}

// counted counts the starts and ends of conditions and loops.
func (p *parser) counted(n int) {
	switch {
	case p.anyReserved("if", "fi"):
		p.ifs += n
	case p.anyReserved("while", "until", "for", "select", "done"):
		p.loops += n
	}
}

// isComplete reports whether the whole input was parsed and all conditions and loops are closed.
func (p *parser) isComplete() bool {
	return !p.failed && p.pos >= len(p.src) && p.ifs == 0 && p.loops == 0
}

// openers lists keywords before a command that affect when it runs.
var openers = []string{"if", "then", "elif", "else", "while", "until", "do"}

// group parses ( ... ) or { ...; }.
func (p *parser) group(k kind, end string) *stmt {
	p.pos++
	s := &stmt{kind: k, list: p.list()}
	if p.failed || !p.hasPrefix(end) {
		p.failed = true
		return nil
	}
	p.pos++
	return p.withRedirects(s)
}

// withRedirects parses the redirections after a compound command and adds them to it.
func (p *parser) withRedirects(s *stmt) *stmt {
	for p.blanks(); ; p.blanks() {
		r, found := p.redirection()
		if !found {
			return s
		}
		s.redirects = append(s.redirects, r...)
	}
}

// test parses [[ ... ]], where < and > are comparisons. Only the commands in its words
// matter.
func (p *parser) test() *stmt {
	first := word{text: "[[", literal: true}
	first.lit("[[", true)
	s := &stmt{kind: simple, words: []word{first}}
	p.skipWord()
	for !p.failed && p.pos < len(p.src) {
		p.blankLines()
		if p.reserved("]]") {
			p.skipWord()
			return p.withRedirects(s)
		}
		if w, ok := p.word(); ok {
			s.words = append(s.words, word{runs: w.runs, parts: w.parts})
		} else {
			p.pos++
		}
	}
	p.failed = true
	return nil
}

// coprocess parses coproc [NAME] COMMAND, which runs the command in the background.
func (p *parser) coprocess() *stmt {
	p.compound = true
	p.skipWord()
	p.blanks()
	at := p.pos
	for isNameByte(p.peek()) {
		p.pos++
	}
	if p.blanks(); !p.reserved("{") && p.peek() != '(' {
		p.pos = at
	}
	s := p.command()
	if s != nil {
		s.background = true
	}
	return s
}

// header parses "for x in a b", "select ..." and "function f".
func (p *parser) header() *stmt {
	p.compound = true
	named := p.reserved("function")
	if !named {
		p.nested++
		p.counted(1)
	}
	p.skipWord()
	s := &stmt{kind: simple, assigns: []word{}}
	if !named {
		s.opens = 1
	}
	for p.blanks(); p.pos < len(p.src) && !p.failed; p.blanks() {
		if end, ok := p.arithmetic(p.pos + 2); p.hasPrefix("((") && ok {
			p.pos = end
			continue
		}
		if p.hasPrefix("()") {
			p.pos += 2
			continue
		}
		if named && (p.reserved("{") || p.peek() == '(') {
			return p.namedFunction(s.name)
		}
		w, ok := p.word()
		if !ok {
			break
		}
		s.assigns = append(s.assigns, word{runs: w.runs})
		if named {
			s.name = w.text
			p.blankLines()
		} else {
			s.loop = append(s.loop, w)
		}
	}
	p.failed = p.failed || named && len(s.assigns) == 0
	return s
}

// caseClause parses case x in a|b) ...;; esac.
func (p *parser) caseClause() *stmt {
	p.compound = true
	p.skipWord()
	p.blanks()
	subject, ok := p.word()
	p.blankLines()
	if !ok || !p.reserved("in") {
		p.failed = true
		return nil
	}
	p.skipWord()
	s := &stmt{kind: block, sum: &subject, list: []*stmt{{kind: simple, assigns: []word{subject}}}}
	p.cases++
	p.nested++
	defer func() { p.cases, p.nested = p.cases-1, p.nested-1 }()
	for !p.failed {
		p.blankLines()
		if p.reserved("esac") {
			p.skipWord()
			return p.withRedirects(s)
		}
		p.patterns()
		s.list = append(s.list, p.list()...)
		for c := p.peek(); c == ';' || c == '&'; c = p.peek() {
			p.pos++
		}
	}
	return nil
}

// patterns skips the patterns of a case branch including ")".
func (p *parser) patterns() {
	if p.blanks(); p.peek() == '(' {
		p.pos++
	}
	for p.blanks(); p.peek() != ')'; p.blanks() {
		if p.peek() == '|' {
			p.pos++
		} else if _, ok := p.word(); !ok {
			p.failed = true
			return
		}
	}
	p.pos++
}

// simple parses assignments, words and redirections. It returns nil if the text contains neither.
func (p *parser) simple() *stmt {
	s, start := &stmt{kind: simple, loose: p.nested > 0}, p.pos
	for p.blanks(); !p.failed; p.blanks() {
		if r, found := p.redirection(); found {
			s.redirects = append(s.redirects, r...)
			continue
		}
		if p.peek() == '(' && len(s.words) == 1 && len(s.assigns) == 0 {
			// f() { ...; }
			p.pos++
			if p.blanks(); p.peek() != ')' {
				p.failed = true
				return nil
			}
			p.pos++
			p.compound = true
			p.blankLines()
			return p.namedFunction(s.words[0].text)
		}
		w, ok := p.word()
		if !ok {
			break
		}
		if w.assigns && len(s.words) == 0 {
			s.assigns = append(s.assigns, w)
		} else {
			s.words = append(s.words, w)
		}
	}
	if p.pos == start {
		return nil
	}
	return s
}

// namedFunction parses the body of the function with this name.
func (p *parser) namedFunction(name string) *stmt {
	body := p.command()
	if body == nil {
		return nil
	}
	return &stmt{kind: function, name: name, list: []*stmt{body}}
}
