package hosts

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// foreignText is the one table of what tools of MCP servers do. It says itself what its rows mean.
//
//go:embed foreign.txt
var foreignText string

// foreignRow finds what the table says of a tool: how ("reads", "writes", "saves", "runs"), and of
// what.
func foreignRow(tool string) (how, of string) {
	tool = strings.ToLower(tool)
	for line := range strings.Lines(foreignText) {
		about, does, found := strings.Cut(strings.TrimSpace(line), "; ")
		names := strings.Fields(about)
		if !found || names[0] != "*" && !strings.Contains(tool, names[0]) {
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

// Arguments of tools that no row knows, by what they are commonly called.
var (
	commandArguments = []string{"command", "cmd", "shell_command", "commandLine", "command_line", "script"}
	codeArguments    = []string{"code", "function"}
	sqlArguments     = []string{"sql", "statement", "query"}
	pathArguments    = []string{"path", "paths", "file", "files", "file_path", "filePath", "filename", "relative_path", "pathInProject", "source", "destination", "target", "directory", "uri", "outputPath", "output_path"}
	readingVerbs     = []string{"read", "get", "list", "search", "find", "show", "view", "describe", "query", "fetch", "browse", "explain"}
)

// describeForeign fills in what a tool of an MCP server does, by the table, or else by the names
// of its arguments. How a command of it ends is not known.
func (b toolbox) describeForeign(e *Event, tool string, args Object) {
	if ok, _ := path.Match(b.server+"*", tool); !ok || args == nil {
		return
	}
	switch how, of := foreignRow(tool); how {
	case "reads":
		e.Action = admission.Other
	case "runs":
		if line := filled(of, args); line != "" || of[0] != '[' {
			e.runsForeign(line, args)
		}
	case "saves":
		if e.writesForeign(args, strings.Fields(of)); len(e.Paths) == 0 {
			e.Action = admission.Other
		}
	case "writes":
		if e.writesForeign(args, strings.Fields(of)); len(e.Paths) == 0 && e.Action == admission.Write {
			e.Unread = "The call names no file as a text (" + of + ")."
		}
	default:
		e.guessForeign(tool, args)
	}
}

// guessForeign judges a tool that no row knows by the names of its arguments.
func (e *Event) guessForeign(tool string, args Object) {
	name := strings.ToLower(tool[strings.LastIndex(tool, "__")+1:])
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
	asks := slices.ContainsFunc([]string{"sql", "query", "db", "database", "execute"}, func(w string) bool { return strings.Contains(name, w) })
	reads := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(readingVerbs, w) })
	var lines []string
	for _, key := range commandArguments {
		lines = append(lines, asLine(args[key], ""))
	}
	for _, key := range codeArguments {
		lines = append(lines, asLine(args[key], "node -e "))
	}
	for _, key := range sqlArguments {
		if key == "sql" || asks {
			lines = append(lines, asLine(args[key], "psql -c "))
		}
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	if len(lines) > 0 {
		e.runsForeign(strings.Join(lines, "\n"), args)
	} else if !reads {
		if e.writesForeign(args, pathArguments); len(e.Paths) == 0 {
			e.Action = admission.Other
		}
	}
}

// runsForeign says that a call does what a command line does.
func (e *Event) runsForeign(line string, args Object) {
	e.Action, e.Command, e.Unsettled = admission.Shell, line, true
	if line == "" {
		e.Unread = "The call has no command as a text."
	}
	if dirs := textsAt(args, []string{"cwd", "workdir", "working_directory", "directory"}); len(dirs) > 0 {
		if e.Cwd == "" || path.IsAbs(dirs[0]) {
			e.Cwd = dirs[0]
		} else {
			e.Cwd += "/" + dirs[0]
		}
	}
}

// writesForeign says that a call writes the files in some arguments, each a text or a list.
func (e *Event) writesForeign(args Object, keys []string) {
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

// filled is a command line with arguments in the places that stand for them, and without what
// stands in brackets around an argument that is not given.
func filled(line string, args Object) string {
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
		places = append(places, "{{"+key+"}}", asLine(value, ""), "{"+key+"}", strings.TrimPrefix(asLine(value, " "), " "))
	}
	line = strings.NewReplacer(places...).Replace(line) // once: what is put in is not looked at again
	if strings.HasPrefix(line, "{{") {
		return "" // the argument is not there
	}
	return line
}

// asLine is an argument as a command line: with something in front its words are quoted, without
// that a text stands as it is. A list is the words of a command.
func asLine(value []byte, front string) string {
	texts := textsOf(value)
	if len(texts) == 0 {
		return ""
	}
	if front == "" && AsText(value) != "" {
		return texts[0]
	}
	for i, t := range texts {
		texts[i] = "'" + strings.ReplaceAll(t, "'", `'\''`) + "'"
	}
	return front + strings.Join(texts, " ")
}

// textsOf are the texts of an argument: itself, or those of a list.
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
