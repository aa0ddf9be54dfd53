package command

import (
	"cmp"
	"path"
	"strings"
)

// Reading is all that is found out about a line by interpreting it: what would run, what
// that does, and what the gate makes of it.
type Reading struct {
	Verdict Verdict
	// Runs are the commands that would run, those within others included: a wrapper, and
	// behind it what it runs. Words that are not known before they run are not literal.
	Runs   []Run
	Files  []File    // what they write, move or remove; redirections first
	Inputs []string  // what redirections read, absolute as far as the folder is known
	Sets   []Setting // what they set that others go by
	Over   bool      // there is more of it than is read
}

// Run is one command that would run.
type Run struct {
	Words      []string // literal words; the first that is not literal ends the list
	Complete   bool     // Words is the whole command
	Args       []Word   // all its words, the command's own name first
	Dir        string   // where it runs, absolute
	DirUnknown bool
	Reads      bool   // its input is redirected, or comes from a pipe
	Piped      bool   // what it writes goes to another command
	Detached   bool   // it may outlive what starts it, so that nothing tells who that was
	ReadOnly   bool   // it is known to change nothing by itself; what it runs is a Run of its own
	Part       string // the command, as a message shows it
	// Contents are, of a command of idumb's, what the line itself gives it to read: by the
	// file's name among its words, and "-" for its stdin. Nil: nothing.
	Contents map[string]Content
	fields   []field
}

// Content is a text that a line writes.
type Content struct {
	Text  string
	Known bool // Text is all of it
	One   bool // it is, as it stands, the unknown output of one command
}

// Word is what is known of one word before it runs.
type Word struct {
	Text    string // of a word that is not literal, what is known of it
	Literal bool   // Text is the whole word
	Pattern string // the word as a pattern of path.Match, if nothing but patterns in it is unknown

	fromList bool // it is, or can be, one of the files that a command of the line lists
}

// File is a file that a line writes, moves or removes.
type File struct {
	Word       Word
	Into       []string // Word is a file, or the folder in which files of these names are written
	From       []string // likewise those of the names of what these patterns match
	Dir        string   // where a relative Word stands, absolute
	DirUnknown bool
	Tree       bool // everything below it is touched as well
	// Unsure says that the command may only look at the file: it counts if governance
	// cares for the file, and is no write otherwise.
	Unsure bool
	// Made says that it is a report, a profile, a cache or a product of a build or a test: it is a
	// write only if it takes the place of a file that git tracks.
	Made bool
	// Listed says, of Tree, that a search lists the files that are touched.
	Listed bool
	// Fixer says, of Listed, that the program is a formatter or a fixer: it leaves a file alone in which it finds nothing.
	Fixer bool
	// Named says, of Listed, that Word is a file's name as well as a folder's: such a file is touched, whatever it is called.
	Named bool
	// Visible says, of Listed, that files and folders whose names begin with a dot are left out.
	Visible bool
	// Found are, of Tree, patterns: only files are touched of which one matches the name, or from the
	// root if it has a slash, where "*" matches slashes as well. nil: all are.
	Found []string
	// Holding is, of Tree, a text: only files that hold it, in whatever case, are touched. "": all are.
	Holding string
	Patch   string  // in place of Word: a patch of apply_patch, whose files are written
	By      string  // the command, as a message shows it; "" for a redirection
	Holds   Content // what it will hold, of a redirection
}

// State is what git knows of a file. States can be combined.
type State uint8

// States of files.
const (
	Modified  State = 1 << iota // tracked, and not as it is in the index or in HEAD
	Untracked                   // neither tracked nor ignored
	Ignored                     // not tracked, and ignored
)

// GitHooks is the name of the setting of git that decides which of its hooks run.
const GitHooks = "git core.hookspath"

// Setting is something that a line sets: a variable, for a command or for all that come,
// or in a file that it writes; or one of git's settings, with "git " in front: GitHooks.
type Setting struct {
	Name, Value string
	By          string // the part of the line, as a message shows it
}

