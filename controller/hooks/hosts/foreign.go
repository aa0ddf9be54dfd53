package hosts

import (
	_ "embed"
	"maps"
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

// Arguments of tools that no row knows, by what they are commonly called: in lower case, without
// "_" and "-".
var (
	commandArguments = []string{"command", "cmd", "commands", "cmds", "shellcommand", "commandline", "script", "argv"}
	lineArguments    = []string{"shell", "bash", "sh", "run", "exec", "execute"} // a command line if it is more than a word
	programArguments = []string{"executable", "program", "binary", "exe"}
	wordsArguments   = []string{"args", "arguments", "argv", "params", "parameters"}
	codeArguments    = []string{"code", "function"}
	sqlArguments     = []string{"sql", "statement", "query"}
	pathArguments    = []string{
		"path", "paths", "file", "files", "filepath", "filepaths", "filename", "filenames", "relativepath", "absolutepath", "localpath", "pathinproject", "notebookpath",
		"source", "destination", "dest", "target", "targetpath", "directory", "dir", "folder", "uri", "outputpath", "outputfile", "outfile", "outdir", "outputdir", "output", "out",
		"newpath", "oldpath", "topath", "frompath", "savepath",
	}
	looseArguments  = []string{"output", "out", "target", "source"} // often no files
	folderArguments = []string{"cwd", "workdir", "workingdirectory", "directory"}
	readingVerbs    = []string{"read", "get", "list", "search", "find", "show", "view", "describe", "query", "fetch", "browse", "explain", "grep", "glob", "ls", "lsp", "diagnostics"}
)

// describeForeign fills in what a tool of an MCP server does, by the table, or else by the names
// of its arguments. How a command of it ends is not known.
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

// guessForeign judges a tool that no row knows by the names of its arguments, however deep they are.
func (e *Event) guessForeign(tool string, args Object) {
	name := tool[strings.LastIndex(tool, "__")+1:]
	words := wordsIn(name)
	asks := slices.ContainsFunc([]string{"sql", "query", "db", "database", "execute"}, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
	reads := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(readingVerbs, w) })
	g := gathering{asks: asks}
	g.object(args, 0)
	switch {
	case g.tooMuch:
		e.Action, e.Unread = admission.Write, "The arguments of the call are nested deeper than are read."
	case len(g.lines) > 0:
		e.runsForeign(strings.Join(g.lines, "\n"), args)
	case !reads && len(g.paths)+len(g.governed) > 0:
		for _, name := range g.governed {
			g.file(name)
		}
		e.Action, e.Paths, e.Guessed = admission.Write, g.paths, true
	default:
		e.Action = admission.Other
	}
}

// wordsIn returns the words of a name like list_files or ListFiles, in lower case.
func wordsIn(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(name[i])
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return r == '_' || r == '-' })
}

// Bounds of what is read of a call's arguments.
const (
	maxNested    = 24
	maxArguments = 4000
)

// gathering collects command lines and files in the arguments of a call.
type gathering struct {
	asks  bool // its queries are for a database
	lines []string
	paths []string
	// governed are texts that name a governed file, alone or with another argument in front, whatever they are called.
	governed []string
	seen     int
	tooMuch  bool
}

// plainKey is the name of an argument in lower case, without "_" and "-".
func plainKey(key string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key))
}

// member returns the first argument of some names, and none for a missing one.
func member(o Object, keys []string) []byte {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if slices.Contains(keys, plainKey(name)) {
			return o[name]
		}
	}
	return nil
}

// object collects what the members of an object name.
func (g *gathering) object(o Object, depth int) {
	if g.seen += len(o); depth > maxNested || g.seen > maxArguments {
		g.tooMuch = true
		return
	}
	program := AsText(member(o, programArguments))
	if program != "" {
		g.lines = append(g.lines, strings.TrimSpace(asLine(Line(program), " ")+asLine(member(o, wordsArguments), " ")))
	}
	isRequest := member(o, []string{"method", "url", "host", "endpoint"}) != nil
	if !isRequest {
		g.governs(o)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		value, key := o[name], plainKey(name)
		switch {
		case program != "" && (slices.Contains(programArguments, key) || slices.Contains(wordsArguments, key)):
		case slices.Contains(commandArguments, key):
			g.commands(value, key, o, depth+1)
		case slices.Contains(lineArguments, key) && strings.ContainsAny(AsText(value), " \n"):
			g.line(AsText(value))
		case slices.Contains(codeArguments, key):
			g.line(asLine(value, "node -e "))
		case slices.Contains(sqlArguments, key) && (key == "sql" || g.asks):
			g.line(asLine(value, "psql -c "))
		case slices.Contains(pathArguments, key) && !isRequest:
			g.files(value, slices.Contains(looseArguments, key) && depth > 0, depth+1)
		default:
			g.value(value, depth+1)
		}
	}
}

