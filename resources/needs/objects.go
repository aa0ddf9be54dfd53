package needs

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// reasonRanks say which concerns need the person, by their reason: of mems and anchors, and of all else.
var reasonRanks = [...]struct {
	reason       string
	memory, rest Rank // 0: it can wait for a review
}{
	{"Review", 0, Review},
	{"CriteriaOpen", 0, Review},
	{resources.EvidenceMissing, 0, Review},
	{"Undecided", 0, Review},
	{"Invalid", Broken, Broken},
	{"Failed", 0, Broken},
	{resources.ChainBroken, 0, Broken},
	{resources.Orphaned, 0, Broken},
	{resources.Conflict, Suspect, Broken},
	{resources.DelegateGone, 0, Broken},
	{"Gone", Suspect, Suspect},
	{resources.Suspect, Suspect, Suspect},
	{resources.Stale, 0, Suspect},
}

// Concerns reports whether a concern needs the person, and does not wait for a review.
func Concerns(c *Concern) bool { return rankOf(c) != 0 }

func rankOf(c *Concern) Rank {
	for _, row := range reasonRanks {
		if row.reason == c.Reason && (c.About.Kind == resources.Mems || c.About.Kind == resources.Anchors) {
			return row.memory
		} else if row.reason == c.Reason {
			return row.rest
		}
	}
	return 0
}

// concern notes what is wrong with an object, if that needs the person.
func (f *finder) concern(c *Concern) {
	rank := rankOf(c)
	if rank == 0 {
		return
	}
	n := Need{Rank: rank, Reason: c.Reason, What: c.What, Since: resources.NewTime(c.Since), Behind: f.waiting(c.About)}
	commands := c.Commands
	remedy := c.Remedy
	if strings.HasPrefix(remedy, program) {
		commands, remedy = append([]string{remedy}, commands...), ""
	}
	n.Why = reasons(remedy, waitingText(n.Behind))
	f.add(n, c.About, distinct(commands)...)
	last := &f.found[len(f.found)-1]
	last.Who = last.About
}

// distinct are texts, each once.
func distinct(texts []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			all = append(all, text)
		}
	}
	return all
}

// repository notes hosts without a gate, and that the person does not trust the repository.
func (f *finder) repository() {
	for _, h := range f.Ungated {
		f.add(Need{Rank: Ungated, Reason: "Ungated", Who: h.Name, What: h.Title + " is used here and is not held to the plan", Why: "its calls are neither judged nor recorded"},
			resources.Key{Name: h.Name}, program+"hook install "+h.Name)
	}
	if f.Distrust != "" {
		f.add(Need{Rank: Untrusted, Reason: "Untrusted", Who: "repository", What: f.Distrust, Why: "agents are not told what its .idumb says, and its rules only restrict"},
			resources.Key{}, program+"trust --dry-run", program+"trust")
	}
}
