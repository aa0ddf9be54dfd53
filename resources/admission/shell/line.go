package shell

// MaxLine is the longest command line that is read, in bytes. Of a longer one
// nothing is known.
const MaxLine = 256 << 10

// Line is what is known of a command line.
type Line struct {
	Commands []Command
	Writes   []Target // files that redirections write, in order
	Assigns  []string // assignments, as NAME=value, as far as they are literal
	Unknown  []Word   // words behind redirections that write, of which the file is not known before they run
	Dynamic  bool     // something of it is only known when it runs: a substitution, a loop, a function
}

// Command is one simple command of a line.
type Command struct {
	Words    []string // literal words; the first that is not literal ends the list
	Complete bool     // Words is the whole command
	Assigned bool     // it has assignments of its own in front (FOO=1 make)
	// OnSuccess and OnFailure are what the exit code of the whole line proves of
	// this command: that code 0, or another one, was its own outcome.
	OnSuccess, OnFailure bool
	Filter               bool   // it reads from a pipe
	Args                 []Word // all its words, the command's own name first
	// Dir is where its relative paths stand, relative to the line's own folder, if a
	// literal cd came before; DirUnknown says that it cannot be told.
	Dir        string
	DirUnknown bool
	Input      string // its here-document or here-string, as written; "" for none
	Reads      bool   // its input is redirected, from a file or as Input
	// Fed is, of a command of idumb's that was interpreted, what the line itself gives it to
	// read: by the file's name among its words, and "-" for its input. Nil: nothing.
	Fed map[string]Fed
}

// Fed is a text that a line feeds to a command.
type Fed struct {
	Text  string
	Known bool // Text is all of it
	One   bool // it is, as it stands, the unknown output of one command
}

// Word is what is known of one word of a command before it runs.
type Word struct {
	Text    string // quotes removed; of a word that is not literal, what is literal in it
	Literal bool   // Text is the whole word, with the values that the line itself gave to its variables
	Home    bool   // it starts in the home folder (~/x, $HOME/x); Text is the rest
	// Pattern is the word as a pattern of path.Match, with braces, if nothing in it but
	// patterns is unknown; "" otherwise. In the home folder it is the rest, as Text is.
	Pattern string
}

// Target is a file that a redirection writes.
type Target struct {
	Path string // as written, quotes removed
	Home bool   // it starts in the home folder (~/x, $HOME/x); Path is the rest
	// Dir is where a relative path stands, relative to the line's own folder, if a
	// literal cd came before; Unknown says that it cannot be told.
	Dir     string
	Unknown bool
	Holds   Fed // what it will hold, where Read can tell; of Parse the zero Fed
}

// Parse reads a command line. ok is false if it is no shell that this package
// can read; what was found up to there is returned.
func Parse(line string) (parsed Line, ok bool) {
	if len(line) > MaxLine {
		return Line{Dynamic: true}, false
	}
	p := &parser{src: line}
	list := p.list()
	ok = !p.failed && p.pos >= len(p.src)
	w := &walker{line: &parsed, loose: p.compound}
	w.list(list, proof{success: !p.compound && ok, failure: !p.compound && ok})
	parsed.Dynamic = parsed.Dynamic || p.compound || p.dynamic || !ok
	return parsed, ok
}
