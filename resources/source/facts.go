package source

// Version is that of the scanners: who keeps facts keeps it beside them. It changes whenever the
// facts of a file may.
const Version = "6"

// Facts are what one file of a repository says, as far as it can be told from its text: the
// same for the same bytes on every machine. All lines count from 1.
type Facts struct {
	Language  string   // as in the table of languages: "Go", "TypeScript"
	Package   string   // what the file says that it belongs to: Go, Java, Kotlin, C#, PHP
	Lines     int      // of text; an unfinished last line counts
	Generated bool     // a marker at its head says so
	Partial   string   // why facts are missing, in a few words; "" if none are
	Symbols   []Symbol // in the order of their first lines
	Imports   []Import // in the order of their lines
	Exports   []Export // only where a language says apart what is exported: TypeScript, JavaScript
	Notes     []Note   // TODO, FIXME, HACK, XXX, NOTE, in the order of their lines
	Comments  []Comment
}

// Symbol is a declaration at top level or in a type: never a local one.
type Symbol struct {
	Name      string `json:"name"`
	Owner     string `json:"owner,omitempty"` // the types that it stands in, outermost first: "Outer.Inner"
	Kind      string `json:"kind"`            // one of the kinds of symbols below
	Exported  bool   `json:"exported,omitempty"`
	Signature string `json:"signature,omitempty"` // without the body, on one line, at most 200 characters
	Doc       string `json:"doc,omitempty"`       // the first line of the comment above it, without marks
	From      int    `json:"from"`                // first line: that of its first token, decorators and annotations included, doc not
	To        int    `json:"to"`                  // last line, included
	Body      string `json:"body,omitempty"`      // sum over its tokens, its name's included; "" where it does not parse just there
	DocSum    string `json:"docSum,omitempty"`    // sum over the words of its doc; "" without one
}

// Kinds of symbols. A constant is what the language calls so, or a variable that cannot be
// assigned again.
const (
	Function  = "function"
	Method    = "method" // constructors and accessors too
	Class     = "class"
	Interface = "interface" // protocols and traits too
	Type      = "type"      // aliases; structs are classes
	Enum      = "enum"
	Constant  = "constant" // members of enums too
	Variable  = "variable" // fields and properties too
	Module    = "module"   // namespaces
)

// Full is the name with its owner: "Auth.login".
func (s Symbol) Full() string {
	if s.Owner == "" {
		return s.Name
	}
	return s.Owner + "." + s.Name
}

// Import is what a file takes from another one, or from a package.
type Import struct {
	From  string   `json:"from"`            // as spelled, without quotes: "./a.js", "java.util.List", "crate::auth"
	Kind  string   `json:"kind"`            // one of the kinds of imports below
	Names []string `json:"names,omitempty"` // as the other side calls them; "*": all of it; "default"; "y.z": z of the module y, ".z": z of the module itself, of Python; none: for its effects, or the whole is used by name
	Line  int      `json:"line"`
}

// Kinds of imports.
const (
	ValueImport   = "value"
	TypeImport    = "type"      // gone after compiling
	ReExport      = "re-export" // passed on, not used
	DynamicImport = "dynamic"   // when it runs: import("x"), require inside a function
)

// Export is a name that a file gives to others.
type Export struct {
	Name  string `json:"name"`            // as others import it; "default"; "*": all that From exports
	Local string `json:"local,omitempty"` // what it is called here, or in From; "" for an expression
	From  string `json:"from,omitempty"`  // where it comes from, if from another file
	Type  bool   `json:"type,omitempty"`  // gone after compiling
	Line  int    `json:"line"`
}

// Note is a TODO or its like in a comment.
type Note struct {
	Word   string `json:"word"`             // TODO, FIXME, HACK, XXX or NOTE
	Text   string `json:"text"`             // the rest of its line, at most 200 characters
	Author string `json:"author,omitempty"` // TODO(ana)
	Task   string `json:"task,omitempty"`   // TODO(task/x) gives "x"
	Issue  string `json:"issue,omitempty"`  // TODO(#12) or #12 in the text gives "12"
	Symbol string `json:"symbol,omitempty"` // the declaration that it stands in or above
	Line   int    `json:"line"`
	Code   string `json:"code,omitempty"` // the next line of code, at most 120 characters
}

// Comment is one comment, or several line comments that follow one another.
type Comment struct {
	Text   string `json:"text"`             // without marks, lines joined by \n
	Symbol string `json:"symbol,omitempty"` // the declaration that it stands in or above
	Doc    bool   `json:"doc,omitempty"`    // it stands right above it, or is its docstring
	From   int    `json:"from"`
	To     int    `json:"to"`
}
