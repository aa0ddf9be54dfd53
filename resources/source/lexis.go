package source

// lexis says how the text of a language falls into tokens. Rows of it, one a language, are
// all that differs between languages with brackets; what a row cannot say, odd takes.
type lexis struct {
	line   []string // what begins a comment to the end of the line
	block  [][2]string
	nested bool // block comments may stand in one another
	// letters are further characters that a word may hold, or begin with: "$".
	letters string
	marks   string // further characters in numbers, besides letters, digits, _ and .
	quotes  []quote
	// odd takes a token that is its language's own, at l.at, and reports whether it did. It is
	// asked first. It must move l.at on, and never go back.
	odd func(l *lexer) bool
	// sameQuotes: a string is the same with other quotes around it.
	sameQuotes bool
	// silent are tokens that change nothing: semicolons where line ends do as well.
	silent string
}

// quote is one form of strings. Longer ones stand first: """ before ".
type quote struct {
	open, close string
	escapes     bool // a backslash takes the next character with it
	lines       bool // it may go on in the next line; else it ends there, unfinished
}

// tokenKind is what a token is.
type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	textToken  // a string, with its quotes; of a template each piece
	punctToken // one character, or one of operators
	commentToken
)

// token is a piece of a file's text.
type token struct {
	from, to int32 // offsets
	line     int32 // where it begins, from 1
	pair     int32 // of a bracket: the token that it belongs to; else, and if there is none, -1
	kind     tokenKind
	// level is set where a statement begins in a language of indented blocks: in how many of them
	// it stands, and one. Where brackets tell, it is 0.
	level uint16
}

// operators are those of several characters that matter to whoever reads declarations.
var operators = [...]string{"...", "=>", "->", "::", "==", "!=", "<="}

// What of a file is not looked at, and why: it is generated or hostile.
const (
	maxLine   = 5_000   // bytes
	maxTokens = 500_000 // a file
	maxDepth  = 256     // brackets in brackets
	// No file that people write has a comment or a declaration in every 40 bytes, up to its last.
	maxComments = 25_000
	maxSymbols  = 25_000
)
