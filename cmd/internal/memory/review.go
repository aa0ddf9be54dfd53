package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// Concern is one thing about a mem that somebody should look at.
type Concern struct {
	Mem    packer.Mem
	Reason string // one CamelCase word: Gone, Conflict, Suspect, Stale, Duplicate, Orphaned, Fading
	What   string // in a sentence
	Remedy string // a command line
	rank   int
}

// Review lists what somebody should look at, what is most urgent first: what left the
// context because what it cited is gone; what contradicts another mem; what is suspect;
// what is stale; what says the same as another mem; what names something that is not there.
func Review(s *resources.Snapshot) []Concern {
	mems := Derived(s)
	var all []Concern
	for i := range mems {
		all = append(all, concerns(&mems[i])...)
	}
	all = append(all, sameWords(mems, s)...)
	return sorted(all)
}

// Stale lists the mems that nobody stood for lately: those that are stale or fading, the
// least sure first.
func Stale(s *resources.Snapshot) []Concern {
	mems := Derived(s)
	var all []Concern
	for i := range mems {
		m := &mems[i]
		if c, found := faded(m); found {
			c.rank = m.Status.Confidence
			all = append(all, c)
		}
	}
	return sorted(all)
}

func sorted(all []Concern) []Concern {
	slices.SortStableFunc(all, func(a, b Concern) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Mem.Object.Metadata.Name, b.Mem.Object.Metadata.Name), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}

func concerns(m *packer.Mem) []Concern {
	var all []Concern
	s, name := &m.Status, m.Object.Metadata.Name
	add := func(rank int, reason, what, remedy string) {
		all = append(all, Concern{Mem: *m, Reason: reason, What: what, Remedy: remedy, rank: rank})
	}
	switch s.Phase {
	case resources.Superseded, resources.Purged, resources.Ended:
		return nil
	case resources.Gone:
		add(0, "Gone", some(s.Suspect), fmt.Sprintf("idumb mem confirm %s --evidence FILE, or idumb mem purge %s", name, name))
	}
	if c := resources.FindCondition(s.Conditions, resources.Conflict); c != nil {
		what, remedy, _ := strings.Cut(c.Message, "; ")
		add(1, "Conflict", what, remedy)
	}
	if len(s.Suspect) > 0 && s.Phase != resources.Gone {
		add(2, "Suspect", some(s.Suspect), fmt.Sprintf("idumb mem confirm %s, or idumb mem supersede %s", name, name))
	}
	if c, found := faded(m); found && s.Phase == resources.StalePhase {
		all = append(all, c)
	}
	if c := resources.FindCondition(s.Conditions, resources.Orphaned); c != nil {
		add(5, "Orphaned", c.Message, "idumb edit mem "+name)
	}
	return all
}

// faded is the concern about a mem that is stale or fading.
func faded(m *packer.Mem) (Concern, bool) {
	name := m.Object.Metadata.Name
	c := Concern{Mem: *m, Reason: "Stale", Remedy: fmt.Sprintf("idumb mem confirm %s, or idumb mem purge %s", name, name), rank: 3}
	switch m.Status.Phase {
	case resources.StalePhase:
		c.What = "stale since " + day(m.Status.StaleSince)
	case resources.Fading:
		c.Reason, c.What = "Fading", "its confidence is down to "+fmt.Sprint(m.Status.Confidence)
	default:
		return c, false
	}
	if m.Object.Spec.Type == resources.FalsePath {
		c.Remedy = fmt.Sprintf("idumb mem confirm %s, or idumb mem supersede %s", name, name)
	}
	return c, true
}

// sameWords finds live mems that say the same as one before them by name.
func sameWords(mems []packer.Mem, s *resources.Snapshot) []Concern {
	var all []Concern
	first := map[string]string{}
	for i := range mems {
		m := &mems[i]
		if !resources.MemLive(m.Object, s, s.Now()) {
			continue
		}
		name, text := m.Object.Metadata.Name, resources.NormalText(m.Object.Spec.Content)
		if other, known := first[text]; known {
			all = append(all, Concern{Mem: *m, Reason: "Duplicate", What: "it says the same as mem/" + other, Remedy: fmt.Sprintf("idumb mem supersede %s --with %s", name, other), rank: 4})
			continue
		}
		first[text] = name
	}
	return all
}
