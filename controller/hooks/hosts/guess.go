package hosts

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources/admission"
)

// argument is the name of an argument of a call.
type argument struct {
	name    string
	plain   string   // in lower case, without "_" and "-"
	words   []string // outputPath, output_path and outputpath alike
	last    string   // last of the words
	role    role
	loosely bool // the value is a path only if it looks like one
}

// readArgument parses the name of an argument.
func readArgument(name string) argument {
	a := argument{name: name, plain: plainKey(name), words: append(wordsIn(name), "")}
	a.words = a.words[:max(1, len(a.words)-1)]
	last := len(a.words) - 1
	for i := 1; i < len(a.words[last]); i++ {
		before, noun := a.words[last][:i], a.words[last][i:]
		_, isRole := pathRole(before)
		if splitNouns.has(noun) && (isRole || pathNouns.has(before) || wordSet(" path paths file files ").has(noun) && !noPaths.has(a.words[last])) {
			a.words = append(a.words[:last], before, noun)
			break
		}
	}
	if n := len(a.words); n > 1 && a.words[n-1] == "list" && pathNouns.has(a.words[n-2]) {
		a.words = a.words[:n-1]
	}
	isName := wordSet(" name names ").has(a.words[len(a.words)-1]) && len(a.words) > 1 && a.words[len(a.words)-2] == "file"
	if isName && len(a.words) > 2 {
		a.words = a.words[:len(a.words)-1]
	}
	a.last = a.words[len(a.words)-1]
	first, found := pathRole(a.words[0])
	switch n := len(a.words); {
	case n == 1 && looseNames.has(a.last):
		a.role, a.loosely = loose, true
	case n == 1 && found && wordSet(" output out destination dest dst target to link source src from root base local ").has(a.last), a.last == "cwd":
		a.role, a.loosely = cmp.Or(first, base), !sureNames.has(a.last)
	case n == 2 && wordSet(" to as root ").has(a.last):
		a.role = first
	case n == 2 && isName:
		a.role = inner
	case n > 2 && pathNouns.has(a.words[0]) && wordSet(" in to of ").has(a.words[1]): // fileInFocus
		a.role = plain
	case pathNouns.has(a.last) && !strings.Contains(name, "."):
		a.role = plain
		for _, w := range slices.Backward(a.words[:n-1]) {
			if r, found := pathRole(w); found {
				a.role = r
			}
		}
		if a.role == base && strings.HasPrefix(a.last, "file") {
			a.role = plain
		}
	}
	return a
}

// isCommand reports whether an argument is a command line.
func (a argument) isCommand() bool {
	if commandNouns.has(a.last) {
		return !policyWords.has(a.words[0])
	}
	return commandNouns.has(a.words[0]) && (lineNouns.has(a.last) || len(a.words) > 1 && a.words[1] == "to")
}

// isCode reports whether an argument is code.
func (a argument) isCode() bool {
	return codeNouns.has(a.last) || codeNouns.has(a.words[0]) && wordSet(" content text body string ").has(a.last)
}

// looksLikePath reports whether a text has a "/" or an extension, and no blanks.
func looksLikePath(text string) bool {
	ext := path.Ext(text)
	return text != "" && !strings.ContainsAny(text, " \n\t:@#") && (strings.Contains(text, "/") || len(ext) > 1 && len(ext) < 8 && unicode.IsLetter(rune(ext[1])))
}

// scope is the context of an object in the arguments of a call.
type scope struct {
	effect   effect
	role     role   // role of the argument that contains the object
	root     string // the folder of relative paths
	folder   string // the folder of names of files
	remote   bool   // the call is about an object of a service
	brings   bool   // the tool saves something from elsewhere
	sends    bool   // the tool copies files to elsewhere, or changes objects other than files
	filesIn  bool   // the tool is for files
	named    bool   // the object is in a list of files, so its name is one
	content  bool   // a content comes with the files
	dry      bool   // the call is a dry run
	hasPath  bool   // an object around names a path
	target   bool   // the object names a target
	language string // the interpreter of code, may be empty
}

