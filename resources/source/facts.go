package source

// Version is the version of the scanners. It changes with every change of their results.
// Caches must store it with the facts.
const Version = "6"

// Facts contains the declarations, imports and comments of a source file. It only depends
// on the content of the file. All lines count from 1.
type Facts struct {
	Language  string   // name in the table of languages: "Go", "TypeScript"
	Package   string   // declared package or namespace: Go, Java, Kotlin, C#, PHP
	Lines     int      // number of lines, including an unterminated last line
	Generated bool     // a comment at its start marks it as generated
	Partial   string   // reason why facts are missing; empty if the facts are complete
	Symbols   []Symbol // in the order of their first lines
	Imports   []Import // in the order of their lines
	Exports   []Export // only for languages with separate exports: TypeScript, JavaScript
	Notes     []Note   // TODO, FIXME, HACK, XXX, NOTE, in the order of their lines
	Comments  []Comment
}

// Symbol is a declaration at top level or in a type. Local declarations are not symbols.
type Symbol struct {
	Name      string `json:"name"`
	Owner     string `json:"owner,omitempty"` // enclosing types, outermost first: "Outer.Inner"
	Kind      string `json:"kind"`            // one of the kinds of symbols below
	Exported  bool   `json:"exported,omitempty"`
	Signature string `json:"signature,omitempty"` // without the body, on one line, at most 200 characters
	Doc       string `json:"doc,omitempty"`       // first line of the comment above it, without markers
	From      int    `json:"from"`                // line of the first token, including decorators and annotations, without the doc comment
	To        int    `json:"to"`                  // last line, inclusive
	Body      string `json:"body,omitempty"`      // checksum of its tokens, including the name; empty if it does not parse
	DocSum    string `json:"docSum,omitempty"`    // checksum of the words of its doc comment; empty without one
}

// Kinds of symbols. A constant is a declared constant, or a variable that cannot be
// reassigned.
const (
	Function  = "function"
	Method    = "method" // includes constructors and accessors
	Class     = "class"
	Interface = "interface" // includes protocols and traits
	Type      = "type"      // aliases; structs are classes
	Enum      = "enum"
	Constant  = "constant" // includes members of enums
	Variable  = "variable" // includes fields and properties
	Module    = "module"   // namespaces
)

// Full returns the name with its owner: "Auth.login".
func (s Symbol) Full() string {
	if s.Owner == "" {
		return s.Name
	}
	return s.Owner + "." + s.Name
}

// Import is an import from another file or package.
type Import struct {
	From  string   `json:"from"`            // as written, without quotes: "./a.js", "java.util.List", "crate::auth"
	Kind  string   `json:"kind"`            // one of the kinds of imports below
	Names []string `json:"names,omitempty"` // imported names in the other file. "*" means all, "default" the default export. In Python, "y.z" means z of module y, and ".z" means z of the imported module. Empty if only side effects or a qualified name are used.
	Line  int      `json:"line"`
}

// Kinds of imports.
const (
	ValueImport   = "value"
	TypeImport    = "type"      // removed by the compiler
	ReExport      = "re-export" // exported again, not used
	DynamicImport = "dynamic"   // at run time: import("x"), require in a function
)

// Export is an exported name of a file.
type Export struct {
	Name  string `json:"name"`            // exported name; "default"; "*" for all exports of From
	Local string `json:"local,omitempty"` // name in this file, or in From; empty for an expression
	From  string `json:"from,omitempty"`  // source of a re-export
	Type  bool   `json:"type,omitempty"`  // removed by the compiler
	Line  int    `json:"line"`
}

// Note is a TODO or similar note in a comment.
type Note struct {
	Word   string `json:"word"`             // TODO, FIXME, HACK, XXX or NOTE
	Text   string `json:"text"`             // rest of its line, at most 200 characters
	Author string `json:"author,omitempty"` // for TODO(ana): "ana"
	Task   string `json:"task,omitempty"`   // for TODO(task/x): "x"
	Issue  string `json:"issue,omitempty"`  // for TODO(#12), or #12 in the text: "12"
	Symbol string `json:"symbol,omitempty"` // declaration that contains it or follows it
	Line   int    `json:"line"`
	Code   string `json:"code,omitempty"` // next line of code, at most 120 characters
}

// Comment is one comment, or several consecutive line comments.
type Comment struct {
	Text   string `json:"text"`             // without markers, lines separated by \n
	Symbol string `json:"symbol,omitempty"` // declaration that contains it or follows it
	Doc    bool   `json:"doc,omitempty"`    // directly above its symbol, or its docstring
	From   int    `json:"from"`
	To     int    `json:"to"`
}
