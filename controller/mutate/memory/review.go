package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Concern is one thing about a mem, or an anchor, that somebody should look at.
type Concern struct {
	Key        resources.Key
	Phase      string
	Confidence int    // of a mem; 0 for an anchor
	Reason     string // one CamelCase word: Unreadable, Gone, Conflict, Suspect, Stale, Duplicate, Orphaned, Fading
	What       string // in a sentence
	Remedy     string // a command line
	rank       int
}

// Name is the object as people name it: NAME of a mem, KIND/NAME of another object.
func (c *Concern) Name() string { return reference(c.Key) }

// concernOf is a concern about a mem.
func concernOf(m *packer.Mem, rank int, reason, what, remedy string) Concern {
	return Concern{Key: m.Object.Key(), Phase: m.Status.Phase, Confidence: m.Status.Confidence, Reason: reason, What: what, Remedy: remedy, rank: rank}
}

// Review lists what somebody should look at, what is most urgent first: what cannot be read;
// what left the context because what it cited is gone; what contradicts another mem; what is suspect;
// what is stale; what says the same as another mem; what names something that is not there.
// Of anchors, which turn stale by time alone and make way, only those are listed whose file
// is gone or has changed.
func Review(s Source) []Concern {
	mems := Derived(s)
	var all []Concern
	for i := range mems {
		all = append(all, concerns(&mems[i])...)
	}
	all = append(all, sameWords(mems, s)...)
	return sorted(slices.Concat(all, anchorConcerns(s), unreadable(s)))
}

// Stale lists the mems that nobody stood for lately: those that are stale or fading, the
// least sure first.
func Stale(s Source) []Concern {
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
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Key.Name, b.Key.Name), cmp.Compare(a.Key.Kind, b.Key.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}

func concerns(m *packer.Mem) []Concern {
	var all []Concern
	s, name := &m.Status, m.Object.Metadata.Name
	add := func(rank int, reason, what, remedy string) {
		all = append(all, concernOf(m, rank, reason, what, remedy))
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

// anchorConcerns are those about anchors whose file is gone or has changed.
func anchorConcerns(s Source) []Concern {
	var all []Concern
	for _, key := range s.List(resources.Anchors) {
		st, ok := s.Derived(key).(*resources.AnchorStatus)
		if !ok || st.Phase != resources.StalePhase {
			continue
		}
		c := Concern{Key: key, Phase: st.Phase, Reason: "Gone"}
		stale := resources.FindCondition(st.Conditions, resources.Stale)
		switch {
		case stale != nil && stale.Reason == status.SourceFileGone:
		case stale != nil && resources.IsTrue(st.Conditions, resources.Suspect):
			c.Reason, c.rank = "Suspect", 2
		default:
			continue
		}
		c.What, c.Remedy, _ = strings.Cut(stale.Message, "; ")
		all = append(all, c)
	}
	return all
}

// unreadable are the mems of which nobody knows what they say.
func unreadable(s Source) []Concern {
	var all []Concern
	for _, p := range s.Problems() {
		if p.Key.Kind == resources.Mems && p.Key.Name != "" {
			all = append(all, Concern{Key: p.Key, Phase: resources.PhaseInvalid, Reason: "Unreadable", What: p.Reason, Remedy: "idumb edit mem " + p.Key.Name + "; idumb doctor says where"})
		}
	}
	return all
}

// LostSources are the mems and anchors that are in no context because all that they cite is
// gone, as kind/name, sorted.
func LostSources(s Source) []string {
	var lost []string
	for _, c := range Review(s) {
		if kind, ok := resources.KindOf(c.Key.Kind); ok && c.Reason == "Gone" {
			lost = append(lost, kind.Singular+"/"+c.Key.Name)
		}
	}
	slices.Sort(lost)
	return lost
}

// faded is the concern about a mem that is stale or fading.
func faded(m *packer.Mem) (Concern, bool) {
	name := m.Object.Metadata.Name
	c := concernOf(m, 3, "Stale", "", fmt.Sprintf("idumb mem confirm %s, or idumb mem purge %s", name, name))
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
func sameWords(mems []packer.Mem, s Source) []Concern {
	var all []Concern
	first := map[string]string{}
	for i := range mems {
		m := &mems[i]
		if !memory.Live(m.Object, s, s.Now()) {
			continue
		}
		name, text := m.Object.Metadata.Name, memory.NormalText(m.Object.Spec.Content)
		if other, known := first[text]; known {
			all = append(all, concernOf(m, 4, "Duplicate", "it says the same as mem/"+other, fmt.Sprintf("idumb mem supersede %s --with %s", name, other)))
			continue
		}
		first[text] = name
	}
	return all
}
