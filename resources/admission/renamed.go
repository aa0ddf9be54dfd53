package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// A Rename is a renamed idumb command. The old name works for two more releases.
type Rename struct{ Old, New string }

// renames lists the renamed commands in order. The first match applies.
var renames = [...]Rename{
	{"accept", "delegation accept"},
	{"recall", "delegation revoke"},
	{"branch", "split"},
	{"validate", "confirm"},
	{"mem confirm", "confirm mem"},
	{"artifact confirm", "confirm artifact"},
	{"mem supersede", "supersede mem"},
	{"artifact supersede", "supersede artifact"},
	{"decide supersede", "supersede decision"},
	{"mem recall", "mem search"},
	{"mem review", "review mems,anchors"},
	{"mem stale", "review mems --stale"},
	{"artifact review", "review artifacts"},
	{"events", "get events"},
	{"violations", "get violations"},
	{"session list", "get sessions"},
	{"sync claims", "get claims"},
	{"shell check", "auth check-command"},
	{"shell rules", "get shellrules"},
	{"untrust", "trust --revoke"},
	{"kubeconfig", "controller kubeconfig"},
	{"top sessions", "top"},
	{"top session", "top"},
}

// Renames returns the renamed idumb commands.
func Renames() []Rename { return slices.Clone(renames[:]) }

// Renamed returns the words after "idumb" with the current name of the command. A review of
// tasks becomes submit, and "decide list" lists decisions.
func Renamed(words []string) []string {
	var at []int
	for _, w := range WordsOf(words) {
		if w.Flag == "" {
			at = append(at, w.At)
		}
	}
	if len(at) == 0 {
		return words
	}
	for _, r := range renames {
		old := strings.Fields(r.Old)
		if len(at) >= len(old) && slices.EqualFunc(at[:len(old)], old, func(i int, word string) bool { return words[i] == word }) {
			return replace(words, at[:len(old)], r.New)
		}
	}
	switch verb := words[at[0]]; {
	case verb == "review" && len(at) > 1 && !(len(at) == 2 && areKinds(words[at[1]])):
		return replace(words, at[:1], "submit")
	case verb == decideVerb && len(at) == 2 && words[at[1]] == "list":
		return replace(words, at, "get decisions")
	}
	return words
}

func areKinds(word string) bool {
	for kind := range strings.SplitSeq(word, ",") {
		if _, known := resources.LookupKind(kind); !known {
			return false
		}
	}
	return true
}

// replace replaces the words at some indexes by other words, at the first index.
func replace(words []string, places []int, by string) []string {
	var replaced []string
	for i, word := range words {
		if i == places[0] {
			replaced = append(replaced, strings.Fields(by)...)
		}
		if !slices.Contains(places, i) {
			replaced = append(replaced, word)
		}
	}
	return replaced
}
