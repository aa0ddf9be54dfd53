package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// applied are the changes that idumb makes from files (apply -f, create -f), if one of
// them holds what governs agents: such objects are not changed by naming them in a
// file either. Of what comes over a pipe, or is written by the same line, the line's
// own text is looked at.
func (r resolver) applied(commands []shell.Command) []admission.Change {
	var changes []admission.Change
	for _, c := range commands {
		if len(c.Words) == 0 || !shell.IsIdumb(c.Words[0]) {
			continue
		}
		files := filesOf(c.Words[1:])
		if len(files) == 0 || !slices.ContainsFunc(c.Words[1:], func(w string) bool { return slices.Contains(fileVerbs[:], w) }) {
			continue
		}
		kind := governingKind(textsOf(commands))
		for _, file := range files {
			if kind == "" && file != "-" {
				kind = r.kindIn(c.Dir, file)
			}
		}
		if kind != "" {
			changes = append(changes, admission.Change{
				Part: strings.Join(c.Words, " "), Why: "It is given a " + kind + ", and those are changed by people.",
			})
		}
	}
	return changes
}

// fileVerbs are the commands of idumb that change what a file names.
var fileVerbs = [...]string{"apply", "create", "delete", "patch", "label", "annotate", "archive", "restore"}

// filesOf are the values of -f.
func filesOf(words []string) []string {
	var files []string
	for i, w := range words {
		name, value, joined := strings.Cut(w, "=")
		switch {
		case (w == "-f" || w == "--filename") && i+1 < len(words):
			files = append(files, words[i+1])
		case name == "--filename" && joined:
			files = append(files, value)
		case strings.HasPrefix(w, "-f") && len(w) > 2:
			files = append(files, strings.TrimPrefix(w[2:], "="))
		}
	}
	return files
}

// textsOf are the texts that a line holds: here-documents, and words in quotes.
func textsOf(commands []shell.Command) string {
	var b strings.Builder
	for _, c := range commands {
		b.WriteString(c.Input + "\n")
		for _, w := range c.Args {
			b.WriteString(w.Text + "\n")
		}
	}
	return b.String()
}

// kindIn looks into a file, or into the files of a folder.
func (r resolver) kindIn(dir, file string) string {
	if filepath.IsAbs(dir) {
		r.cwd = dir
	} else if dir != "" {
		r.cwd += "/" + dir
	}
	found, looked := "", 0
	_ = filepath.WalkDir(r.abs(file), func(name string, e os.DirEntry, err error) error {
		if err != nil || found != "" || looked >= maxFolders {
			return filepath.SkipAll
		}
		if looked++; !e.Type().IsRegular() {
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > layout.MaxSpec {
			return nil // idumb does not take a longer one
		}
		data, _ := os.ReadFile(name)
		if found = governingKind(string(data)); found == "" {
			found = kindOfPlace(name, string(data))
		}
		return nil
	})
	return found
}

// closedKind reports whether no agent changes objects of a kind: what governs, and records
// of sessions.
func closedKind(kind *resources.Kind) bool { return kind.Local || admission.GoverningKind(kind) }

// governingKind finds an object of such a kind in a text in JSON or YAML: by a line, or
// a member, that says "kind". Its name in files is returned.
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

// kindOfPlace is the kind of an object whose file does not say it: that of its folder,
// or of its own name.
func kindOfPlace(name, text string) string {
	if strings.Contains(text, "kind") {
		return ""
	}
	file := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	for _, place := range [...]string{filepath.Base(filepath.Dir(name)), file} {
		if kind, known := resources.KindOf(place); known && closedKind(kind) && kind.Single == (place == file) {
			return kind.Name
		}
	}
	return ""
}
