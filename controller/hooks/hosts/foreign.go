package hosts

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// foreignText is the table of the effects of MCP tools. Its header explains the
// rows.
//
//go:embed foreign.txt
var foreignText string

// foreignRow returns the entry of the table for a tool: its effect ("reads",
// "writes", "saves", "runs", "git"), and the arguments that the effect applies to.
// Both are empty for a tool without an entry.
func foreignRow(tool string) (how, of string) {
	plain := strings.NewReplacer("-", "_") // some hosts end the name of the server with "-"
	tool = plain.Replace(strings.ToLower(tool))
	for line := range strings.Lines(foreignText) {
		about, does, found := strings.Cut(strings.TrimSpace(line), "; ")
		names := strings.Fields(plain.Replace(about))
		if !found || !strings.Contains(tool, names[0]) {
			continue
		}
		isNamed := func(name string) bool {
			ok, _ := path.Match("*"+names[0]+"*_"+name, tool)
			return ok
		}
		if slices.ContainsFunc(names[1:], isNamed) {
			how, of, _ = strings.Cut(does, " ")
			return how, of
		}
	}
	return "", ""
}

// describeForeign sets the effect of an MCP tool, from the table or from the
// names of its arguments. The outcome of its commands is unknown.
func (b toolbox) describeForeign(e *Event, tool string, args Object) {
	if args == nil {
		return
	}
	if ok, _ := path.Match(b.server+"*", tool); !ok {
		e.guessForeign(tool, args)
		return
	}
	switch how, of := foreignRow(tool); how {
	case "reads":
		e.Action = admission.Other
	case "runs":
		if line := fillLine(of, args); line != "" || of[0] != '[' {
			e.foreignCommand(line, args)
		}
	case "git":
		line, _ := gitLine(tool, args)
		e.foreignCommand(line, args)
	case "saves":
		if e.foreignWrites(args, strings.Fields(of)); len(e.Paths) == 0 {
			e.Action = admission.Other
		}
	case "writes":
		if e.foreignWrites(args, strings.Fields(of)); len(e.Paths) == 0 && e.Action == admission.Write {
			e.UnreadReason = "The call names no file as a text (" + of + ")."
		}
	default:
		e.guessForeign(tool, args)
	}
}

// foreignCommand gives a call the effect of the command line.
func (e *Event) foreignCommand(line string, args Object) {
	e.Action, e.Command, e.OutcomeUnknown = admission.Shell, line, true
	if line == "" {
		e.UnreadReason = "The call has no command as a text."
	}
	if dir := AsText(member(args, folderArguments)); dir != "" {
		if e.Cwd == "" || path.IsAbs(dir) {
			e.Cwd = dir
		} else {
			e.Cwd += "/" + dir
		}
	}
}

// foreignWrites marks a call as a write of the files in the arguments. Each
// argument is a text or a list.
func (e *Event) foreignWrites(args Object, keys []string) {
	e.Action = admission.Write
	for _, key := range keys {
		for _, name := range textsOf(args[key]) {
			name = strings.TrimPrefix(name, "file://")
			if !strings.Contains(name, "://") {
				e.Paths = append(e.Paths, name)
			}
		}
	}
}

// fillLine returns the command line with the arguments in place of their
// placeholders. It drops each bracketed part whose argument is missing. It
// returns "" if the argument at the beginning of the line is missing.
func fillLine(line string, args Object) string {
	for strings.Contains(line, "[") {
		before, rest, _ := strings.Cut(line, "[")
		part, after, _ := strings.Cut(rest, "]")
		_, named, _ := strings.Cut(part, "{")
		if name, _, _ := strings.Cut(named, "}"); len(textsOf(args[name])) == 0 {
			part = ""
		}
		line = strings.TrimSpace(before + part + after)
	}
	var places []string
	for key, value := range args {
		places = append(places, "{{"+key+"}}", joinArgument(value, ""), "{"+key+"}", strings.TrimPrefix(joinArgument(value, " "), " "))
	}
	line = strings.NewReplacer(places...).Replace(line) // once: inserted text is not expanded again
	if strings.HasPrefix(line, "{{") {
		return "" // the argument is missing
	}
	return line
}

// joinArgument returns an argument as part of a command line. With a prefix, it
// quotes the words. Without a prefix, a text is returned unchanged. A list is
// treated as the words of a command.
func joinArgument(value []byte, front string) string {
	texts := textsOf(value)
	if len(texts) == 0 {
		return ""
	}
	if front == "" && AsText(value) != "" {
		return texts[0]
	}
	for i, t := range texts {
		texts[i] = quoteWord(t)
	}
	return front + strings.Join(texts, " ")
}

// quoteWord quotes a text as one word of a command line.
func quoteWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// textsOf returns the texts of an argument: the text itself, or the texts in a
// list.
func textsOf(value []byte) []string {
	if text := AsText(value); text != "" {
		return []string{text}
	}
	var all []string
	for _, item := range Items(value) {
		if text := AsText(item); text != "" {
			all = append(all, text)
		}
	}
	return all
}
