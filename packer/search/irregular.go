package search

import (
	_ "embed" // for irregular.txt
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// irregularWords lists irregular English verbs, irregular and Latin plurals, and common words with two
// spellings: on each line a base form and its other forms. A form that is more often another word is
// left out: rose, bit, ground, wound, lay, leaves, lives, bases, media.
//
//go:embed irregular.txt
var irregularWords string

// baseForms maps each irregular form to its base. The table is read when the first word is
// analyzed.
var baseForms = sync.OnceValue(func() map[string]string {
	bases := map[string]string{}
	for line := range strings.Lines(irregularWords) {
		base, forms, _ := strings.Cut(line, ":")
		for _, form := range strings.Fields(forms) {
			bases[form] = base
		}
	}
	return bases
})

// baseForm returns the base of an irregular form, or the main spelling of a word with two;
// other words are returned unchanged. The stemmer handles endings only and would not unite
// went and go, children and child, colour and color.
func baseForm(word string) string {
	if base, known := baseForms()[word]; known {
		return base
	}
	return word
}

// stem removes the endings of a word of ASCII letters and inner apostrophes with Porter2, the
// English stemmer of the Snowball project.
func stem(word string) string { return english.Stem(strings.TrimPrefix(word, "'"), true) }