// guessForeign derives the effect of an unknown tool from the words of its name and from the names of its
// arguments, including nested arguments.
func (e *Event) guessForeign(tool string, args Object) {
	if line, ok := gitLine(tool, args); ok {
		if e.Action = admission.Other; line != "" {
			e.foreignCommand(line, args)
		}
		return
	}
	all := wordsIn(tool)
	own := wordsIn(tool[strings.LastIndex(tool, "__")+1:])
	in := scope{}.doing(all[:len(all)-len(own)]).doing(own)
	if pythonWords.anyIn(all) {
		in.language = interpreter("python")
	}
	isForSQL := func(w string) bool {
		return strings.HasSuffix(w, "db") || strings.HasPrefix(w, "db") || strings.Contains(w, "sql")
	}
	g := argumentScan{
		cwd:        e.Cwd,
		isDatabase: slices.ContainsFunc(all, isForSQL) || databaseWords.anyIn(all),
		types:      terminalWords.anyIn(all),
		typesText:  wordSet(" type keys stuff ").anyIn(own),
		evaluates:  slices.Contains(own, "eval") || slices.Contains(own, "evaluate"),
		runs:       wordSet(" run exec execute spawn start launch eval evaluate ").anyIn(own),
	}
	if at := slices.IndexFunc(own, programWords.has); at >= 0 {
		g.line(programLine(own[at:], args))
	} else {
		g.object(args, 0, in)
	}
	for _, name := range g.governed {
		g.file(name, "")
	}
	e.Paths, e.UnknownTool = g.paths, len(g.paths) > 0
	switch {
	case g.exceedsLimit:
		e.Action, e.UnreadReason = admission.Write, "The call has more arguments, or more deeply nested ones, than are read."
	case len(g.lines) > 0:
		e.foreignCommand(strings.Join(g.lines, "\n"), args)
	case len(g.paths) > 0:
		e.Action = admission.Write
	default:
		e.Action = admission.Other
	}
}

// programLine returns the command of a tool that is named after a program and its subcommand, like kubectl_delete.
func programLine(name []string, args Object) string {
	const operands wordSet = " command subcommand resourcetype name args "
	line, options := name[0], ""
	for _, w := range name[1:] {
		if !wordSet(" generic command run exec execute cli ").has(w) {
			line += " " + w
		}
	}
	for _, key := range strings.Fields(string(operands)) {
		line += joinArgument(member(args, []string{key}), " ")
	}
	for _, key := range slices.Sorted(maps.Keys(args)) {
		option := " --" + strings.Join(wordsIn(key), "-")
		switch text := AsText(args[key]); {
		case operands.has(plainKey(key)), slices.Contains(folderArguments, plainKey(key)):
		case string(args[key]) == "true":
			options += option
		case text != "":
			options += option + "=" + quoteWord(text)
		}
	}
	return line + options
}

// Limits for reading the arguments of a call.
const (
	maxNested    = 24
	maxArguments = 4000
)

// argumentScan collects command lines and files in the arguments of a call.
type argumentScan struct {
	cwd        string
	isDatabase bool // the tool queries a database
	types      bool // the tool types into a terminal
	typesText  bool // the tool types somewhere
	evaluates  bool // the tool evaluates JavaScript
	runs       bool // the tool runs commands
	lines      []string
	paths      []string
	// governed lists texts that name a governed file, directly or joined to another argument, regardless of the
	// argument's name.
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

// readArguments returns the arguments of an object, sorted by name.
func readArguments(o Object) (all []argument) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		all = append(all, readArgument(name))
	}
	return all
}

// doing returns the scope with the effect that the words of a tool's or action's name tell.
func (in scope) doing(words []string) scope {
	if does, verb := effectOf(words); does != unclear {
		in.effect, in.brings, in.sends = does, brings.has(verb), does == uses && (sends.has(verb) || verbEffect(verb) >= changes)
	}
	in.filesIn = in.filesIn || fileWords.anyIn(words)
	return in
}

