package source

import "strings"

// scanRuby scans the modules, classes, methods, constants and attributes of a Ruby file,
// including those in blocks and conditions, and the required files. Class methods and
// instance methods have the same form of name: Auth.login.
func scanRuby(in input) Facts {
	texts := &rubyTexts{}
	u := scanned(in, &lexis{line: []string{"#"}, letters: "@$", odd: texts.odd})
	if u.Partial != "" {
		return u.finish()
	}
	r := rubyFile{unit: u, blocks: []rubyBlock{{}}}
	for i := 0; i < len(u.tokens); {
		if i = max(i+1, r.token(i)); len(r.blocks) > maxDepth {
			u.Partial = "deeper than 256 blocks"
			return u.finish()
		}
	}
	r.endStatements(len(u.tokens))
	if u.unbalanced || r.broken || len(r.blocks) > 1 {
		u.Partial = "does not parse"
	}
	for r.privateNames == nil && len(r.blocks) > 1 { // unterminated blocks end with the file
		r.pop(len(u.tokens) - 1)
	}
	for i := range r.Symbols {
		if r.privateNames[r.Symbols[i].Full()] {
			r.Symbols[i].Exported = false
		}
	}
	return u.finish()
}

// rubyFile collects the declarations of one file.
type rubyFile struct {
	*unit
	blocks       []rubyBlock // open blocks; the first one is the file
	privateNames map[string]bool
	broken       bool
}

// rubyBlock is a block that ends with an end, a bracket or the end of a statement.
type rubyBlock struct {
	form    rubyForm
	symbols []Symbol // symbols that are declared at its end
	first   int      // their first token
	head    int      // end of their signature
	owner   string   // enclosing modules and classes of its content
	local   bool     // in a method
	private bool     // the following methods are private
	waits   bool     // the optional do of a loop may follow
}

// rubyForm is the way in which a Ruby block ends.
type rubyForm uint8

const (
	endForm       rubyForm = iota // closed by end
	bracketForm                   // closed by a bracket
	statementForm                 // closed by the end of its statement
)

// token processes a token, and returns the next one.
func (r *rubyFile) token(i int) int {
	begins := r.beginsLine(i) || r.is(i-1, ";")
	if begins && !r.continues(i) || r.is(i, ";") {
		r.endStatements(i)
		r.top().waits = false
	}
	switch {
	case r.kindOf(i) == textToken:
	case r.is(i, "(", "[", "{", "#{"):
		r.push(rubyBlock{form: bracketForm})
	case r.is(i, ")", "]", "}"):
		r.endStatements(i)
		r.closed(bracketForm, i)
	case r.kindOf(i) == wordToken:
		return r.word(i, begins || r.is(i-1, "then", "else", "do", "begin", "{", "|"))
	}
	return i + 1
}

// continues reports whether a line continues the previous one.
func (r *rubyFile) continues(i int) bool {
	switch {
	case i == 0 || r.is(i, ".") || r.is(i, "&") && r.is(i+1, "."):
		return true
	case r.is(i-1, ")", "]", "}", ";", "?", "!"):
		return false
	}
	return r.kindOf(i-1) == punctToken || r.is(i-1, "and", "or", "not")
}

// key returns a word, or "" if the word is the name of a method, an argument or a key.
func (r *rubyFile) key(i int) string {
	renamed := r.is(i-1, "alias", "undef") && !r.beginsLine(i) && !r.names(i-2)
	if r.names(i-1) || renamed || r.is(i+1, ":") && r.tokens[i+1].from == r.tokens[i].to {
		return ""
	}
	return r.text(i)
}

// word processes a word. begins reports whether a statement may begin with it.
func (r *rubyFile) word(i int, begins bool) int {
	switch r.key(i) {
	case "class", "module":
		return r.class(i)
	case "def":
		return r.method(i)
	case "begin", "case":
		r.push(rubyBlock{})
	case "do":
		r.do()
	case "if", "unless", "while", "until", "for":
		r.condition(i)
	case "end":
		r.endStatements(i)
		r.closed(endForm, i)
	case "and", "or":
		r.endStatements(i)
	case "require", "require_relative", "load", "autoload":
		r.require(i)
	default:
		if begins && !r.top().local {
			r.statement(i)
		}
	}
	return i + 1
}

// top returns the innermost open block.
func (r *rubyFile) top() *rubyBlock { return &r.blocks[len(r.blocks)-1] }

// push opens a block in the current block.
func (r *rubyFile) push(b rubyBlock) {
	in := r.top()
	if b.owner == "" {
		b.owner = in.owner
	}
	b.local = b.local || in.local
	if b.form != endForm || b.symbols == nil {
		b.private = b.private || in.private
	}
	r.blocks = append(r.blocks, b)
}

// pop closes the innermost block with a token, and declares its symbols.
func (r *rubyFile) pop(last int) {
	b := *r.top()
	r.blocks = r.blocks[:len(r.blocks)-1]
	for _, s := range b.symbols {
		r.declare(s, b.first, b.head, last)
	}
}

