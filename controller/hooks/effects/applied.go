package effects

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Applied is the effect of the commands of idumb that read files (apply -f,
// create -f).
type Applied struct {
	Changes []admission.Change // changes of objects that govern agents, or that may govern agents
	Amounts []command.Run      // commands that do the same to single objects
}

// Applied reads the files that commands of idumb are given. A file may not
// change objects that govern agents, and a file that cannot be read is treated
// the same. For every other object, Applied returns the commands that have the
// same effect.
func (r Resolver) Applied(commands []command.Run) Applied {
	var a Applied
	for i, c := range commands {
		if len(c.Words) == 0 || !command.IsIdumb(c.Words[0]) {
			continue
		}
		if inUnknownDirectory(c) {
			a.Changes = append(a.Changes, admission.Change{
				Part: c.Part, Why: "It is judged by the plans of its working directory, which cannot be determined before it runs.",
				Instead: "Run it with the directory spelled out: `idumb -C DIR ...`.",
			})
		}
		if admission.DecidesBy(c.Words) && r.inOtherRepository(c) {
			a.Changes = append(a.Changes, admission.Change{
				Part: strings.Join(c.Words, " "), Why: "It decides about a decision of another repository: agents propose there, and a user decides.",
			})
		}
		verb := verbOf(c.Words[1:])
		if verb == "" {
			continue
		}
		if verb == "patch" {
			a.patch(r.atCommand(c), c)
		}
		// One option may have several values, separated by commas.
		var files []string
		for _, w := range admission.WordsOf(c.Words[1:]) {
			if slices.Contains(fileFlags[:], w.Flag) && w.Value != "" {
				files = append(files, strings.Split(w.Value, ",")...)
			}
		}
		if !c.Complete && (verb == "apply" || len(files) > 0 || slices.Contains(fileFlags[:], c.Words[len(c.Words)-1])) {
			a.unsure(c, "a file name is unknown before it runs")
			continue
		}
		if len(files) == 0 {
			continue
		}
		if kind := governingKind(textsOf(commands)); kind != "" {
			a.governs(c, kind)
			continue
		}
		if program := firstWriter(commands[:i]); program != "" {
			a.unsure(c, program+" runs before it on the same line, and may write its input")
			continue
		}
		for _, file := range files {
			a.addFile(r, verb, file, commands[:i], c)
		}
	}
	return a
}

// readOnlyPrograms lists programs that write a file only with a redirection, which is
// detected separately.
var readOnlyPrograms = [...]string{"cd", "pushd", "popd", "ls", "pwd", "cat", "echo", "printf", "head", "tail", "grep", "jq", "wc", "mkdir", "test", "[", "true", ":", "set", "export", "sleep", "date", "which", "command", "rm"}

// firstWriter returns the first command that may write an unknown file, or an empty
// text. For a command in front in a pipe, the output is examined separately.
func firstWriter(before []command.Run) string {
	for _, c := range before {
		if len(c.Words) == 0 {
			return "an unknown command"
		}
		name := c.Words[0]
		if name == "git" && len(c.Words) > 1 && slices.Contains([]string{"status", "diff", "log", "add", "commit", "show"}, c.Words[1]) {
			continue
		}
		if !slices.Contains(readOnlyPrograms[:], name) && !command.IsIdumb(name) {
			return filepath.Base(name)
		}
	}
	return ""
}

// addFile adds the effect of one file of a command. before holds the preceding
// commands of the line.
func (a *Applied) addFile(r Resolver, verb, file string, before []command.Run, c command.Run) {
	r = r.atCommand(c)
	objects, why := r.objectsIn(file, recursive(c.Words), before, c)
	for _, o := range objects {
		if closedKind(o.kind) {
			a.governs(c, o.kind.Name)
			return
		}
		a.Amounts = append(a.Amounts, r.equivalentCommands(verb, o)...)
	}
	if why != "" {
		a.unsure(c, why)
	}
}

// patch adds the state changes of plans and tasks that a patch makes. It
// examines the content of the patch, because the verb does not show the change.
func (a *Applied) patch(r Resolver, c command.Run) {
	var rest []string // the words without the patch
	text, told := "", c.Complete
	for _, w := range admission.WordsOf(c.Words[1:]) {
		switch w.Flag {
		case "-p", "--patch":
			text = w.Value
		case "--patch-file":
			data, there := readBounded(r.Abs(w.Value))
			text, told = string(data), told && there
		case "--type":
		case "":
			rest = append(rest, w.Value)
		default:
			rest = append(rest, strings.TrimSuffix(w.Flag+"="+w.Value, "="))
		}
	}
	for _, row := range stateVerbs {
		if !slices.Contains(rest, "patch") {
			return
		}
		if !told && row.verb == "complete" || containsWord(text, row.state) || row.verb == "complete" && containsWord(text, "met") {
			i := slices.Index(rest, "patch")
			step := append([]string{"idumb", row.verb}, slices.Delete(slices.Clone(rest), i, i+1)...)
			if !slices.ContainsFunc(a.Amounts, func(r command.Run) bool { return slices.Equal(r.Words, step) }) {
				a.Amounts = append(a.Amounts, command.RunOf(step...))
			}
		}
	}
}

// containsWord reports whether a patch in JSON or YAML may contain a word as a key,
// a value, or the last element of a JSON pointer.
func containsWord(text, word string) bool {
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		plain, _ := json.Marshal(value) // letters are not escaped
		return strings.Contains(string(plain), `"`+word+`"`) || strings.Contains(string(plain), "/"+word)
	}
	return strings.Contains(text, word) || strings.Contains(text, `\`)
}

// governs records that the input of a command contains an object of a kind that only users change.
func (a *Applied) governs(c command.Run, kind string) {
	a.Changes = append(a.Changes, admission.Change{
		Part: strings.Join(c.Words, " "), Why: "Its input contains a " + kind + ", which only users change.",
	})
}

// unsure records that the kinds of objects in the input of a command are unknown, and why.
func (a *Applied) unsure(c command.Run, why string) {
	a.Changes = append(a.Changes, admission.Change{
		Part: strings.Join(c.Words, " "), Why: "The kinds of objects in its input are unknown: " + why + ".",
		Instead: "Write the objects into a file in a separate call, as JSON or plain YAML with each kind spelt out, then run `idumb apply -f FILE`.",
	})
}

// atCommand returns the resolver for the directory of a command, including its option
// -C.
func (r Resolver) atCommand(c command.Run) Resolver {
	move := func(dir string) {
		if filepath.IsAbs(dir) {
			r.Cwd = dir
		} else if dir != "" {
			r.Cwd += "/" + dir
		}
	}
	move(c.Dir)
	dir := ""
	for _, w := range admission.WordsOf(c.Words[1:]) {
		if w.Flag == "-C" || w.Flag == "--directory" {
			dir = w.Value // the last option applies
		}
	}
	move(dir)
	return r
}

// inUnknownDirectory reports whether a command of idumb that writes runs in an unknown
// directory.
func inUnknownDirectory(c command.Run) bool {
	words, known := make([]string, 0, len(c.Args)), !c.DirUnknown
	for i, w := range c.Args {
		text := w.Text
		option := ""
		if i > 0 {
			option = c.Args[i-1].Text
		}
		switch {
		case w.Literal && (option == "-C" || option == "--directory") && filepath.IsAbs(text):
			known = true
		case w.Literal:
		case option == "-C" || option == "--directory" || strings.HasPrefix(text, "-C") || strings.HasPrefix(text, "--directory="):
			known = false
		}
		if text == "" {
			text = "?"
		}
		words = append(words, text)
	}
	return !known && !admission.OnlyReads(words)
}

// OutsideDirectories returns the directories outside the session's repository in which
// commands of idumb run.
func (r Resolver) OutsideDirectories(commands []command.Run) (dirs []string) {
	for _, c := range commands {
		if len(c.Words) > 0 && command.IsIdumb(c.Words[0]) && r.inOtherRepository(c) {
			dirs = append(dirs, r.atCommand(c).Cwd)
		}
	}
	return dirs
}

// inOtherRepository reports whether a command of idumb runs outside the session's
// repository.
func (r Resolver) inOtherRepository(c command.Run) bool {
	at, err := r.atCommand(c).Resolve(".")
	return err != nil || at.Repo == "" && at.Tree == ""
}

// recursive reports whether words contain --recursive or -R, also among other short options.
func recursive(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return w == "--recursive" || w == "--recursive=true" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "R")
	})
}

// objectsIn returns the objects in a file that is given to a command, or why
// they cannot be determined. It returns none for the standard input if the line
// does not set it.
func (r Resolver) objectsIn(file string, recursive bool, before []command.Run, c command.Run) ([]object, string) {
	switch content, byLine := c.Contents[file]; {
	case byLine && content.Known:
		return sureOf(content.Text, "")
	case byLine && file == "-" && content.One && len(before) > 0:
		return r.readCat(before[len(before)-1])
	case byLine:
		return nil, "the line does not show the content that it writes there"
	case file == "-" || strings.ContainsAny(file, "\"'"):
		return nil, ""
	}
	return r.objectsAt(file, recursive)
}

// readCat reads the files that a command outputs unchanged.
func (r Resolver) readCat(c command.Run) (all []object, why string) {
	if len(c.Words) < 2 || c.Words[0] != "cat" || !c.Complete {
		return nil, "it comes from another program"
	}
	r = r.atCommand(command.Run{Dir: c.Dir})
	for _, file := range c.Words[1:] {
		if strings.HasPrefix(file, "-") {
			return all, "it comes from another program"
		}
		more, unsure := r.objectsAt(file, false)
		if all = append(all, more...); unsure != "" {
			return all, unsure
		}
	}
	return all, ""
}

// maxApplied limits the number of files that are read in a folder.
const maxApplied = 256

// objectsAt returns the objects in a file, or in the JSON and YAML files of a
// folder, including its subfolders if recursive is true. A missing file has no
// objects. why is the reason why objects may be missing from the result, or "".
func (r Resolver) objectsAt(file string, recursive bool) (all []object, why string) {
	at := r.Abs(file)
	info, err := os.Stat(at)
	if err != nil {
		return nil, ""
	}
	if !info.IsDir() {
		return objectsOf(at, info)
	}
	looked := 0
	_ = filepath.WalkDir(at+"/", func(name string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case e.IsDir():
			if looked++; looked > maxApplied || !recursive && filepath.Clean(name) != filepath.Clean(at) {
				return fs.SkipDir
			}
			return nil
		case !slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(name))):
			return nil
		}
		if looked++; looked > maxApplied {
			return fs.SkipAll
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil
		}
		more, unsure := objectsOf(name, info)
		if all = append(all, more...); unsure != "" {
			why = unsure
		}
		return nil
	})
	if looked > maxApplied {
		why = fmt.Sprintf("the directory contains more than %d files", maxApplied)
	}
	return all, why
}

// objectsOf reads one file. Only a regular file is opened, because reading
// another file may block forever.
func objectsOf(name string, info fs.FileInfo) ([]object, string) {
	switch {
	case !info.Mode().IsRegular():
		return nil, filepath.Base(name) + " is no regular file"
	case info.Size() > layout.MaxSpec:
		return nil, filepath.Base(name) + " is too long to be looked at"
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, ""
	}
	return sureOf(string(data), name)
}

// sureOf returns the objects in a text, and why they may be incomplete. It returns "" if they are
// certain.
func sureOf(text, place string) ([]object, string) {
	objects, sure := givenIn([]byte(text), place)
	if !sure {
		return objects, "its kinds are not spelt out plainly"
	}
	return objects, ""
}

// verbOf returns the first word that is one of fileVerbs, or an empty text.
func verbOf(words []string) string {
	for _, w := range words {
		if slices.Contains(fileVerbs[:], w) {
			return w
		}
	}
	return ""
}

// fileFlags lists the options that are followed by a file name.
var fileFlags = [...]string{"-f", "--filename"}

// fileVerbs lists the commands of idumb that change the objects in a file.
var fileVerbs = [...]string{"apply", "create", "replace", "delete", "patch", "label", "annotate", "archive", "restore"}

// textsOf returns the text in a line: here-documents, and quoted words.
func textsOf(commands []command.Run) string {
	var b strings.Builder
	for _, c := range commands {
		for _, w := range c.Args {
			b.WriteString(w.Text + "\n")
		}
	}
	return b.String()
}

// closedKind reports whether agents may not change objects of a kind. These are
// the governing kinds and the records of sessions.
func closedKind(kind *resources.Kind) bool { return kind.Local || admission.GoverningKind(kind) }

// governingKind searches a text in JSON or YAML for an object of a closed kind,
// by a line or a member with the key "kind". It returns the name of the kind as
// used in files, or "".
func governingKind(text string) string {
	for rest, found := text, true; ; {
		if _, rest, found = strings.Cut(rest, "kind"); !found {
			return ""
		}
		value, colon := strings.CutPrefix(strings.TrimLeft(rest, `"'\ `+"\t"), ":")
		if !colon {
			continue
		}
		value = strings.TrimLeft(value, `"'\ `+"\t\r\n")
		end := strings.IndexFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
		if end < 0 {
			end = len(value)
		}
		if kind, known := resources.LookupKind(value[:end]); known && closedKind(kind) {
			return kind.Name
		}
	}
}
