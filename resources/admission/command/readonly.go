package command

import (
	"slices"
	"strings"
)

// readOnly reports whether a table row shows that a command changes nothing, including its
// unknown parts. A program of the repository may have any name, so only programs from PATH
// or in system folders count.
func (c *invocation) readOnly() bool {
	if strings.Contains(c.path, "/") && !inSystemBin(c.path) {
		return false
	}
	if c.name == "git" {
		if c = c.gitReading(); c == nil {
			return false
		}
	}
	return slices.ContainsFunc(rows("read-only", c.name), func(r row) bool { return r.provesReadOnly(c) })
}

// provesReadOnly reports whether a row matches a command, and unknown parts of the command
// cannot change that.
func (r row) provesReadOnly(c *invocation) bool {
	if r.get("code") != "" {
		return r.readsInCode(c)
	}
	o := c.optionsTaking(r.get("takes"))
	if most := r.number("most"); most > 0 && len(o.operands) >= most || !r.applies(c) {
		return false
	}
	if r.is("program") {
		scripts := o.values("-e --expression")
		if len(scripts) == 0 && len(o.operands) > 0 {
			scripts = []string{o.operands[0].text}
		}
		return len(scripts) > 0 && !slices.ContainsFunc(scripts, func(s string) bool { return !isKnown(s) || !onlyPrints(c.name, s) })
	}
	mayBeOption := func(f field) bool { return f.text != "" && strings.ContainsAny(f.text[:min(len(f.text), 4)], marks) }
	return r.get("spares") == "" && r.number("most") == 0 || !slices.ContainsFunc(c.args, mayBeOption)
}

// gitReading returns the git command with its arguments. It returns nil if global options
// change what git does or runs.
func (c *invocation) gitReading() *invocation {
	args := c.args
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		switch name, _, joined := strings.Cut(args[0].text, "="); {
		case hasWord("-P --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects", name):
		case name == "--version":
			return c
		case hasWord("-C --git-dir --work-tree", name):
			if !joined && len(args) > 1 {
				args = args[1:]
			}
		default:
			return nil
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	return &invocation{name: "git-" + args[0].text, path: c.path, args: args[1:], dir: c.dir}
}

// onlyPrints reports whether a sed or awk program only prints.
func onlyPrints(name, script string) bool {
	if !strings.HasSuffix(name, "awk") {
		return sedOnlyPrints(script)
	}
	isEnd := func(r rune) bool { return strings.ContainsRune("\n;{}", r) }
	for statement := range strings.FieldsFuncSeq(script, isEnd) {
		if _, printed, prints := strings.Cut(statement, "print"); prints && strings.Contains(printed, ">") {
			return false
		}
	}
	return !hasAny(script, "system", "@", "getline") && !strings.Contains(strings.ReplaceAll(script, "||", ""), "|")
}

// sedOnlyPrints reports whether a sed script consists of addresses, one-letter commands
// that print or drop lines, and substitutions. Other commands may write files or run
// programs.
func sedOnlyPrints(s string) bool {
	for s != "" {
		switch {
		case strings.IndexByte(" \t\n;{}0123456789,$~+!I"+"pPdDqQnN=lhHgGx", s[0]) >= 0:
			s = s[1:]
		case s[0] == '/':
			end := 1
			for end < len(s) && s[end] != '/' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(s) {
				return false
			}
			s = s[end+1:]
		case s[0] == 's' && len(s) > 3 && !isNameByte(s[1]):
			_, rest, whole := sedReplaces(s[2:], s[1])
			s = strings.TrimLeft(rest, "gpiI0123456789 ")
			if !whole || s != "" && strings.IndexByte("\n;}", s[0]) < 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}
