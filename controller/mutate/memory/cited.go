package memory

import (
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// maxCited is how many mems one text confirms.
const maxCited = 20

// Cited returns the names of the mems that a text cites, as mem/NAME or mems/NAME, each
// once, in their order: somebody relied on them.
func Cited(text string) []string {
	var names []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;:()[]<>"'`+"`", r) }) {
		kind, name, found := strings.Cut(word, "/")
		name = strings.TrimRight(name, ".!?")
		if !found || kind != "mem" && kind != resources.Mems || resources.CheckName(name) != nil || slices.Contains(names, name) {
			continue
		}
		if names = append(names, name); len(names) == maxCited {
			break
		}
	}
	return names
}
