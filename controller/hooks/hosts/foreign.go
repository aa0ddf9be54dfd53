package hosts

import (
	_ "embed"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

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

// Common names of the arguments of unknown tools, in lower case, without "_"
// and "-".
var (
	commandArguments = []string{"command", "cmd", "commands", "cmds", "shellcommand", "commandline", "cmdline", "script", "argv"}
	lineArguments    = []string{"shell", "bash", "sh", "run", "exec", "execute"} // a command line if it is more than one word
	programArguments = []string{"executable", "program", "binary", "exe"}
	wordsArguments   = []string{"args", "arguments", "argv", "params", "parameters"}
	codeArguments    = []string{"code", "function", "expression"}
	sqlArguments     = []string{"sql", "statement", "query"}
	pathArguments    = []string{
		"path", "paths", "file", "files", "filepath", "filepaths", "filename", "filenames", "relativepath", "absolutepath", "localpath", "pathinproject", "notebookpath",
		"source", "destination", "dest", "target", "targetpath", "directory", "dir", "folder", "uri", "outputpath", "outputfile", "outfile", "outdir", "outputdir", "output", "out",
		"newpath", "oldpath", "topath", "frompath", "savepath", "saveto", "downloadpath", "src", "dst", "link", "linkpath",
	}
	// resultArguments name local files also in a call with an address.
	resultArguments = []string{"outputpath", "outputfile", "outfile", "outdir", "outputdir", "savepath", "saveto", "downloadpath", "localpath", "destination", "dest"}
	keysArguments   = []string{"keys", "input", "stdin", "data", "text"} // typed into a terminal
	databaseWords   = []string{"sql", "db", "database", "postgres", "mysql", "sqlite"}
	pythonWords     = []string{"python", "python3", "py", "ipython", "jupyter", "notebook"}
	terminalWords   = []string{"terminal", "term", "tmux", "pty", "console", "shell", "process", "repl"}
	looseArguments  = []string{"output", "out", "target", "source", "src", "dst"} // often not a file
	folderArguments = []string{"cwd", "workdir", "workingdirectory", "directory"}
	readingVerbs    = []string{"read", "get", "list", "search", "find", "show", "view", "describe", "query", "fetch", "browse", "explain", "grep", "glob", "ls", "lsp", "diagnostics", "hover", "references", "definition", "symbols", "usages", "lookup", "check", "lint", "validate", "verify", "test", "tests", "analyze", "inspect", "count", "stat", "status", "diff", "log", "blame", "text", "summary", "summarize", "outline", "scan", "completion", "typecheck", "coverage", "metadata", "preview", "info", "exists", "parse", "callers", "callees", "tree", "head", "tail", "signature", "history", "issues"}
	writingVerbs    = []string{"write", "fix", "edit", "update", "delete", "remove", "create", "save", "apply", "replace", "rename", "move", "copy", "insert", "append", "patch", "set", "export", "download"}
)

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

// guessForeign derives the effect of an unknown tool from the names of its
// arguments, including nested arguments.
func (e *Event) guessForeign(tool string, args Object) {
	if line, ok := gitLine(tool, args); ok {
		if e.Action = admission.Other; line != "" {
			e.foreignCommand(line, args)
		}
		return
	}
	name := tool[strings.LastIndex(tool, "__")+1:]
	asks := slices.ContainsFunc([]string{"sql", "query", "db", "database", "execute"}, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
	reads := (hasAnyWord(name, readingVerbs) || hasAnyWord(tool, []string{"search"})) && !hasAnyWord(tool, writingVerbs)
	g := argumentScan{isDatabase: asks || hasAnyWord(tool, databaseWords), types: hasAnyWord(tool, terminalWords), isPython: hasAnyWord(tool, pythonWords)}
	g.object(args, 0)
	switch {
	case g.exceedsLimit:
		e.Action, e.UnreadReason = admission.Write, "The arguments of the call are nested deeper than are read."
	case len(g.lines) > 0:
		e.foreignCommand(strings.Join(g.lines, "\n"), args)
	case !reads && len(g.paths)+len(g.governed) > 0:
		for _, name := range g.governed {
			g.file(name)
		}
		e.Action, e.Paths, e.UnknownTool = admission.Write, g.paths, true
	default:
		e.Action = admission.Other
	}
}

// hasAnyWord reports whether one of the words of a name is in a list.
func hasAnyWord(name string, list []string) bool {
	return slices.ContainsFunc(wordsIn(name), func(w string) bool { return slices.Contains(list, w) })
}

// wordsIn returns the words of a name like list_files or ListFiles, in lower
// case.
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

// Limits for reading the arguments of a call.
const (
	maxNested    = 24
	maxArguments = 4000
)

// argumentScan collects command lines and files in the arguments of a call.
type argumentScan struct {
	isDatabase bool // the tool queries a database
	types      bool // the tool types into a terminal
	isPython   bool // code is in Python
	lines      []string
	paths      []string
	// governed lists texts that name a governed file, directly or joined to
	// another argument, regardless of the argument's name.
	governed     []string
	count        int
	exceedsLimit bool
}

// plainKey returns the name of an argument in lower case, without "_" and "-".
func plainKey(key string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key))
}

