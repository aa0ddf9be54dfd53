package hooks

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// delegationTag comes before the name of a delegation in the prompt of a subagent.
const delegationTag = "delegation/"

// maxTags is how many delegations a prompt may name.
const maxTags = 8

// tags returns the delegations that a text names, as delegation/NAME, in order,
// each once. What only looks like it (a path, a full stop behind the name) is not
// taken for a part of it.
func tags(text string) []string { return tagged(text, delegationTag) }

// taskTag comes before the name of a task in the prompt of a subagent.
const taskTag = "task/"

// tagged returns the names that stand behind a tag in a text.
func tagged(text, tag string) []string {
	var names []string
	for at := 0; len(names) < maxTags; {
		i := strings.Index(text[at:], tag)
		if i < 0 {
			return names
		}
		begin := at + i
		at = begin + len(tag)
		end := at
		for end < len(text) && nameByte(text[end]) {
			end++
		}
		name := strings.TrimRight(text[at:end], ".-")
		at = end
		if begin > 0 && (nameByte(text[begin-1]) || strings.IndexByte("/_", text[begin-1]) >= 0) {
			continue
		}
		if resources.CheckName(name) == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nameByte reports whether a byte may stand in a name.
func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '.' || b == '-'
}

// named lists the tasks and delegations that the prompt of a subagent names.
func named(text string) []resources.Key {
	var keys []resources.Key
	for _, name := range tags(text) {
		keys = append(keys, resources.Key{Kind: resources.Delegations, Name: name})
	}
	for _, name := range tagged(text, taskTag) {
		keys = append(keys, resources.Key{Kind: resources.Tasks, Name: name})
	}
	return keys
}
