package command

import (
	"slices"
	"strings"
)

// invocation is one command as it would run.
type invocation struct {
	name   string // without folder, in lower case
	args   []field
	stdin  string
	piped  bool   // its input is redirected, to stdin
	path   string // the name as written
	dir    string // where it runs
	takes  string // options with a value, for operands and the like
	parsed *parsedOptions
	shown  string // part, once it was asked for
}

// option is one option of a command, in bundles each letter for itself.
type option struct {
	name  string // "-f", "--force", "-coverprofile"; of pairs "of"
	value field
}

// style is how a program's options are written, by its row of the table. A program without a row has the style words.
type style string

const (
	wordy   style = "words"   // -name, -name=value, -name value: letters are never bundled
	joined  style = "joined"  // the same, and an option of one letter may have its value joined to it: -ofile
	getopt  style = "letters" // getopt: options of one letter may be bundled, and have a value joined to them
	leading style = "leading" // letters, and the first word may be a bundle without a dash: tar xzf
	pairs   style = "pairs"   // name=value without a dash: dd
)

// styleOf returns the style of a program, with whatever version in its name. Commands of git have that of git.
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

// off reports whether an option is switched off: --force=false.
func (o option) off() bool { return o.value.text == "false" && len(o.name) > 2 }

// parsedOptions are a command's words, sorted.
type parsedOptions struct {
	options  []option
	operands []field
	// before says of each operand how many options stood before it.
	before []int
	dashes int // index of the first operand behind "--", or -1
	style  style
}

// parseOptions reads the words of a command whose options listed in takes have a value
// ("-m --message"). Options may stand behind operands. How they are written is the program's style.
func parseOptions(args []field, of style, takes string) *parsedOptions {
	p := &parsedOptions{dashes: -1, style: of}
	var waiting []int // options whose value is still to come
	for i, f := range args {
		w := f.text
		name, value, isPair := strings.Cut(w, "=")
		switch {
		case len(waiting) > 0:
			p.options[waiting[0]].value, waiting = f, waiting[1:]
		case of == pairs && isPair && known(name):
			p.options = append(p.options, option{name, field{text: value, glob: f.glob}})
		case of == leading && i == 0 && isLetters(w):
			waiting = p.bundle("-"+w, f, takes, true)
		case p.dashes >= 0, len(w) < 2 || w[0] != '-' || !known(w[:2]):
			p.operands, p.before = append(p.operands, f), append(p.before, len(p.options))
		case w == "--":
			p.dashes = len(p.operands)
		default:
			waiting = p.add(f, takes)
		}
	}
	return p
}

// isLetters reports whether a word holds nothing but letters.
func isLetters(w string) bool {
	return w != "" && strings.Trim(strings.ToLower(w), lowerCase) == ""
}

// add takes in --name, --name=value and what else the style knows, and returns the options whose
// value is still to come.
func (p *parsedOptions) add(f field, takes string) (waiting []int) {
	w := f.text
	name, value, has := strings.Cut(w, "=")
	whole := w[1] == '-' || p.style == wordy || p.style == pairs || len(name) > 2 && hasWord(takes, name) // -exec and the like, also of programs with letters
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

// bundle takes in -abc: letters up to one that takes a value, which may be joined to it. apart says
// that values only come in the words behind.
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

// lists reports whether a list holds an option. Where letters are not bundled, one dash is as good as two.
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

// hasWord reports whether a list in a text holds a word.
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

// has reports whether one of the options is given. A long one may be cut short, to four
// letters at least with the dashes, as most commands allow.
func (p *parsedOptions) has(names string) bool {
	_, ok := p.value(names)
	return ok
}

// value is the value of the last of the options that is given.
func (p *parsedOptions) value(names string) (string, bool) {
	for _, o := range slices.Backward(p.options) {
		if o.off() {
			continue
		}
		if p.lists(names, o.name) || len(o.name) >= 4 && o.name[1] == '-' && strings.Contains(" "+names, " "+o.name) {
			return o.value.text, true
		}
	}
	return "", false
}

// values are all values of the options.
func (p *parsedOptions) values(names string) []string {
	var all []string
	for _, o := range p.options {
		if p.lists(names, o.name) {
			all = append(all, o.value.text)
		}
	}
	return all
}

// files are all values of the options, as files.
func (p *parsedOptions) files(names string) []field {
	var all []field
	for _, o := range p.options {
		if p.lists(names, o.name) && o.value.text != "-" {
			all = append(all, field{text: o.value.text, glob: o.value.glob})
		}
	}
	return all
}

// literally reports whether one of the words is given as it stands: for commands with
// options like -delete.
func literally(args []field, words string) bool {
	return slices.ContainsFunc(args, func(f field) bool { return hasWord(words, f.text) })
}

// texts joins arguments.
func texts(args []field) string { return strings.Join(plainTexts(args), " ") }

// plainTexts are arguments without what else is known of them.
func plainTexts(args []field) []string {
	all := make([]string, 0, len(args))
	for _, f := range args {
		all = append(all, f.text)
	}
	return all
}

// fieldsOf are arguments that are known.
func fieldsOf(words []string) []field {
	all := make([]field, 0, len(words))
	for _, word := range words {
		all = append(all, field{text: word})
	}
	return all
}