// within returns the scope of an object in a scope.
func (in scope) within(o Object, arguments []argument) scope {
	in.target = in.role == target
	isCall := slices.ContainsFunc(arguments, func(a argument) bool {
		return slices.Contains(wordsArguments, a.plain) || wordSet(" input payload with ").has(a.plain)
	})
	hasFile := slices.ContainsFunc(arguments, func(a argument) bool {
		return a.role == inner || a.role == plain && !folderNouns.has(a.last) || a.plain == "name"
	})
	for _, a := range arguments {
		value := o[a.name]
		text := strings.TrimPrefix(AsText(value), "file://")
		switch {
		case actionNames.has(a.plain) && !strings.Contains(text, " ") || isCall && wordSet(" name id use uses ").has(a.plain):
			in = in.doing(wordsIn(text))
			in.remote = in.remote || methods.has(text)
		case modeNames.has(a.plain) && (in.effect == unclear || in.effect == uses || verbEffect(text) >= changes):
			in = in.doing([]string{text})
		case string(value) == "true" || text == "true":
			in.dry = in.dry || dryNames.has(a.plain)
			if finalVerbs.has(a.plain) {
				in.effect = changes
			}
		case contents.has(a.plain) && strings.IndexAny(string(value), `"[{`) == 0:
			in.content = true
		case languageNames.has(a.plain):
			in.language = cmp.Or(interpreter(text), in.language)
		case remoteNames.has(a.plain), len(a.words) > 1 && idNouns.has(a.last) && !localNouns.has(a.words[len(a.words)-2]):
			in.remote = true
		case text == "" || a.loosely && !looksLikePath(text):
		case a.role == base || a.role == plain && folderNouns.has(a.last) && hasFile:
			if path.Ext(text) == "" {
				in.root, in.folder = text, text
			}
		default:
			in.target = in.target || a.role == result || a.role == target
			if a.role != noPath && a.role != source && path.Ext(text) == "" && !a.loosely {
				in.folder = text
			}
		}
	}
	return in
}

// isChanged reports whether the tool changes the path in an argument with a role.
func (in scope) isChanged(r role, loosely bool) bool {
	switch {
	case in.dry || r == noPath:
		return false
	case in.remote:
		return r == result || in.brings && r != source && r != base
	case r == result:
		return true
	case r == target:
		return in.effect >= changes || in.effect != reads && !loosely && !in.sends
	case r == source:
		return in.effect == moves || in.effect == changes && !in.target
	case r == loose:
		return in.effect >= changes && in.filesIn
	case r == base:
		return false
	}
	return in.effect >= changes || in.effect == unclear && in.content
}

