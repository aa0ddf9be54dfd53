package command

import (
	"slices"
	"strings"
)

// invocation is one command to interpret: its name, arguments, input and parsed options.
type invocation struct {
	name   string // without folder, in lower case
	args   []field
	stdin  string
	piped  bool   // input is redirected to stdin
	path   string // name as written
	dir    string // working directory
	takes  string // options with a value, for parsed
	parsed *parsedOptions
	text   string // cached result of part
}

// option is one option of a command. Each letter of bundled options is a separate option.
type option struct {
	name  string // "-f", "--force", "-coverprofile"; "of" in style pairs
	value field
}

// style is the option syntax of a program, from the table. The default is words.
type style string

const (
	wordy   style = "words"   // -name, -name=value, -name value: letters are never bundled
	joined  style = "joined"  // the same, and values can be joined to one-letter options: -ofile
	getopt  style = "letters" // getopt: one-letter options can be bundled, with a joined value
	leading style = "leading" // letters, and the first word can be a bundle without a dash: tar xzf
	pairs   style = "pairs"   // name=value without a dash: dd
)

// styleOf returns the style of a program. Version suffixes are ignored. Git commands use
// the style of git.
func styleOf(name string) style {
	if strings.HasPrefix(name, "git-") {
		name = "git"
	}
	for _, name := range []string{name, strings.TrimRight(name, "-.0123456789")} {
		for _, r := range rows("style", name) {
			return style(r.get("how"))
		}
	}
	return wordy
}

// isOff reports whether an option is disabled, as in --force=false.
func (o option) isOff() bool { return o.value.text == "false" && len(o.name) > 2 }

// parsedOptions contains the parsed arguments of a command.
type parsedOptions struct {
	options  []option
	operands []field
	// optionCounts is the number of preceding options for each operand.
	optionCounts []int
	dashes       int // index of the first operand after "--", or -1
	style        style
}

// parseOptions parses the arguments of a command in the style of the program. takes lists
// the options with a value ("-m --message"). Options can follow operands.
func parseOptions(args []field, of style, takes string) *parsedOptions {
	p := &parsedOptions{dashes: -1, style: of}
	var waiting []int // options that still need a value
	for i, f := range args {
		w := f.text
		name, value, isPair := strings.Cut(w, "=")
		switch {
		case len(waiting) > 0:
			p.options[waiting[0]].value, waiting = f, waiting[1:]
		case of == pairs && isPair && isKnown(name):
			p.options = append(p.options, option{name, field{text: value, glob: f.glob}})
		case of == leading && i == 0 && isLetters(w):
			waiting = p.bundle("-"+w, f, takes, true)
		case p.dashes >= 0, len(w) < 2 || w[0] != '-' || !isKnown(w[:2]):
			p.operands, p.optionCounts = append(p.operands, f), append(p.optionCounts, len(p.options))
		case w == "--":
			p.dashes = len(p.operands)
		default:
			waiting = p.add(f, takes)
		}
	}
	return p
}

// isLetters reports whether a word consists of letters only.
func isLetters(w string) bool {
	return w != "" && strings.Trim(strings.ToLower(w), lowerCase) == ""
}

// add adds an option in the form --name, --name=value or another one of the style. It
// returns the options that still need a value.
func (p *parsedOptions) add(f field, takes string) (waiting []int) {
	w := f.text
	name, value, has := strings.Cut(w, "=")
	whole := w[1] == '-' || p.style == wordy || p.style == pairs || len(name) > 2 && hasWord(takes, name) // -exec and similar options, also in programs with bundled letters
	if p.style == joined && !whole {
		whole = !hasWord(takes, w[:2]) || len(w) == 2 || w[2] == '='
	}
	if !whole {
		return p.bundle(w, f, takes, false)
	}
	p.options = append(p.options, option{name, field{text: value, glob: f.glob}})
	if !has && p.lists(takes, name) {
		return []int{len(p.options) - 1}
	}
	return nil
}

// bundle adds bundled options like -abc. The last one may have a joined value. apart means
// that values are always separate words.
func (p *parsedOptions) bundle(w string, f field, takes string, apart bool) (waiting []int) {
	for i := 1; i < len(w); i++ {
		o := option{name: "-" + w[i:i+1]}
		valued := hasWord(takes, o.name)
		switch {
		case valued && (apart || i+1 == len(w)):
			waiting = append(waiting, len(p.options))
		case valued:
			o.value = field{text: w[i+1:], glob: f.glob}
		}
		p.options = append(p.options, o)
		if valued && !apart {
			return waiting
		}
	}
	return waiting
}

// lists reports whether a list contains an option. Without bundling, one dash equals two.
func (p *parsedOptions) lists(names, name string) bool {
	if hasWord(names, name) {
		return true
	}
	if p.style != wordy && p.style != joined || len(name) < 3 {
		return false
	}
	if long, ok := strings.CutPrefix(name, "--"); ok {
		return len(long) > 1 && hasWord(names, "-"+long)
	}
	return len(name) > 2 && hasWord(names, "-"+name)
}

// hasWord reports whether a space-separated list contains a word.
func hasWord(list, word string) bool {
	if word == "" || strings.IndexByte(word, ' ') >= 0 {
		return false
	}
	for w := range strings.SplitSeq(list, " ") {
		if w == word {
			return true
		}
	}
	return false
}

// has reports whether one of the options is given. Long options can be abbreviated to four
// characters including dashes, as in most commands.
func (p *parsedOptions) has(names string) bool {
	_, ok := p.value(names)
	return ok
}

// value returns the value of the last of the given options. It returns false if
// none is given. Options that are set to false do not count.
func (p *parsedOptions) value(names string) (string, bool) {
	for _, o := range slices.Backward(p.options) {
		if o.isOff() {
			continue
		}
		if p.lists(names, o.name) || len(o.name) >= 4 && o.name[1] == '-' && strings.Contains(" "+names, " "+o.name) {
			return o.value.text, true
		}
	}
	return "", false
}

// values returns all values of the options.
func (p *parsedOptions) values(names string) []string {
	var all []string
	for _, o := range p.options {
		if p.lists(names, o.name) {
			all = append(all, o.value.text)
		}
	}
	return all
}

// files returns all values of the options as files, without "-" (standard input
// or output).
func (p *parsedOptions) files(names string) []field {
	var all []field
	for _, o := range p.options {
		if p.lists(names, o.name) && o.value.text != "-" {
			all = append(all, field{text: o.value.text, glob: o.value.glob})
		}
	}
	return all
}

// literally reports whether one of the words is an argument, for commands with options like
// -delete.
func literally(args []field, words string) bool {
	return slices.ContainsFunc(args, func(f field) bool { return hasWord(words, f.text) })
}

// texts joins the texts of arguments with spaces.
func texts(args []field) string { return strings.Join(plainTexts(args), " ") }

// plainTexts returns the texts of arguments.
func plainTexts(args []field) []string {
	all := make([]string, 0, len(args))
	for _, f := range args {
		all = append(all, f.text)
	}
	return all
}

// fieldsOf converts literal words to arguments.
func fieldsOf(words []string) []field {
	all := make([]field, 0, len(words))
	for _, word := range words {
		all = append(all, field{text: word})
	}
	return all
}
