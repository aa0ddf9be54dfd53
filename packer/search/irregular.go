package search

import (
	_ "embed" // of irregular.txt
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// irregularWords are the English verbs whose forms differ by more than an ending, plurals of
// old or of Latin, and common words that are spelt in two ways: a base form a line, and its
// other forms. A form that is more often another word is left out: rose, bit, ground, wound,
// lay, leaves, lives, bases, media.
//
//go:embed irregular.txt
var irregularWords string

// baseForms has the base of each form. It is read when the first word is analysed.
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

// regular returns the base form of an irregular one, or one spelling of a word that has
// two; any other word as it is. The stemmer knows endings only, and would leave went and
// go apart, children and child, colour and color.
func regular(word string) string {
	if base, known := baseForms()[word]; known {
		return base
	}
	return word
}

// stem cuts the endings off a word of small ASCII letters and apostrophes within: Porter2, the
// English stemmer of the Snowball project.
func stem(word string) string { return english.Stem(strings.TrimPrefix(word, "'"), true) }
