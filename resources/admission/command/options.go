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
	name  string // "-f", "--force"; find's and the like "-delete"
	value field
}

// parsedOptions are a command's words, sorted.
type parsedOptions struct {
	options  []option
	operands []field
	// before says of each operand how many options stood before it.
	before []int
	dashes int // index of the first operand behind "--", or -1
}

// parseOptions reads the words of a command whose options listed in takes have a value
// ("-m --message"). Options may stand behind operands, short ones in bundles, with
// their value joined to them or behind.
func parseOptions(args []field, takes string) *parsedOptions {
	p := &parsedOptions{dashes: -1}
	for i := 0; i < len(args); i++ {
		w := args[i].text
		switch {
		case p.dashes >= 0, len(w) < 2 || w[0] != '-' || !known(w[:2]):
			p.operands, p.before = append(p.operands, args[i]), append(p.before, len(p.options))
		case w == "--":
			p.dashes = len(p.operands)
		case p.add(args[i], takes) && i+1 < len(args): // its value is the next word
			i++
			p.options[len(p.options)-1].value = args[i]
		}
	}
	return p
}

// add takes in --name, --name=value, or -abc up to a letter that takes a value, and reports
// whether a value is still to come.
func (p *parsedOptions) add(f field, takes string) (waits bool) {
	w := f.text
	if w[1] == '-' {
		name, v, has := strings.Cut(w, "=")
		p.options = append(p.options, option{name, field{text: v, glob: f.glob}})
		return !has && hasWord(takes, name)
	}
	if name, v, has := strings.Cut(w, "="); hasWord(takes, name) && (!has || len(name) > 2) { // -exec and the like, of more than one letter
		p.options = append(p.options, option{name, field{text: v, glob: f.glob}})
		return !has
	}
	for i := 1; i < len(w); i++ {
		o := option{name: "-" + w[i:i+1]}
		if hasWord(takes, o.name) {
			o.value = field{text: w[i+1:], glob: f.glob}
			p.options = append(p.options, o)
			return i+1 == len(w)
		}
		p.options = append(p.options, o)
	}
	return false
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
		if hasWord(names, o.name) || len(o.name) >= 4 && o.name[1] == '-' && strings.Contains(" "+names, " "+o.name) {
			return o.value.text, true
		}
	}
	return "", false
}

// values are all values of the options.
func (p *parsedOptions) values(names string) []string {
	var all []string
	for _, o := range p.options {
		if hasWord(names, o.name) {
			all = append(all, o.value.text)
		}
	}
	return all
}

// files are all values of the options, as files.
func (p *parsedOptions) files(names string) []field {
	var all []field
	for _, o := range p.options {
		if hasWord(names, o.name) && o.value.text != "-" {
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