// closed closes the innermost block if it has the form; otherwise the file is invalid.
func (r *rubyFile) closed(form rubyForm, last int) {
	if len(r.blocks) > 1 && r.top().form == form {
		r.pop(last)
		return
	}
	r.broken = true
}

// endStatements closes the statements that are open before a token.
func (r *rubyFile) endStatements(i int) {
	for len(r.blocks) > 1 && r.top().form == statementForm {
		r.pop(i - 1)
	}
}

// do opens a block, unless it belongs to the preceding loop.
func (r *rubyFile) do() {
	if r.top().waits {
		r.top().waits = false
		return
	}
	r.push(rubyBlock{})
}

// condition opens a block if a condition or loop begins an expression. After an expression
// it is a modifier.
func (r *rubyFile) condition(i int) {
	value := r.kindOf(i-1) == wordToken && !rubyBefore(r.key(i-1)) || r.kindOf(i-1) == numberToken || r.kindOf(i-1) == textToken || r.is(i-1, ")", "]", "}")
	if i > 0 && value && !r.beginsLine(i) {
		r.endStatements(i)
		return
	}
	r.push(rubyBlock{waits: r.is(i, "while", "until", "for")})
}

// rubyBefore reports whether an expression begins after a keyword.
func rubyBefore(word string) bool {
	switch word {
	case "then", "else", "elsif", "do", "begin", "and", "or", "not", "when", "in", "if", "unless", "while", "until", "ensure":
		return true
	}
	return false
}

// lineEndAfter returns the first token of the next line, outside of brackets.
func (r *rubyFile) lineEndAfter(i int) int {
	for i++; i < len(r.tokens) && !r.beginsLine(i) && !r.is(i, ";"); {
		i = r.tokenAfter(i)
	}
	return min(i, len(r.tokens))
}

// class opens a module or class. In class << self the owner does not change.
func (r *rubyFile) class(i int) int {
	name := i + 1
	if r.is(name, "<") {
		r.push(rubyBlock{private: false})
		r.top().private = false
		return name + 2
	}
	owner := r.top().owner
	for r.is(name, "::") || r.kindOf(name) == wordToken && r.is(name+1, "::") {
		if r.kindOf(name) == wordToken {
			owner = Symbol{Owner: owner, Name: r.text(name)}.Full()
		}
		name++
	}
	if r.kindOf(name) != wordToken {
		r.broken = true
	}
	s := Symbol{Name: r.text(name), Owner: owner, Kind: Class, Exported: true}
	if r.is(i, "module") {
		s.Kind = Module
	}
	b := rubyBlock{first: i, head: r.lineEndAfter(name), owner: s.Full()}
	if !r.top().local {
		b.symbols = []Symbol{s}
	}
	r.push(b)
	r.top().private = false
	return name + 1
}

// method opens a method. An endless method (def a = b) ends with its statement.
func (r *rubyFile) method(i int) int {
	name := i + 1
	if r.is(name, "(") && r.is(r.tokenAfter(name), ".") {
		name = r.tokenAfter(name) + 1
	}
	for r.is(name+1, ".") && r.kindOf(name) == wordToken {
		name += 2
	}
	end := r.nameEnd(name)
	s := Symbol{Owner: r.top().owner, Name: r.joinedText(name, end), Kind: Function}
	if s.Owner != "" {
		s.Kind = Method
	}
	hidden := r.top().private || r.is(i-1, "private", "protected", "private_class_method")
	s.Exported = !hidden || name > i+1 && !r.is(i-1, "private_class_method")
	head := end
	if r.is(end, "(") {
		head = r.tokenAfter(end)
	} else if !r.beginsLine(end) && !r.is(end, "=", ";") {
		head = r.lineEndAfter(end)
	}
	b := rubyBlock{first: i, head: head, local: true}
	if r.is(head, "=") && !r.beginsLine(head) {
		b.form = statementForm
	}
	if !r.top().local {
		b.symbols = []Symbol{s}
	}
	r.push(b)
	return head
}

// nameEnd returns the token after a method's name: a word, with = for a setter, or an
// operator.
func (r *rubyFile) nameEnd(i int) int {
	end := i + 1
	joins := func() bool { return end < len(r.tokens) && r.tokens[end].from == r.tokens[end-1].to }
	switch {
	case r.kindOf(i) == wordToken:
		if joins() && r.is(end, "=") && !(end+1 < len(r.tokens) && r.tokens[end+1].from == r.tokens[end].to && r.is(end+1, "=")) {
			end++
		}
	case i < len(r.tokens):
		for joins() && (r.kindOf(end) == punctToken && !r.is(end, "(", ";") || r.is(end, "@")) {
			end++
		}
	}
	return min(end, len(r.tokens))
}

// joinedText returns the text of some tokens.
func (r *rubyFile) joinedText(from, end int) string {
	var b strings.Builder
	for ; from < end; from++ {
		b.Write(r.bytes(from))
	}
	return b.String()
}
