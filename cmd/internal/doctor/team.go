package doctor

import (
	"os"
	"strings"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

// team tells of an exchange of claims that does not go on.
func (x *examination) team() {
	team, err := sync.Open(x.root, os.Getenv)
	if err != nil {
		x.notice("who works on which task is not shared with the team: %v", err)
	}
	if team == nil {
		return
	}
	notes := team.Notes()
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
		unknown = "; the team does not know who has " + strings.Join(waits, ", ")
	}
	x.notice("no exchange of claims with the team since %s: %s%s", notes.Failed.Local().Format("2006-01-02 15:04"), notes.Why, unknown)
}
