package memory

import (
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// leastTelling is how many words of a result must say something new before it is worth a mem.
const leastTelling = 3

// verdicts are the words by which people and agents say that something is done, and nothing else.
var verdicts = strings.Fields(`all also and any are been below built can change changed changes check checked code commit committed
	complete completed correct correctly created done ends everything exit expected file files finished fixed for from green has
	have implemented into merged now once output passed passes passing pass ran run running runs see seen shown shows success
	successful successfully task test tested tests that the them these they this updated verified was were which will with work
	worked working works written yes`)

// telling reports whether what came out of a task says something that the task itself, what it asks
// to be shown and the names of its files do not: "tests pass" and its own title again are no knowledge.
func telling(t *resources.Task, result *resources.TaskResult) bool {
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
	return len(news) >= leastTelling
}

// wordsOf are the words of a text in lower case: letters and digits, three at least or a number. Of
// a script that writes no blanks each letter is one.
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
