package command

import (
	"cmp"
	"path"
	"strings"
)

// Reading is the result of interpreting a command line: the commands that would run, their
// effects and the verdict.
type Reading struct {
	Verdict Verdict
	// Runs are the commands that would run, including nested ones: a wrapper is followed by
	// the command that it runs. Words that are unknown before the run are not literal.
	Runs      []Run
	Files     []File    // files that are written, moved or removed; redirections first
	Inputs    []string  // files read by redirections, absolute unless the folder is unknown
	Sets      []Setting // variables and settings that affect other commands
	Truncated bool      // the command line exceeds the limits
}

// Run is one command that would run.
type Run struct {
	Words      []string // leading literal words
	Complete   bool     // Words is the whole command
	Args       []Word   // all words, including the command name
	Dir        string   // working directory, absolute
	DirUnknown bool
	Reads      bool   // input is redirected or a pipe
	Piped      bool   // output is a pipe
	Detached   bool   // may outlive its caller, so that the caller can no longer be determined
	ReadOnly   bool   // known to change nothing itself; nested commands have their own Run
	Part       string // text of the command for messages
	// Contents are the inputs of an idumb command that the line itself writes, by file
	// name, and "-" for stdin. nil means none.
	Contents map[string]Content
	fields   []field
}

// Content is a text that a command line writes.
type Content struct {
	Text  string
	Known bool // Text is complete
	One   bool // the content is the unchanged, unknown output of one command
}

// Word is the known part of a word before it is run.
type Word struct {
	Text    string // for a word that is not literal, the known part
	Literal bool   // Text is the whole word
	Pattern string // the word as a path.Match pattern, if only patterns in it are unknown

	fromList bool // it can be a file listed by a command of the line
}

// File is a file that a command line writes, moves or removes.
type File struct {
	Word         Word
	Into         []string // file names, if Word is the folder in which they are written, or the file itself
	NamePatterns []string // the same, as patterns of existing files
	Dir          string   // folder of a relative Word, absolute
	DirUnknown   bool
	Tree         bool // includes everything below it
	// Unsure means that the command may only read the file. It counts as a write only for
	// governed files.
	Unsure bool
	// Product means that the file is a report, a profile, a cache or another output of a build
	// or test. It counts as a write only if it replaces a file that git tracks.
	Product bool
	// Creates means, for Product, that no table describes the program. A new file then counts
	// as a write as well if it is source code or a document.
	Creates bool
	// Listed means, for Tree, that the files come from a search.
	Listed bool
	// Fixer means that the program is a formatter or fixer. It does not change files without
	// findings.
	Fixer bool
	// Follows means that a package manager writes the file along with the manifest of the
	// project: a lock file.
	Follows bool
	// Named means, for Listed, that Word can also name a file. Such a file is changed
	// whatever its name is.
	Named bool
	// Visible means, for Listed, that files and folders with a leading dot are excluded.
	Visible bool
	// Patterns limits Tree to files that match one of the patterns. They match the name, or
	// the path from the root if they contain a slash; "*" also matches slashes. nil means
	// all files.
	Patterns []string
	// Holding limits Tree to files that contain a text, ignoring case. "" means all files.
	Holding string
	Patch   string  // instead of Word: a patch of apply_patch
	By      string  // text of the command for messages; empty for a redirection
	Holds   Content // content written by a redirection
}

// State is the git state of a file. States can be combined.
type State uint8

// States of files.
const (
	Modified  State = 1 << iota // tracked, and different from the index or HEAD
	Untracked                   // neither tracked nor ignored
	Ignored                     // ignored and not tracked
)

// GitHooks is the git setting that selects the hooks folder.
const GitHooks = "git core.hookspath"

// Setting is a variable that a line sets, for one command, for all following ones or in a
// file, or a git setting with the prefix "git ": see GitHooks.
type Setting struct {
	Name, Value string
	By          string // text of the command for messages
}

// Read interprets a command line and returns its effects and the verdict. It
// runs nothing. It reads files only by the functions of the options, such as
// Options.Text.
func (l Line) Read(o Options) Reading {
	m := newInterpreter(o)
	if why := hiddenCharacters(l.text); why != "" {
		m.report("hidden-characters", shortened(visible(l.text)), why)
	}
	if !isKnown(l.text) {
		l, _ = Parse(withoutMarks(l.text))
	}
	if len(l.text) > MaxLine {
		m.report("unreadable", shortened(l.text), "it is longer than is read")
	} else {
		if l.broken {
			m.unreadable(l.text)
		}
		m.runList(l.list, "", false)
		m.finish()
	}
	return Reading{
		Verdict: m.rules.verdict(m.findings), Runs: m.runs, Files: append(m.redirections, m.writes...), Inputs: m.inputs, Sets: m.settings, Truncated: m.exceeded,
	}
}

// RunOf returns a run with literal words that is not part of a command line, such as a call
// of another tool.
func RunOf(words ...string) Run {
	r := Run{Words: words, Complete: true, fields: fieldsOf(words)}
	for _, f := range r.fields {
		r.Args = append(r.Args, f.word())
	}
	r.Part = Quoted(words)
	return r
}

// Shown returns the run as text for messages.
func (r Run) Shown() string { return r.Part }

// Quoted joins words to a line that a shell splits into the same words.
func Quoted(words []string) string {
	shown := make([]string, len(words))
	for i, w := range words {
		expanded := strings.Contains(w, "{") && (strings.Contains(w, ",") || strings.Contains(w, "..")) || strings.Contains(w, "=~") || strings.Contains(w, ":~")
		if shown[i] = w; w == "" || expanded || strings.ContainsAny(w, " \t\n\"'$`|&;<>()*?[\\") || strings.ContainsAny(w[:1], "~#") {
			shown[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(shown, " ")
}

// Name returns the name of the command without its folder, if it is literal. It
// is empty otherwise.
func (r Run) Name() string {
	if len(r.Args) == 0 || !r.Args[0].Literal {
		return ""
	}
	return strings.TrimSuffix(path.Base(r.Args[0].Text), ".exe")
}

// Interprets reports whether the command is a shell or another interpreter.
func (r Run) Interprets() bool {
	name := strings.ToLower(r.Name())
	_, found := languageOf(name)
	return found || isOf("shell", name)
}

// style returns the option syntax of the command.
func (r Run) style() style { return styleOf(strings.ToLower(r.Name())) }

// Operands returns the words that are neither options nor values of the options in takes.
func (r Run) Operands(takes string) []Word {
	return words(parseOptions(r.fields[1:], r.style(), takes).operands)
}

// HasOption reports whether one of some options with a value is given. Other letters may be
// bundled before it.
func (r Run) HasOption(options string) bool {
	return parseOptions(r.fields[1:], r.style(), options).has(options)
}

// Takes returns the list of options with a value that the table stores under a name, because
// several rows share it.
func Takes(list string) string { return listOf(list) }

// Values returns the values of options.
func (r Run) Values(options string) []string {
	return parseOptions(r.fields[1:], r.style(), options).values(options)
}

// Text joins the words after the command name.
func (r Run) Text() string {
	var texts []string
	for _, w := range r.Args[1:] {
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, " ")
}

// text returns the known part of a word.
func (w Word) text() string {
	switch {
	case w.Literal:
		return w.Text
	case w.Pattern != "":
		return w.Pattern
	}
	return "..." + w.Text
}

// word converts a field to a Word.
func (f field) word() Word {
	switch {
	case !isKnown(f.text):
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

// words converts arguments to words of a Run.
func words(fields []field) []Word {
	var all []Word
	for _, f := range fields {
		all = append(all, f.word())
	}
	return all
}
