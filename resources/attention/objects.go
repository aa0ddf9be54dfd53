package attention

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// reasonRanks maps the reasons of concerns to ranks, for mems and anchors and for all other
// kinds. It also contains the limit of separate rows, and the field selector for merged
// rows.
var reasonRanks = [...]struct {
	reason       string
	memory, rest Rank // 0 if the concern can wait for a review
	few          int
	field        string
}{
	{"Review", 0, Review, fewDecisions, "status.phase=" + resources.TaskReview},
	{"CriteriaOpen", 0, Review, fewDecisions, "status.phase=" + resources.PlanReview},
	{resources.EvidenceMissing, 0, Review, fewDecisions, holds + resources.EvidenceMissing},
	{"Untold", 0, Review, fewDecisions, "status.phase=" + resources.CommentOpen},
	{"Undecided", 0, Review, fewDecisions, "status.phase=" + resources.DecisionUnresolved},
	{"Invalid", Broken, Broken, fewFaults, "status.phase=" + resources.PhaseInvalid},
	{"Failed", 0, Broken, fewDecisions, "spec.state=" + resources.TaskFailed},
	{resources.ChainBroken, 0, Broken, fewFaults, holds + resources.ChainBroken},
	{resources.Orphaned, 0, Broken, fewFaults, holds + resources.Orphaned},
	{resources.Conflict, Suspect, Broken, fewFaults, holds + resources.Conflict},
	{resources.DelegateGone, 0, Broken, fewFaults, holds + resources.DelegateGone},
	{"Gone", Suspect, Suspect, fewFaults, ""},
	{resources.Suspect, Suspect, Suspect, fewFaults, holds + resources.Suspect},
	{resources.Stale, 0, Suspect, fewFaults, holds + resources.Stale},
}

// holds begins a field selector for a condition.
const holds = "status.conditions[*].type="

// rowOf returns the index of a reason in the table, or -1 if concerns with this reason can
// wait for a review.
func rowOf(reason string) int {
	for i := range reasonRanks {
		if reasonRanks[i].reason == reason {
			return i
		}
	}
	return -1
}

// NeedsUser reports whether a concern needs the user now, as opposed to at the
// next review.
func NeedsUser(c *Concern) bool { return rankOf(c) != 0 }

// rankOf returns the rank of a finding by its reason and kind, or 0 for an unknown reason.
func rankOf(c *Concern) Rank {
	i := rowOf(c.Reason)
	switch {
	case i < 0:
		return 0
	case c.Object.Kind == resources.Mems || c.Object.Kind == resources.Anchors:
		return reasonRanks[i].memory
	}
	return reasonRanks[i].rest
}

// concern adds a need for a concern, unless it can wait.
func (f *finder) concern(c *Concern) {
	rank := rankOf(c)
	if rank == 0 {
		return
	}
	n := Need{Rank: rank, Reason: c.Reason, Text: c.Text, Since: resources.NewTime(c.Since), Dependents: f.waiting(c.Object)}
	commands := c.Commands
	remedy := c.Remedy
	if strings.HasPrefix(remedy, program) {
		commands, remedy = append([]string{remedy}, commands...), ""
	}
	n.Why = reasons(remedy, waitingText(n.Dependents))
	f.add(n, c.Object, resources.Distinct(commands...)...)
	last := &f.needs[len(f.needs)-1]
	last.Subject = last.Object
	f.concerned[last.Name] = c.Object
}

// conflicts adds needs for synchronization conflicts that the user must resolve.
func (f *finder) conflicts() {
	for _, key := range f.Conflicts {
		kind, _ := resources.KindOf(key.Kind)
		resolve := program + "sync resolve " + kind.Singular + "/" + key.Name
		f.add(Need{Rank: Review, Reason: "SyncConflict", Subject: kind.Singular + "/" + key.Name, Text: "your change conflicts with the team's change; idumb sync conflicts shows both", Why: "the team's version counts, and yours is kept"},
			key, resolve+" --ours", resolve+" --theirs", resolve+" --edit")
	}
	for _, key := range f.Refused {
		kind, _ := resources.KindOf(key.Kind)
		f.add(Need{Rank: Review, Reason: "SyncRefused", Subject: kind.Singular + "/" + key.Name, Text: "the team's version was not taken", Why: "your version counts here; `idumb sync conflicts` shows the reason"},
			key, program+"sync conflicts")
	}
}

// repository adds needs for hosts without a gate, hidden plans of the team, and missing
// trust.
func (f *finder) repository() {
	for _, h := range f.Ungated {
		if h.Off != "" {
			f.add(Need{Rank: Ungated, Reason: "Ungated", Subject: h.Name, Text: h.Title + " is not held to the plan: " + h.Off + " turns all hooks off", Why: "take disableAllHooks out of it, or its calls are neither judged nor recorded"},
				resources.Key{Name: h.Name}, program+"doctor")
			continue
		}
		f.add(Need{Rank: Ungated, Reason: "Ungated", Subject: h.Name, Text: h.Title + " is used here and is not held to the plan", Why: "its calls are neither judged nor recorded"},
			resources.Key{Name: h.Name}, program+"hook install "+h.Name)
	}
	switch {
	case f.Hidden != "" && f.Missing:
		f.add(Need{Rank: Ungated, Reason: "ObjectsMissing", Subject: "repository", Text: f.Hidden, Why: "agents' writes need your approval or are denied until the objects are restored"}, resources.Key{}, f.Follow...)
	case f.Hidden != "" && f.Decline == "":
		f.add(Need{Rank: Ungated, Reason: "PlansHidden", Subject: "repository", Text: f.Hidden, Why: "agents' writes are denied until you run " + strings.Join(f.Follow, ", then ")}, resources.Key{})
	case f.Hidden != "":
		f.add(Need{Rank: Ungated, Reason: "PlansHidden", Subject: "repository", Text: f.Hidden, Why: "the team's plans are not visible, and plans made here reach neither git nor the team"},
			resources.Key{}, append(slices.Clone(f.Follow), f.Decline)...)
	}
	if f.Alone > 0 {
		f.add(Need{Rank: Review, Reason: "PlansUnsent", Subject: "repository", Text: fmt.Sprintf("objects that are only in this clone: %d", f.Alone), Why: "they were made before it joined the team, and neither git nor the team has them"},
			resources.Key{}, program+"sync enable --plans --push-new")
	}
	if f.Distrust != "" {
		f.add(Need{Rank: Untrusted, Reason: "Untrusted", Subject: "repository", Text: f.Distrust, Why: "agents receive no text from its .idumb, and its rules can deny calls but not allow them"},
			resources.Key{}, program+"trust --dry-run", program+"trust")
	}
}
