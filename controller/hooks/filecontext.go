package hooks

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// A prompt that names files gets what is known of them: who has locked or written them and
// for what plan, what was decided about them, what went wrong there. Each is said once in a
// session, until the whole pack comes again.

// Limits of what is said at a prompt.
const (
	maxFilesNamed = 5
	maxPerFile    = 5
	maxTold       = 200 // lines that are remembered as said
)

// filesNamed lists files of the repository that a text names, each once, in their order: what
// looks like a path, and is there or was.
func filesNamed(text string, known func(string) bool) []string {
	var files []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()[]{}<>,;|", r) }) {
		file := asPath(word)
		if file != "" && !slices.Contains(files, file) && known(file) {
			if files = append(files, file); len(files) == maxFilesNamed {
				break
			}
		}
	}
	return files
}

// asPath is a word as a path from the repository's root, "" if it is none: "@src/a.go",
// "./src/a.go:12", "a.go.".
func asPath(word string) string {
	word = strings.TrimLeft(word, "@")
	word = strings.TrimRight(word, ".:!?*_")
	if file, line, cut := strings.Cut(word, ":"); cut && strings.Trim(line, "0123456789:-") == "" {
		word = file
	}
	if len(word) > 300 || !strings.ContainsAny(word, "/.") || strings.Contains(word, "://") {
		return ""
	}
	word = path.Clean(filepath.ToSlash(word))
	if !filepath.IsLocal(filepath.FromSlash(word)) || word == "." || word == ".idumb" || strings.HasPrefix(word, ".idumb/") {
		return ""
	}
	return word
}

// fileContext is what is to be said of the files that the prompt names.
func (h *handler) fileContext() string {
	if !h.repo.trusted() || h.event.Text == "" {
		return ""
	}
	files := filesNamed(h.event.Text, func(file string) bool { return exists(h.repo.Abs(file)) })
	if len(files) == 0 {
		return ""
	}
	told := h.readMemo().Told
	var text strings.Builder
	for _, file := range files {
		about := slices.DeleteFunc(h.repo.contexts.About(file), func(line string) bool { return slices.Contains(told, idOf(file, line)) })
		if len(about) == 0 {
			continue
		}
		about = about[:min(len(about), maxPerFile)]
		text.WriteString("FILE " + admission.Plain(file) + ":\n")
		for _, line := range about {
			text.WriteString("- " + admission.Plain(line) + "\n")
			told = append(told, idOf(file, line))
		}
	}
	if text.Len() == 0 || characters(text.String()) > h.limit {
		return ""
	}
	told = told[max(0, len(told)-maxTold):]
	h.updateMemo(func(m *memo) { m.Told = told })
	return text.String()
}
