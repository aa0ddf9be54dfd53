package command

import (
	"path"
	"slices"
	"strings"
)

// inTable goes through the rows that are about a command: what it touches is kept for the
// path policy, and judged.
func (m *machine) inTable(c *invocation) {
	for _, r := range rows("file", c.name) {
		o := c.with(r.takes + " " + r.output)
		if r.judge != "by-itself" && !o.has(r.spares) && (r.needs == "" || o.has(r.needs)) && !m.keepsContent(c, o) {
			m.operands(r, c, o)
		}
		for _, f := range o.files(r.output) {
			m.file(File{Word: f.word()}, c)
		}
		switch r.judge {
		case "removes":
			m.removes(c, o)
		case "moves":
			m.moves(c, o)
		case "permits":
			m.permits(c, o)
		case "truncates":
			m.truncates(c, o)
		case "makes":
			m.makes(c, o)
		}
	}
}

// keepsContent reports whether a command changes owners or modes all the way down and
// leaves the owner's rights: then what stands there is read as before.
func (m *machine) keepsContent(c *invocation, o *parsedOptions) bool {
	switch c.name {
	case "chown", "chgrp":
		return o.has("-R --recursive")
	case "chmod":
		if slices.ContainsFunc(c.args, minusMode) { // a hook that cannot be run is switched off
			return false
		}
		return len(o.operands) > 0 && known(o.operands[0].text) && keepsOwner(o.operands[0].text)
	}
	return false
}

// keepsOwner reports whether a mode leaves the owner what reading and writing needs.
func keepsOwner(mode string) bool {
	if digits := strings.TrimLeft(mode, "0"); digits != "" && strings.Trim(digits, "01234567") == "" {
		return len(digits) >= 3 && digits[len(digits)-3] >= '6'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		who := clause[:max(0, strings.IndexAny(clause, "+-="))]
		if !strings.Contains(clause, "+") && (who == "" || strings.ContainsAny(who, "ua")) {
			return false
		}
	}
	return mode != ""
}

// minusMode reports whether a word is a mode of chmod's that looks like an option (-x).
func minusMode(f field) bool {
	return len(f.text) > 1 && f.text[0] == '-' && strings.Trim(f.text[1:], "rwxXst") == ""
}

// operands adds those operands of a command that it touches.
func (m *machine) operands(r *row, c *invocation, o *parsedOptions) {
	fields := o.operands
	switch r.how {
	case "but-first":
		if !slices.ContainsFunc(c.args, minusMode) {
			fields = fields[min(1, len(fields)):]
		}
	case "first":
		fields = fields[:min(1, len(fields))]
	case "by-name":
		fields = slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return path.Ext(f.text) == "" || path.Ext(f.text) == f.text })
	case "second":
		fields = fields[min(1, len(fields)):min(2, len(fields))]
	case "last", "moved":
		m.destinationFiles(r, c, o)
		return
	case "none":
		return
	}
	for _, f := range fields {
		m.file(File{Word: f.word(), Tree: r.tree == "all" || o.has(r.tree), Unsure: r.unsure}, c)
		if r.judge == "" {
			m.overwrites(f.text, unknown, c.part())
		}
	}
}

// destination is where a copy, a move or a link goes, and what goes there.
func destination(c *invocation, o *parsedOptions) (to field, from []field, ok bool) {
	from = o.operands
	folders := o.files("-t --target-directory")
	switch {
	case len(folders) > 0 && c.name != "rsync" && c.name != "scp":
		return folders[len(folders)-1], from, true
	case len(from) > 1:
		return from[len(from)-1], from[:len(from)-1], true
	case len(from) == 1 && c.name == "ln":
		return field{text: "."}, from, true
	}
	return field{}, from, false
}

// isRemote reports whether a file of rsync's or scp's stands on another machine.
func isRemote(name string) bool { return strings.Contains(name, ":") && !isWindowsRoot(name) }

// destinationFiles adds what a copy, a move or a link makes, and what a move takes away.
func (m *machine) destinationFiles(r *row, c *invocation, o *parsedOptions) {
	to, from, ok := destination(c, o)
	if !ok || (c.name == "rsync" || c.name == "scp") && isRemote(to.text) {
		return
	}
	tree := r.tree == "all" || o.has(r.tree)
	linked := c.name == "ln" && !o.has("-s --symbolic")
	f := File{Word: to.word(), Tree: tree}
	for _, w := range from {
		base := path.Base(w.text)
		switch {
		case !known(w.text) || w.glob: // whatever it is, it stands in the folder
			base = ""
		case base == "..", strings.HasSuffix(w.text, "/"):
			base = "."
		}
		f.Into = append(f.Into, base)
		if r.how == "moved" || linked {
			m.file(File{Word: w.word(), Tree: tree, Unsure: linked}, c)
		}
	}
	m.file(f, c)
}
