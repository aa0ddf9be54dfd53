package doctor

import (
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// checkTeam reports a sync that makes no progress, and objects that do not follow the team.
func (x *examination) checkTeam() {
	switch sharing := x.sharing; {
	case sharing.Reason != "":
		x.fileProblem(layout.Dir, sharing.Reason+": agents' writes are denied, and no plan is visible", "run "+sharing.RestoreCommand)
	case sharing.Missing > 0:
		x.fileProblem(layout.Dir, sharing.Clause()+": some plans are not visible", "run "+sharing.FollowCommand()+"; to remove a resource for the whole team, use idumb delete or idumb archive")
	case sharing.HasHidden():
		x.fileProblem(layout.Dir+"/"+layout.IgnoreFile, sharing.Clause()+": the team's plans are not visible, and plans of this clone reach neither git nor the team",
			sharing.FollowCommand()+" fetches the plans, even without push permission; "+sharing.DeclineCommand()+" lets you work without them")
	case sharing.Elsewhere.Tree != "" || sharing.Branch != "":
		x.notice("%s; next step: %s", sharing.Clause(), sharing.FollowCommand())
	case sharing.Clause() != "":
		x.notice("%s; %s follows them", sharing.Clause(), sharing.FollowCommand())
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
		x.checkPlans(team, notes.Plans, notes.Last)
	}
	if notes.Reason == "" {
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
	x.notice("%s%s", notes.Problem("2006-01-02 15:04"), unknown)
}

// Limits of the report: the number of entries of a kind, the period in which restored files are
// reported, and the time without a sync after which waiting changes are reported.
const (
	maxEntries     = 5
	restoredPeriod = 24 * time.Hour
	silenceLimit   = time.Hour
)

// checkPlans reports objects that do not follow the team.
func (x *examination) checkPlans(team *sync.Team, notes *sync.PlanNotes, last resources.Time) {
	marks, err := team.Marks()
	if err != nil {
		x.notice("conflicts with the team cannot be listed: %v", err)
	}
	for _, m := range marks[:min(len(marks), maxEntries)] {
		x.notice("%s", conflictText(m))
	}
	if more := len(marks) - maxEntries; more > 0 {
		x.notice("%d more conflicts with the team: idumb sync conflicts", more)
	}
	if notes == nil {
		return
	}
	if notes.ToSend > 0 && x.now.Sub(last.Time) > silenceLimit {
		x.notice("no exchange with the team since %s, and %d changed resources wait to be sent; run idumb sync now or start a controller", last.Local().Format("2006-01-02 15:04"), notes.ToSend)
	}
	for _, h := range notes.NotPushed[:min(len(notes.NotPushed), maxEntries)] {
		x.notice("%s is not sent to the team: %s", h.Object, h.Reason)
	}
	if notes.Tracked > 0 {
		x.notice("git tracks %d resources on this branch, so they are not shared with the team; merge the branch that removed the plans from git", notes.Tracked)
	}
	if notes.LocalOnly > 0 {
		x.notice("%d resources existed only in this clone before it joined the team; idumb sync enable --plans --push-new sends them", notes.LocalOnly)
	}
	if notes.PutBack > 0 && time.Since(notes.PutBackAt.Time) < restoredPeriod {
		x.notice("files that went missing and were put back at %[2]s: %[1]d; to remove a resource for the whole team, use idumb delete or idumb archive", notes.PutBack, notes.PutBackAt.Local().Format("15:04"))
	}
}

// conflictText returns a conflict in one line.
func conflictText(m exchange.Mark) string {
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
	if m.Author != "" {
		by = ", theirs by " + m.Author
	}
	return object + ": " + what + by + "; your version is saved: idumb sync resolve " + object + " --ours, --theirs or --edit"
}