// maxName is how long a text may be that is taken for the name of a file, in bytes; maxNames how many are
// put together.
const (
	maxName  = 400
	maxNames = 24
)

// governs collects the governed files that texts of an object name: each by itself, and two as the folder and
// what stands below it.
func (g *gathering) governs(o Object) {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if name := strings.TrimPrefix(AsText(o[key]), "file://"); name != "" && len(name) < maxName && !strings.ContainsAny(name, "\n*?\x00") && len(names) < maxNames {
			names = append(names, name)
		}
	}
	add := func(name string) {
		if admission.Governs(admission.Path{Repo: strings.TrimPrefix(path.Clean(name), "/")}) {
			g.governed = append(g.governed, name)
		}
	}
	isRoot := func(name string) bool { return path.IsAbs(name) && path.Clean(name) != "/" }
	rooted := slices.ContainsFunc(names, isRoot)
	for _, folder := range names {
		if path.IsAbs(folder) || !rooted {
			add(folder)
		}
		for _, name := range names {
			if isFolder := path.IsAbs(folder) || strings.HasPrefix(path.Base(folder), "."); isFolder && name != folder && !path.IsAbs(name) {
				add(folder + "/" + name)
			}
		}
	}
}

// value collects what an argument holds whose name says nothing.
func (g *gathering) value(value []byte, depth int) {
	if o, err := ReadObject(value); err == nil {
		g.object(o, depth)
		return
	}
	if g.seen++; depth > maxNested || g.seen > maxArguments {
		g.tooMuch = true
		return
	}
	for _, item := range Items(value) {
		g.value(item, depth+1)
	}
}

// commands collects command lines: a text, the words of a command, or several of either. Words may
// stand beside the name of a program.
func (g *gathering) commands(value []byte, key string, o Object, depth int) {
	if text := AsText(value); text != "" {
		line := text
		if words := asLine(member(o, []string{"args", "arguments"}), " "); words != "" && !strings.ContainsAny(text, " \n") {
			line = text + words
		}
		g.line(line)
		return
	}
	items := Items(value)
	several := strings.HasSuffix(key, "s")
	if texts := textsOf(value); len(texts) == len(items) && len(texts) > 0 {
		if several {
			g.lines = append(g.lines, texts...)
		}
		g.line(strings.TrimSpace(asLine(value, " "))) // it may be the words of one
		return
	}
	for _, item := range items {
		if texts := textsOf(item); len(texts) > 0 {
			g.commands(item, "command", nil, depth+1)
		} else {
			g.value(item, depth+1)
		}
	}
	if len(items) == 0 {
		g.value(value, depth)
	}
}

func (g *gathering) line(line string) {
	if line != "" {
		g.lines = append(g.lines, line)
	}
}

// files collects files: a text, several, or an object whose members are called as files are.
func (g *gathering) files(value []byte, loose bool, depth int) {
	if o, err := ReadObject(value); err == nil {
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if strings.ContainsAny(name, "./") {
				g.file(name)
			}
		}
		g.object(o, depth)
		return
	}
	for _, name := range textsOf(value) {
		if !loose || strings.ContainsAny(name, "./") {
			g.file(name)
		}
	}
	for _, item := range Items(value) {
		if AsText(item) == "" {
			g.value(item, depth+1)
		}
	}
}

func (g *gathering) file(name string) {
	if name = strings.TrimPrefix(name, "file://"); !strings.Contains(name, "://") && !slices.Contains(g.paths, name) {
		g.paths = append(g.paths, name)
	}
}

// runsForeign says that a call does what a command line does.
func (e *Event) runsForeign(line string, args Object) {
	e.Action, e.Command, e.Unsettled = admission.Shell, line, true
	if line == "" {
		e.Unread = "The call has no command as a text."
	}
	if dir := AsText(member(args, folderArguments)); dir != "" {
		if e.Cwd == "" || path.IsAbs(dir) {
			e.Cwd = dir
		} else {
			e.Cwd += "/" + dir
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
