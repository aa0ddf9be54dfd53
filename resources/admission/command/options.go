package command

import "strings"

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
}

// option is one option of a command, in bundles each letter for itself.
type option struct {
	name  string // "-f", "--force"; find's and the like "-delete"
	value string
	has   bool // it has a value
	glob  bool // the value holds patterns that match files
}

// parsedOptions are a command's words, sorted.
type parsedOptions struct {
	options  []option
	operands []field
	// before says of each operand how many options stood before it.
	before []int
	dashes int // index of the first operand behind "--", or -1
}

// parse reads the words of a command whose options listed in takes have a value
// ("-m --message"). Options may stand behind operands, short ones in bundles, with
// their value joined to them or behind.
func parseOptions(args []field, takes string) *parsedOptions {
	p := &parsedOptions{dashes: -1}
	for i := 0; i < len(args); i++ {
		w := args[i].text
		switch {
		case w == "--":
			p.dashes = len(p.operands)
			for _, f := range args[i+1:] {
				p.operand(f)
			}
			return p
		case len(w) < 2 || w[0] != '-' || !known(w[:2]):
			p.operand(args[i])
		case w[1] == '-':
			i += p.long(args[i], args[i+1:], takes)
		default:
			i += p.bundle(args[i], args[i+1:], takes)
		}
	}
	return p
}

func (p *parsedOptions) operand(f field) {
	p.operands, p.before = append(p.operands, f), append(p.before, len(p.options))
}

// long reads --name, --name=value or --name value.
func (p *parsedOptions) long(f field, rest []field, takes string) (used int) {
	name, v, has := strings.Cut(f.text, "=")
	o := option{name: name, value: v, has: has, glob: f.glob}
	if !has && hasWord(takes, name) && len(rest) > 0 {
		o.value, o.has, o.glob, used = rest[0].text, true, rest[0].glob, 1
	}
	p.options = append(p.options, o)
	return used
}

// bundle reads -abc: letters up to one that takes a value.
func (p *parsedOptions) bundle(f field, rest []field, takes string) (used int) {
	w := f.text
	if hasWord(takes, w) { // -exec and the like, of more than one letter
		o := option{name: w}
		if len(rest) > 0 {
			o.value, o.has, o.glob, used = rest[0].text, true, rest[0].glob, 1
		}
		p.options = append(p.options, o)
		return used
	}
	for i := 1; i < len(w); i++ {
		o := option{name: "-" + w[i:i+1]}
		if hasWord(takes, o.name) {
			o.has, o.glob = true, f.glob
			if o.value = w[i+1:]; o.value == "" && len(rest) > 0 {
				o.value, o.glob, used = rest[0].text, rest[0].glob, 1
			}
			p.options = append(p.options, o)
			return used
		}
		p.options = append(p.options, o)
	}
	return 0
}

// hasWord reports whether a list in a text holds a word.
func hasWord(list, word string) bool {
	if word == "" || strings.IndexByte(word, ' ') >= 0 {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], word)
		if i < 0 {
			return false
		}
		begin := from + i
		end := begin + len(word)
		if (begin == 0 || list[begin-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		from = end
	}
}

// has reports whether one of the options is given. A long one may be cut short, to four
// letters at least with the dashes, as most commands allow.
func (p *parsedOptions) has(names string) bool {
	_, ok := p.value(names)
	return ok
}

// value is the value of the last of the options that is given.
func (p *parsedOptions) value(names string) (string, bool) {
	for i := len(p.options) - 1; i >= 0; i-- {
		o := p.options[i]
		if hasWord(names, o.name) {
			return o.value, true
		}
		if len(o.name) >= 4 && o.name[1] == '-' && abbreviates(o.name, names) {
			return o.value, true
		}
	}
	return "", false
}

// abbreviates reports whether a long option is the beginning of one of names.
func abbreviates(short, names string) bool {
	for len(names) > 0 {
		name, rest, _ := strings.Cut(names, " ")
		if strings.HasPrefix(name, "--") && strings.HasPrefix(name, short) {
			return true
		}
		names = rest
	}
	return false
}

// values are all values of the options.
func (p *parsedOptions) values(names string) []string {
	var all []string
	for _, o := range p.options {
		if hasWord(names, o.name) {
			all = append(all, o.value)
		}
	}
	return all
}

// files are all values of the options, as files.
func (p *parsedOptions) files(names string) []field {
	var all []field
	for _, o := range p.options {
		if hasWord(names, o.name) && o.value != "-" {
			all = append(all, field{text: o.value, glob: o.glob})
		}
	}
	return all
}

// literally reports whether one of the words is given as it stands: for commands with
// options like -delete.
func literally(args []field, words string) bool {
	for _, f := range args {
		if hasWord(words, f.text) {
			return true
		}
	}
	return false
}

// texts joins arguments.
func texts(args []field) string {
	var b strings.Builder
	for i, f := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(f.text)
	}
	return b.String()
}
