package doctor

import (
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/planned"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// team reports a sync that makes no progress, and objects that do not follow the team.
func (x *examination) team() {
	switch sharing := planned.Look(x.root, os.Getenv); {
	case sharing.Left != "":
		x.file(layout.Dir, sharing.Left+": agents' writes are denied, and no plan is visible", "run "+sharing.Back)
	case sharing.Missing > 0:
		x.file(layout.Dir, sharing.What()+": some plans are not visible", "run "+sharing.Follow()+"; to remove a resource for the whole team, use idumb delete or idumb archive")
	case sharing.Hidden():
		x.file(layout.Dir+"/"+layout.IgnoreFile, sharing.What()+": the team's plans are not visible, and plans of this clone reach neither git nor the team",
			sharing.Follow()+" fetches the plans, even without push permission; "+sharing.Refuse()+" lets you work without them")
	case sharing.What() != "":
		x.notice("%s; %s follows them", sharing.What(), sharing.Follow())
	}
	team, err := sync.Open(x.root, os.Getenv)
	if err != nil {
		x.notice("task claims are not shared with the team: %v", err)
	}
	if team == nil {
		return
	}
	notes := team.Notes()
	if team.SharesPlans() {
		x.plans(team, notes.Plans, notes.Last)
	}
	if notes.Why == "" {
		return
	}
	var waits []string
	all, _ := leases.Open(x.root).All()
	for _, l := range all {
		if l.Spec.Team != nil && l.Spec.Team.Claim == resources.ClaimPending {
			waits = append(waits, l.Metadata.Name)
		}
	}
	unknown := ""
	if len(waits) > 0 {
		unknown = "; unpublished claims: " + strings.Join(waits, ", ")
	}
	if notes.Plans != nil && notes.Plans.ToSend > 0 {
		unknown += "; changed resources wait to be sent"
	}
	x.notice("no exchange of claims with the team since %s: %s%s", notes.Failed.Local().Format("2006-01-02 15:04"), notes.Why, unknown)
}

// Limits of the report: the number of entries of a kind, the period in which restored files are
// reported, and the time without a sync after which waiting changes are reported.
const (
	mostTold    = 5
	putBackNews = 24 * time.Hour
	longSilence = time.Hour
)

// plans reports objects that do not follow the team.
func (x *examination) plans(team *sync.Team, notes *sync.PlanNotes, last resources.Time) {
	marks, err := team.Marks()
	if err != nil {
		x.notice("conflicts with the team cannot be listed: %v", err)
	}
	for _, m := range marks[:min(len(marks), mostTold)] {
		x.notice("%s", toldMark(m))
	}
	if more := len(marks) - mostTold; more > 0 {
		x.notice("%d more conflicts with the team: idumb sync conflicts", more)
	}
	if notes == nil {
		return
	}
	if notes.ToSend > 0 && x.now.Sub(last.Time) > longSilence {
		x.notice("no exchange with the team since %s, and %d changed resources wait to be sent; run idumb sync now or start a controller", last.Local().Format("2006-01-02 15:04"), notes.ToSend)
	}
	for _, h := range notes.Held[:min(len(notes.Held), mostTold)] {
		x.notice("%s is not sent to the team: %s", h.Object, h.Reason)
	}
	if notes.Tracked > 0 {
		x.notice("git tracks %d resources on this branch, so they are not shared with the team; merge the branch that removed the plans from git", notes.Tracked)
	}
	if notes.Alone > 0 {
		x.notice("%d resources existed only in this clone before it joined the team; idumb sync enable --plans --push-new sends them", notes.Alone)
	}
	if notes.PutBack > 0 && time.Since(notes.PutBackAt.Time) < putBackNews {
		x.notice("%d files went missing and were put back at %s; to remove a resource for the whole team, use idumb delete or idumb archive", notes.PutBack, notes.PutBackAt.Local().Format("15:04"))
	}
}

// toldMark returns a conflict in one line.
func toldMark(m plans.Mark) string {
	kind, known := resources.KindOf(m.Kind)
	if !known {
		return "a conflict with the team names an unknown kind: idumb sync conflicts"
	}
	object := kind.Singular + "/" + m.Name
	if m.Incoming() {
		return object + " from the team was rejected: " + m.Reason
	}
	what := m.Reason
	if len(m.Fields) > 0 {
		var fields []string
		for _, f := range m.Fields {
			fields = append(fields, f.Field)
		}
		what = strings.Join(fields, ", ") + " differs"
	}
	by := ""
	if m.By != "" {
		by = ", theirs by " + m.By
	}
	return object + ": " + what + by + "; your version is saved: idumb sync resolve " + object + " --ours, --theirs or --edit"
}