// object collects the lines and files of the members of an object.
func (g *argumentScan) object(o Object, depth int, in scope) {
	if g.count += len(o); depth > maxNested || g.count > maxArguments {
		g.exceedsLimit = true
		return
	}
	arguments := readArguments(o)
	in = in.within(o, arguments)
	program := AsText(member(o, programArguments))
	if words := member(o, wordsArguments); program == "" && g.runs && Items(words) != nil {
		program = AsText(member(o, []string{"file"}))
	}
	if program != "" {
		g.line(strings.TrimSpace(joinArgument(Line(program), " ") + joinArgument(member(o, wordsArguments), " ")))
	}
	if in.effect != reads && !in.remote {
		g.governs(o)
	}
	hasPath := slices.ContainsFunc(arguments, func(a argument) bool { return a.role != noPath && a.role != loose })
	isPointer := o["op"] != nil && (in.hasPath || o["value"] != nil) // the path in a JSON patch
	for _, a := range arguments {
		inside, r, value := in, a.role, o[a.name]
		text := AsText(value)
		inside.role, inside.named, inside.hasPath = noPath, false, in.hasPath || hasPath
		switch {
		case r == plain && in.role != noPath:
			r = in.role
		case in.named && a.plain == "name":
			r, a.loosely = inner, false
		case r == base && in.content && path.Ext(text) != "":
			r = plain
		}
		isCode := (g.runs || in.effect <= uses && in.effect != reads) && (in.language != "" || a.plain != "source")
		switch {
		case program != "" && (slices.Contains(programArguments, a.plain) || a.plain == "file" || slices.Contains(wordsArguments, a.plain)):
		case actionNames.has(a.plain) && hasPath && verbEffect(text) != unclear && member(o, wordsArguments) == nil:
		case a.isCommand():
			g.commands(value, a.last, o, depth+1, inside)
		case lineArguments.has(a.plain) && strings.ContainsAny(text, " \n"), a.plain == "sendtext", a.plain == "sendkeys", g.types && keysNouns.has(a.last) && text != "",
			a.plain == "args" && in.language == interpreter("bash") && strings.Contains(text, " "), isTyped(text) && (keysNouns.has(a.last) && g.typesText || wordSet(" keys input stdin keystrokes ").has(a.last)):
			g.line(text)
		case g.runs && a.plain == "args" && len(textsOf(value)) > 1:
			g.line(strings.TrimSpace(joinArgument(value, " ")))
		case len(textsOf(value)) > 0 && sqlArguments.has(a.plain) && (a.plain == "sql" || g.isDatabase), g.isDatabase && a.plain == "script" && isSQL(text):
			for _, text := range textsOf(value) {
				g.line("psql -c " + quoteWord(text))
			}
		case a.plain == "script" && isCode && in.language == "" && !g.evaluates:
			g.commands(value, a.plain, o, depth+1, inside)
		case isCode && (a.isCode() || interpreter(a.plain) != "" && strings.ContainsAny(text, "(\n")):
			if language := cmp.Or(interpreter(a.words[0]), in.language); language != "" {
				g.code(value, language)
			} else {
				g.code(value, "node -e ")
				g.code(value, "python3 -c ")
			}
		case r == loose && hasPath && a.plain == "name", r == plain && isPointer && strings.IndexAny(text, "/$") == 0, descriptions.has(a.plain):
		case proseNames.has(a.plain) && text != "" && !isPatch(text):
		case r == noPath:
			if namesFile(a.name) && in.isChanged(plain, false) {
				g.file(a.name, in.root)
			}
			g.value(value, depth+1, inside)
		default:
			if inside.named = true; r != plain && r != loose {
				inside.role = r
			}
			if r == inner {
				inside.root = in.folder
			}
			g.files(value, in.isChanged(r, a.loosely), (a.loosely || len(a.words) == 1 && r != plain && in.effect < changes) && !in.filesIn, depth+1, inside)
		}
	}
}

// isSQL reports whether a text starts with a verb of SQL that changes something.
func isSQL(text string) bool {
	verb, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return wordSet(" drop delete truncate alter update insert ").has(strings.ToLower(verb))
}