// Read interprets a command line and judges it. It is pure: nothing is run and no file is
// looked at.
func (l Line) Read(o Options) Reading {
	m := newMachine(o)
	if why := hidden(l.text); why != "" {
		m.object("hidden-characters", shortened(visible(l.text)), why)
	}
	if !known(l.text) {
		l, _ = Parse(withoutMarks(l.text))
	}
	if len(l.text) > MaxLine {
		m.object("unreadable", shortened(l.text), "it is longer than is read")
	} else {
		if l.broken {
			m.unreadable(l.text)
		}
		m.list(l.list, "", false)
		m.finish()
	}
	return Reading{
		Verdict: m.rules.verdict(m.found), Runs: m.runs, Files: append(m.redirections, m.touched...), Inputs: m.inputs, Sets: m.settings, Over: m.over,
	}
}

// RunOf returns a run of literal words that stands on no line: what a call of another tool comes to.
func RunOf(words ...string) Run {
	r := Run{Words: words, Complete: true, fields: fieldsOf(words)}
	for _, f := range r.fields {
		r.Args = append(r.Args, f.word())
	}
	r.Part = Quoted(words)
	return r
}

// Shown is the run as a message shows it.
func (r Run) Shown() string { return r.Part }

// Quoted writes words as one line, of which a shell makes the same words.
func Quoted(words []string) string {
	shown := make([]string, len(words))
	for i, w := range words {
		if shown[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"'$`|&;<>()*?") {
			shown[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(shown, " ")
}

// Name is what the command is called, wherever it is installed.
func (r Run) Name() string {
	if len(r.Args) == 0 || !r.Args[0].Literal {
		return ""
	}
	return strings.TrimSuffix(path.Base(r.Args[0].Text), ".exe")
}

// Interprets reports whether the command is a shell, or an interpreter of another language.
func (r Run) Interprets() bool {
	name := strings.ToLower(r.Name())
	_, found := languageOf(name)
	return found || isOf("shell", name)
}

func (r Run) style() style { return styleOf(strings.ToLower(r.Name())) }

// Operands are the words that are no options, and no values of those options that take one.
func (r Run) Operands(takes string) []Word {
	return words(parseOptions(r.fields[1:], r.style(), takes).operands)
}

// Given reports whether one of some options is given, each with a value; letters may be bundled in front of it.
func (r Run) Given(options string) bool {
	return parseOptions(r.fields[1:], r.style(), options).has(options)
}

// Takes is the list of options with a value that rows of the table share under a name.
func Takes(list string) string { return listOf(list) }

// Values are the values of options.
func (r Run) Values(options string) []string {
	return parseOptions(r.fields[1:], r.style(), options).values(options)
}

// Text joins the words behind the command's name.
func (r Run) Text() string {
	var texts []string
	for _, w := range r.Args[1:] {
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, " ")
}

// shown is a word as far as it is known.
func (w Word) shown() string {
	switch {
	case w.Literal:
		return w.Text
	case w.Pattern != "":
		return w.Pattern
	}
	return "..." + w.Text
}

// word is what others know of a field.
func (f field) word() Word {
	switch {
	case !known(f.text):
		fromList := strings.Contains(f.text, listed) || strings.Contains(f.text, "/"+unknown) && !strings.HasPrefix(f.text, "/tmp/")
		return Word{fromList: fromList, Text: strings.Map(func(r rune) rune {
			if strings.ContainsRune(marks, r) {
				return -1
			}
			return r
		}, f.text)}
	case f.glob:
		return Word{Text: f.text, Pattern: cmp.Or(f.pattern, f.text)}
	}
	return Word{Text: f.text, Literal: true}
}

func words(fields []field) []Word {
	var all []Word
	for _, f := range fields {
		all = append(all, f.word())
	}
	return all
}
