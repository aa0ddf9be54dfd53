package source

// lexis defines the tokens of a language. Languages with brackets differ only in their
// lexis. odd handles tokens that the other fields cannot describe.
type lexis struct {
	line   []string // markers of line comments
	block  [][2]string
	nested bool // block comments can be nested
	// letters contains additional characters of words, such as "$".
	letters string
	marks   string // additional characters of numbers, besides letters, digits, _ and .
	quotes  []quote
	// odd takes a language-specific token at l.offset, and reports whether it did.
	// It is called before all other rules. It must advance l.offset.
	odd func(l *lexer) bool
	// sameQuotes means that the type of quotes does not change the value of a string.
	sameQuotes bool
	// silent lists tokens without effect, such as semicolons that line ends can replace.
	silent string
}

// quote is one form of strings. Longer forms come first: """ before ".
type quote struct {
	open, close string
	escapes     bool // a backslash escapes the next character
	lines       bool // may span lines; otherwise a line end terminates it as incomplete
}

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	textToken  // a string with its quotes; for templates each piece
	punctToken // one character, or an element of operators
	commentToken
)

// token is a piece of a file's text.
type token struct {
	from, to int32 // offsets
	line     int32 // first line, from 1
	pair     int32 // for brackets: the matching token; -1 if there is none
	kind     tokenKind
	// level is set for the first token of a statement in a language with indented blocks:
	// the number of enclosing blocks plus one. It is 0 in languages with brackets.
	level uint16
}

// operators lists the multi-character operators that are relevant for declarations.
var operators = [...]string{"...", "=>", "->", "::", "==", "!=", "<="}

// Limits of a file. Files beyond these limits are generated or hostile, and are not
// scanned.
const (
	maxLine   = 5_000   // bytes
	maxTokens = 500_000 // per file
	maxDepth  = 256     // nested brackets
	// Human-written files have less than one comment or declaration per 40 bytes.
	maxComments = 25_000
	maxSymbols  = 25_000
)
