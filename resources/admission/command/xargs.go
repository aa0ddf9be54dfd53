package command

import "strings"

// feeder is xargs or parallel: a command that is run on items.
type feeder struct {
	items []string
	place string // what stands for an item in the command; "" for behind it
	args  []field
}

const xargsTakes = "-I -i -n -P -L -d -E -s -a --max-args --max-procs --delimiter --replace --arg-file --max-lines -j --jobs --joblog --colsep -S --sshlogin --results --delay --timeout --retries"

// xargs runs a command on what it reads; parallel as well on what stands behind :::.
func (m *machine) xargs(c *invocation) string {
	f := m.feeder(c)
	if c.name == "parallel" {
		f.args, f.items = behindColons(f.args, f.items)
	}
	inner := f.command()
	switch {
	case len(inner) == 0 && c.name == "parallel" && !c.piped: // ::: 'rm a' 'rm b'
		return m.code(strings.Join(f.items, "\n"), "", c.part())
	case len(inner) == 0 && c.name == "parallel" && c.piped:
		return m.code(c.stdin, "", c.part())
	case len(inner) == 0:
		return c.stdin
	case c.name == "parallel" && len(f.args) == 1: // 'echo {}; rm {}'
		return m.code(texts(inner), "", c.part())
	}
	m.handsOn(inner)
	return m.run(inner, "", false)
}

// feeder reads the options of xargs.
func (m *machine) feeder(c *invocation) *feeder {
	f := &feeder{place: "{}", args: c.args}
	if c.piped {
		f.items = strings.Fields(c.stdin)
	}
	for len(f.args) > 0 && len(f.args[0].text) > 1 && f.args[0].text[0] == '-' && f.args[0].text != "--" {
		a := f.args[0].text
		more := len(f.args) > 1
		switch {
		case a == "-0" || a == "--null":
			if known(c.stdin) && c.piped {
				f.items = linesOf(c)
			}
		case a == "-I" && more:
			f.place, f.items = f.args[1].text, linesOf(c)
			f.args = f.args[1:]
		case strings.HasPrefix(a, "-I"):
			f.place, f.items = a[2:], linesOf(c)
		case strings.HasPrefix(a, "--arg-file="):
			f.items = strings.Fields(m.read(a[len("--arg-file="):]))
		case (a == "-a" || a == "--arg-file") && more:
			f.items = strings.Fields(m.read(f.args[1].text))
			f.args = f.args[1:]
		case hasWord(xargsTakes, a) && a != "-i" && more:
			f.args = f.args[1:]
		}
		f.args = f.args[1:]
	}
	if len(f.args) > 0 && f.args[0].text == "--" {
		f.args = f.args[1:]
	}
	return f
}

// command is the command with the items in their place, all of them at once.
func (f *feeder) command() []field {
	replaced := false
	var inner []field
	for _, a := range f.args {
		if f.place == "" || !strings.Contains(a.text, f.place) {
			inner = append(inner, a)
			continue
		}
		replaced = true
		for i, item := range f.items {
			if i < maxChoices && len(inner) < maxFields {
				inner = append(inner, field{text: strings.ReplaceAll(a.text, f.place, item)})
			}
		}
		if len(f.items) == 0 {
			inner = append(inner, field{text: strings.ReplaceAll(a.text, f.place, unknown)})
		}
	}
	if !replaced && len(inner) > 0 {
		for _, item := range f.items[:min(len(f.items), maxFields)] {
			inner = append(inner, field{text: item})
		}
	}
	return inner
}

// linesOf are the lines that a command reads.
func linesOf(c *invocation) []string {
	if !c.piped {
		return nil
	}
	return strings.Split(strings.TrimSpace(c.stdin), "\n")
}

// behindColons takes apart what parallel is given: the command, and its arguments
// behind ":::".
func behindColons(args []field, items []string) ([]field, []string) {
	for i, f := range args {
		if strings.HasPrefix(f.text, ":::") {
			for _, item := range args[i+1:] {
				items = append(items, item.text)
			}
			return args[:i], items
		}
	}
	return args, items
}