// member returns the first argument with one of the names, or nil.
func member(o Object, keys []string) []byte {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if slices.Contains(keys, plainKey(name)) {
			return o[name]
		}
	}
	return nil
}

// object collects the lines and files of the members of an object.
func (g *argumentScan) object(o Object, depth int) {
	if g.count += len(o); depth > maxNested || g.count > maxArguments {
		g.exceedsLimit = true
		return
	}
	g.isPython = g.isPython || hasAnyWord(AsText(member(o, []string{"language", "lang", "runtime", "kernel"})), pythonWords)
	program := AsText(member(o, programArguments))
	if program != "" {
		g.lines = append(g.lines, strings.TrimSpace(joinArgument(Line(program), " ")+joinArgument(member(o, wordsArguments), " ")))
	}
	isRequest := member(o, []string{"method", "url", "host", "endpoint"}) != nil
	if !isRequest {
		g.governs(o)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		value, key := o[name], plainKey(name)
		switch {
		case program != "" && (slices.Contains(programArguments, key) || slices.Contains(wordsArguments, key)):
		case g.isDatabase && key == "script":
			g.line(joinArgument(value, "psql -c "))
		case slices.Contains(commandArguments, key):
			g.commands(value, key, o, depth+1)
		case slices.Contains(lineArguments, key) && strings.ContainsAny(AsText(value), " \n"):
			g.line(AsText(value))
		case g.types && slices.Contains(keysArguments, key) && AsText(value) != "":
			g.line(AsText(value))
		case g.isPython && (key == "source" || slices.Contains(codeArguments, key)):
			g.line(joinArgument(value, "python3 -c "))
			for line := range strings.Lines(AsText(value)) { // commands of notebooks
				if command, found := strings.CutPrefix(strings.TrimSpace(line), "!"); found {
					g.line(command)
				}
			}
		case slices.Contains(codeArguments, key):
			g.line(joinArgument(value, "node -e "))
		case slices.Contains(sqlArguments, key) && (key == "sql" || g.isDatabase):
			g.line(joinArgument(value, "psql -c "))
		case slices.Contains(pathArguments, key) && (!isRequest || slices.Contains(resultArguments, key)):
			g.files(value, slices.Contains(looseArguments, key) && depth > 0, depth+1)
		default:
			if namesFile(name) && !isRequest {
				g.file(name)
			}
			g.value(value, depth+1)
		}
	}
}

// namesFile reports whether the name of an argument is the path of a file: {"src/a.go": "text"}.
func namesFile(key string) bool {
	ext := path.Ext(key)
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Contains(key, "/") && len(ext) > 1 && len(ext) < 8 && !strings.ContainsFunc(ext[1:], isOther)
}

// maxName is the maximum length of a file name, in bytes. maxNames is the
// maximum number of names that are joined with each other.
const (
	maxName  = 400
	maxNames = 24
)

// governs collects the governed files that texts of an object name. It checks
// each text, and each pair as a folder and a path below it.
func (g *argumentScan) governs(o Object) {
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

// value collects the lines and files of an argument with an unknown name.
func (g *argumentScan) value(value []byte, depth int) {
	text := strings.TrimSpace(AsText(value))
	switch {
	case strings.HasPrefix(text, patchBegin):
		g.lines = append(g.lines, "apply_patch "+quoteWord(text))
		return
	case strings.HasPrefix(text, "--- ") && strings.Contains(text, "\n+++ "), strings.HasPrefix(text, "diff --git "):
		g.lines = append(g.lines, "git apply <<'END_OF_PATCH'\n"+text+"\nEND_OF_PATCH")
		return
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["): // JSON in a text
		value = []byte(text)
	}
	if o, err := ReadObject(value); err == nil {
		g.object(o, depth)
		return
	}
	if g.count++; depth > maxNested || g.count > maxArguments {
		g.exceedsLimit = true
		return
	}
	for _, item := range Items(value) {
		if text := AsText(item); text != "" && admission.Governs(admission.Path{Repo: path.Clean(text)}) {
			g.governed = append(g.governed, text)
		}
		g.value(item, depth+1)
	}
}

// commands collects command lines from a text, the words of a command, or a
// list of either. Words may be in a separate argument next to the name of a
// program.
func (g *argumentScan) commands(value []byte, key string, o Object, depth int) {
	if text := AsText(value); text != "" {
		line := text
		if words := joinArgument(member(o, []string{"args", "arguments"}), " "); words != "" && !strings.ContainsAny(text, " \n") {
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
		g.line(strings.TrimSpace(joinArgument(value, " "))) // the items may be the words of one command
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

// line collects a command line, unless it is empty.
func (g *argumentScan) line(line string) {
	if line != "" {
		g.lines = append(g.lines, line)
	}
}

// files collects files from a text, a list, or an object with file names as
// keys.
func (g *argumentScan) files(value []byte, loose bool, depth int) {
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

// file collects the name of a file, once. It ignores URLs, except file URLs.
func (g *argumentScan) file(name string) {
	if name = strings.TrimPrefix(name, "file://"); !strings.Contains(name, "://") && !slices.Contains(g.paths, name) {
		g.paths = append(g.paths, name)
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
