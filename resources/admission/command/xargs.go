package command

import (
	"slices"
	"strings"
)

const xargsTakes = "-n -P -L -d -E -s --max-args --max-procs --delimiter --replace --max-lines -j --jobs --joblog --colsep -S --sshlogin --results --delay --timeout --retries"

// xargs runs a command on what it reads; parallel as well on what stands behind :::.
func (m *machine) xargs(c *invocation) string {
	args, place, items := m.xargsOptions(c)
	if c.name == "parallel" {
		if i := slices.IndexFunc(args, func(f field) bool { return strings.HasPrefix(f.text, ":::") }); i >= 0 {
			args, items = args[:i], append(items, plainTexts(args[i+1:])...)
		}
	}
	inner := handed(args, place, items)
	switch {
	case len(inner) == 0 && c.name == "parallel" && !c.piped: // ::: 'rm a' 'rm b'
		return m.code(strings.Join(items, "\n"), "", c.part())
	case len(inner) == 0 && c.name == "parallel":
		return m.code(c.stdin, "", c.part())
	case len(inner) == 0:
		return c.stdin
	case c.name == "parallel" && len(args) == 1: // 'echo {}; rm {}'
		return m.code(texts(inner), "", c.part())
	}
	m.handsOn(inner)
	return m.run(inner, "", false)
}

// xargsOptions reads the options of xargs: what stands behind them, the items, and what
// stands for an item in the command.
func (m *machine) xargsOptions(c *invocation) (args []field, place string, items []string) {
	args, place = c.args, "{}"
	if c.piped {
		items = strings.Fields(c.stdin)
	}
	for ; len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-'; args = args[1:] {
		a, used := args[0].text, 0
		if a == "--" {
			return args[1:], place, items
		}
		value := ""
		if len(args) > 1 {
			value = args[1].text
		}
		switch {
		case a == "-0" || a == "--null":
			if known(c.stdin) && c.piped {
				items = linesOf(c)
			}
		case a == "-I" && len(args) > 1:
			place, items, used = value, linesOf(c), 1
		case strings.HasPrefix(a, "-I"):
			place, items = a[2:], linesOf(c)
		case strings.HasPrefix(a, "--arg-file="):
			items = strings.Fields(m.read(a[len("--arg-file="):]))
		case a == "-a" || a == "--arg-file":
			if len(args) > 1 {
				items, used = strings.Fields(m.read(value)), 1
			}
		case hasWord(xargsTakes, a) && len(args) > 1:
			used = 1
		}
		args = args[used:]
	}
	return args, place, items
}

// linesOf are the lines that a command reads.
func linesOf(c *invocation) []string {
	if !c.piped {
		return nil
	}
	return strings.Split(strings.TrimSpace(c.stdin), "\n")
}

// handed is a command with items in the place that stands for them, all of them at once, or
// behind it.
func handed(command []field, place string, items []string) []field {
	replaced := false
	var all []field
	for _, f := range command {
		if place == "" || !strings.Contains(f.text, place) || len(all) >= maxFields {
			all = append(all, f)
			continue
		}
		replaced = true
		each := items[:min(len(items), maxChoices)]
		if len(items) == 0 {
			each = []string{unknown}
		}
		for _, item := range each {
			all = append(all, field{text: strings.ReplaceAll(f.text, place, item)})
		}
	}
	if !replaced && len(all) > 0 {
		for _, item := range items[:min(len(items), maxFields)] {
			all = append(all, field{text: item})
		}
	}
	return all
}