// isTyped reports whether a text ends with the Enter key.
func isTyped(text string) bool { return strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\r") }

// code collects code as a command line of its interpreter, and the commands in the cells of a notebook.
func (g *argumentScan) code(value []byte, interpreter string) {
	g.line(joinArgument(value, interpreter))
	for line := range strings.Lines(AsText(value)) {
		if command, found := strings.CutPrefix(strings.TrimSpace(line), "!"); found && strings.HasPrefix(interpreter, "python") {
			g.line(command)
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
		if proseNames.has(plainKey(key)) {
			continue
		}
		if name := strings.TrimPrefix(AsText(o[key]), "file://"); name != "" && len(name) < maxName && !strings.ContainsAny(name, "\n*?\x00") && len(names) < maxNames {
			names = append(names, name)
		}
	}
	add := func(name string) {
		if admission.Governs(admission.Path{Repo: strings.TrimPrefix(path.Clean(name), "/")}) {
			g.governed = append(g.governed, name)
		}
	}
	isRoot := func(name string) bool { return path.IsAbs(name) && path.Clean(name) != "/" && path.Ext(name) == "" }
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
func (g *argumentScan) value(value []byte, depth int, in scope) {
	text := strings.TrimSpace(AsText(value))
	switch {
	case in.effect == reads && isPatch(text):
		return
	case strings.HasPrefix(text, patchBegin):
		g.lines = append(g.lines, "apply_patch "+quoteWord(text))
		return
	case isPatch(text):
		g.lines = append(g.lines, "git apply <<'END_OF_PATCH'\n"+text+"\nEND_OF_PATCH")
		return
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["): // JSON in a text
		value = []byte(text)
	}
	if o, err := ReadObject(value); err == nil {
		g.object(o, depth, in)
		return
	}
	if g.count++; depth > maxNested || g.count > maxArguments {
		g.exceedsLimit = true
		return
	}
	for _, item := range Items(value) {
		g.isGoverned(AsText(item), in)
		g.value(item, depth+1, in)
	}
}

// isPatch reports whether a text is a patch.
func isPatch(text string) bool {
	return strings.HasPrefix(text, patchBegin) || strings.HasPrefix(text, "--- ") && strings.Contains(text, "\n+++ ") || strings.HasPrefix(text, "diff --git ")
}

// isGoverned collects a text that names a governed file, unless the tool reads it.
func (g *argumentScan) isGoverned(text string, in scope) {
	if text != "" && in.effect != reads && !in.remote && admission.Governs(admission.Path{Repo: path.Clean(text)}) {
		g.governed = append(g.governed, text)
	}
}

// commands collects command lines from a text, the words of a command, or a
// list of either. Words may be in a separate argument next to the name of a
// program.
func (g *argumentScan) commands(value []byte, key string, o Object, depth int, in scope) {
	if text := AsText(value); text != "" {
		if args := member(o, []string{"args", "arguments"}); AsText(args) != "" {
			text += " " + AsText(args)
		} else if !strings.ContainsAny(text, " \n") {
			text += joinArgument(args, " ")
		}
		if g.isDatabase && isSQL(text) {
			text = "psql -c " + quoteWord(text)
		}
		g.line(text)
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
			g.commands(item, "command", nil, depth+1, in)
		} else {
			g.value(item, depth+1, in)
		}
	}
	if len(items) == 0 {
		g.value(value, depth, in)
	}
}

// line collects a command line, unless it is empty.
func (g *argumentScan) line(line string) {
	if line != "" {
		g.lines = append(g.lines, line)
	}
}

// files collects files from a text, a list, or an object with file names as keys. If the tool does not change them,
// only governed files and files of objects in the list are collected. loosely requires a text that looks like a path.
func (g *argumentScan) files(value []byte, changed, loosely bool, depth int, in scope) {
	if o, err := ReadObject(value); err == nil {
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if strings.ContainsAny(name, "./") {
				in.content = true // the value is the file's content
				if in.isChanged(plain, false) {
					g.file(name, in.root)
				}
			}
		}
		g.object(o, depth, in)
		return
	}
	for _, name := range textsOf(value) {
		g.isGoverned(name, in)
		isHere := in.remote && in.effect >= changes && g.cwd != "" && strings.HasPrefix(strings.TrimPrefix(name, "file://"), g.cwd+"/")
		if (changed || isHere) && (!loosely || looksLikePath(name)) {
			g.file(name, in.root)
		}
	}
	for _, item := range Items(value) {
		if AsText(item) == "" {
			g.value(item, depth+1, in)
		}
	}
}

// file collects the name of a file in a folder, once. It ignores URLs, except file URLs.
func (g *argumentScan) file(name, folder string) {
	name = strings.TrimPrefix(name, "file://")
	if folder != "" && !path.IsAbs(name) && !strings.HasPrefix(name, folder+"/") && name != folder {
		name = path.Join(folder, name)
	}
	if !strings.Contains(name, "://") && !slices.Contains(g.paths, name) {
		g.paths = append(g.paths, name)
	}
}
