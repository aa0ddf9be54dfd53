package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
)

// Limits of conflict notices: the number of conflicts that are read, and that
// are named.
const (
	maxConflicts   = 100
	conflictsNamed = 3
)

// ofIncoming is the suffix of the names of conflict marks for remote objects
// that were not accepted. These marks contain no local data.
const ofIncoming = ".in.json"

// withConflicts adds new conflicts between local and remote changes to the
// answer to a prompt, once for each conflict. If objects are not shared, the
// folder of marks does not exist and no other file is read.
func (h *handler) withConflicts(a hosts.Answer) hosts.Answer {
	marks := slices.DeleteFunc(h.repo.Root.SyncConflicts(), func(name string) bool { return strings.HasSuffix(name, ofIncoming) })
	marks = marks[:min(len(marks), maxConflicts)]
	if len(marks) == 0 || !h.canDeliver() {
		return a
	}
	told := h.readState().Conflicts
	line := conflictLine(slices.DeleteFunc(slices.Clone(marks), func(name string) bool { return slices.Contains(told, name) }))
	if line == "" || characters(a.Context)+characters(line)+1 > h.limit {
		return a
	}
	h.updateState(func(m *sessionState) { m.Conflicts = marks })
	h.logDelivery(line)
	if h.passing() {
		h.saveTurnText(h.readState().TurnContext + line)
		return a
	}
	a.Context = inLines(a.Context, line)
	return a
}

// conflictLine names the objects of some marks, given the names of the mark
// files. It is empty if there are no marks.
func conflictLine(marks []string) string {
	var names []string
	for _, key := range conflictKeys(marks) {
		kind, _ := resources.KindOf(key.Kind)
		names = append(names, kind.Singular+"/"+key.Name)
	}
	if len(names) == 0 {
		return ""
	}
	all := strings.Join(names[:min(len(names), conflictsNamed)], ", ")
	if more := len(names) - conflictsNamed; more > 0 {
		all += fmt.Sprintf(" and %d more", more)
	}
	return "iDumb: changes made here conflict with changes of the team: " + all +
		". The team's version is in effect; the local version is kept. Run `idumb sync conflicts` and tell the user, because only a user can resolve the conflict.\n"
}

// conflictKeys returns the objects of some marks without duplicates, given the
// names of the mark files.
func conflictKeys(marks []string) (keys []resources.Key) {
	for _, mark := range marks {
		plural, name, _ := strings.Cut(strings.TrimSuffix(mark, ofIncoming), "--")
		if !strings.HasSuffix(mark, ofIncoming) {
			name = name[:max(0, strings.LastIndex(strings.TrimSuffix(name, ".json"), "."))] // the suffix is a hash
		}
		key := resources.Key{Kind: plural, Name: name}
		if _, known := resources.KindOf(plural); known && resources.CheckName(name) == nil && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Conflicts returns the objects with conflicting local and remote changes, and
// the remote objects that were not accepted. The user has not resolved them
// yet.
func Conflicts(root Root) (merged, refused []resources.Key) {
	marks := root.SyncConflicts()
	marks = marks[:min(len(marks), maxConflicts)]
	isIncoming := func(name string) bool { return strings.HasSuffix(name, ofIncoming) }
	incoming := slices.DeleteFunc(slices.Clone(marks), func(name string) bool { return !isIncoming(name) })
	return conflictKeys(slices.DeleteFunc(marks, isIncoming)), conflictKeys(incoming)
}
