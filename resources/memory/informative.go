package memory

import (
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// minNewWords is the minimum number of new words in a result that is worth a mem.
const minNewWords = 3

// verdicts lists words that only state completion.
var verdicts = strings.Fields(`all also and any are been below built can change changed changes check checked code commit committed
	complete completed correct correctly created done ends everything exit expected file files finished fixed for from green has
	have implemented into merged now once output passed passes passing pass ran run running runs see seen shown shows success
	successful successfully task test tested tests that the them these they this updated verified was were which will with work
	worked working works written yes`)

// isInformative reports whether the result of a task contains information beyond the task itself,
// its required evidence and its file names. "tests pass", or the title of the task, is not
// enough.
func isInformative(t *resources.Task, result *resources.TaskResult) bool {
	said := []string{t.Metadata.Name, t.Spec.Title, t.Spec.ExpectedOutput, result.TestsRun}
	for _, item := range t.Spec.Evidence {
		said = append(said, item.Command, item.File)
	}
	known := wordsOf(strings.Join(append(said, result.FilesModified...), " "))
	known = append(known, verdicts...)
	var news []string
	for _, field := range strings.Fields(result.Evidence) {
		if strings.ContainsAny(strings.Trim(field, "./"), "/\\") {
			continue // a path
		}
		for _, word := range wordsOf(field) {
			if !slices.Contains(known, word) && !slices.Contains(news, word) {
				news = append(news, word)
			}
		}
	}
	return len(news) >= minNewWords
}

// wordsOf returns the words of a text in lower case: at least three letters or digits, or a
// number. In scripts without spaces, each letter is a word.
func wordsOf(text string) []string {
	var spaced strings.Builder
	for _, r := range strings.ToLower(text) {
		if spaced.WriteRune(r); unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			spaced.WriteByte(' ')
		}
	}
	words := strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 && strings.Trim(w, "0123456789") != "" })
}
