package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

func newSyncStatus(a *app) *cobra.Command {
	return a.newPrinted("sync status", a.syncStatus, "wide", "json", "yaml", "jsonpath=")
}

// syncState is the output of sync status.
type syncState struct {
	sync.Settings
	sync.Notes
	Claims  int      `json:"claims"`  // number of known claims of other clones
	Mine    []string `json:"mine"`    // tasks held in this clone
	Pending []string `json:"pending"` // of these, tasks without a claim at the team

	ToSend    int `json:"toSend"`    // number of objects to send
	Conflicts int `json:"conflicts"` // number of unresolved conflicts
}

// syncStatus runs idumb sync status: it prints the engine, the number of claims, and the changes
// that are not sent yet.
func (a *app) syncStatus(ctx context.Context, p *printers.Printer) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	if settings, err := sync.Load(root, os.Getenv); err == nil && settings == nil && p.Format.Table() {
		a.outf("not shared: %s\n", a.shareStep())
		return nil
	}
	team, settings, err := a.team()
	if err != nil {
		return err
	}
	defer team.Close()
	s := syncState{Settings: *settings, Notes: team.Notes(), Mine: []string{}, Pending: []string{}}
	book := leases.Open(root)
	all, _ := book.All()
	for _, l := range all {
		switch {
		case l.InOtherClone() && l.Ended() == "":
			s.Claims++
		case book.InEffect(l):
			s.Mine = append(s.Mine, l.Metadata.Name)
			if l.Spec.Team == nil || l.Spec.Team.Claim != resources.ClaimConfirmed {
				s.Pending = append(s.Pending, l.Metadata.Name)
			}
		}
	}
	if err := a.countPlans(ctx, team, &s); err != nil {
		return err
	}
	if !p.Format.Table() {
		return p.PrintValue(a.stdout, s)
	}
	return a.printSync(p, &s)
}

// countPlans counts the objects to send and the conflicts.
func (a *app) countPlans(ctx context.Context, team *sync.Team, s *syncState) error {
	if !team.SharesPlans() {
		return nil
	}
	files, err := a.open()
	if err != nil {
		return err
	}
	team.Share(files)
	marks, err := team.Marks()
	if err != nil {
		return err
	}
	s.Conflicts = len(marks)
	waiting, _, err := team.Waiting(ctx)
	s.ToSend = len(waiting)
	return err
}

// printSync prints the state of the exchange as a table, followed by warnings.
func (a *app) printSync(p *printers.Printer, s *syncState) error {
	last := "<never>"
	if !s.Last.IsZero() {
		last = queries.Age(s.Last.Time, a.now()) + " ago"
	}
	headers := []string{"ENGINE", "CLAIMS", "HERE", "PENDING"}
	row := []string{s.Engine, fmt.Sprint(s.Claims + len(s.Mine)), fmt.Sprint(len(s.Mine)), fmt.Sprint(len(s.Pending))}
	if s.Settings.Plans {
		headers, row = append(headers, "TO SEND", "CONFLICTS"), append(row, fmt.Sprint(s.ToSend), fmt.Sprint(s.Conflicts))
	}
	t := p.Records(a.stdout, len(headers)+1, append(headers, "LAST EXCHANGE", "WHERE")...)
	t.Row(append(row, last, s.Location())...)
	if err := t.Flush(); err != nil {
		return err
	}
	if n := s.Notes.Plans; n != nil && n.NotFollowed > 0 {
		a.errf("not exchanged: %s here, of plans that this clone does not follow: idumb sync subscribe --list\n", terminal.Count(n.NotFollowed, "object"))
	}
	if s.Reason != "" {
		a.errf("Warning: %s\n", terminal.EscapeLine(s.Problem("15:04")))
	}
	return nil
}

// Minimal and maximal time between two queries of a watch. The minimum applies if the team sends
// notices: remotes limit the rate of queries.
const (
	minClaimsInterval = time.Second
	claimsInterval    = 30 * time.Second
)

// showClaims runs idumb get claims: it prints the team's claims, repeatedly with -w.
func (a *app) showClaims(ctx context.Context, g *getFlags, p *printers.Printer, _ []string) error {
	if g.watch || g.watchOnly {
		return a.watchClaims(ctx, p)
	}
	team, _, err := a.team()
	if err != nil {
		return err
	}
	defer team.Close()
	found, err := team.Claims(ctx)
	if err != nil {
		return err
	}
	return a.printClaims(p, team, found)
}

// watchClaims prints the claims repeatedly. It retries if the team is unreachable.
func (a *app) watchClaims(ctx context.Context, p *printers.Printer) error {
	team, settings, err := a.team()
	if err != nil {
		return err
	}
	defer team.Close()
	a.errf("claims at %s:\n", terminal.EscapeLine(settings.Location()))
	news := make(chan struct{}, 1)
	go followNotices(ctx, team, news)
	last := ""
	for {
		found, err := team.Claims(ctx)
		if err != nil && ctx.Err() == nil {
			a.errf("Warning: %s\n", terminal.EscapeLine(err.Error()))
		}
		now := ""
		for _, key := range slices.Sorted(maps.Keys(found)) {
			now += key + " " + found[key].Clone + " " + found[key].Holder() + "\n"
		}
		now += "\n" // an empty list is printed too
		if err == nil && now != last {
			if err := a.printClaims(p, team, found); err != nil {
				return err
			}
			last = now
		}
		if !pause(ctx, minClaimsInterval, nil) || !pause(ctx, claimsInterval-minClaimsInterval, news) {
			return nil
		}
	}
}

// followNotices signals notices of a team. It returns when ctx is cancelled or the team sends no notices.
func followNotices(ctx context.Context, team *sync.Team, news chan<- struct{}) {
	for {
		err := team.Follow(ctx, func() {
			select {
			case news <- struct{}{}:
			default:
			}
		})
		if errors.Is(err, sync.ErrNoWatch) || !pause(ctx, claimsInterval, nil) {
			return
		}
	}
}

// pause waits for d or for news. It returns false when ctx is cancelled.
func pause(ctx context.Context, d time.Duration, news <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-news:
	case <-time.After(d):
	}
	return true
}

// printClaims prints the team's claims. The table omits ended ones, and only the first few of
// other clones are shown.
func (a *app) printClaims(p *printers.Printer, team *sync.Team, found map[string]*sync.Claim) error {
	claims := slices.SortedFunc(maps.Values(found), func(x, y *sync.Claim) int {
		return cmp.Or(cmp.Compare(x.Task, y.Task), cmp.Compare(x.UID, y.UID))
	})
	if !p.Format.Table() {
		items := make([]any, len(claims))
		for i, c := range claims {
			items[i] = c
		}
		return p.PrintItems(a.stdout, items)
	}
	all := len(claims)
	claims = slices.DeleteFunc(claims, func(c *sync.Claim) bool { return c.Ended != "" })
	if marks := all - len(claims); marks > 0 {
		a.errf("and %s that ended, so that no clone starts them again: idumb get claims -o json\n", terminal.Count(marks, "task"))
	}
	t := p.Records(a.stdout, 4, "TASK", "HOLDER", "HERE", "AGE", "PERSON", "CLONE")
	claims, more := fewClaims(claims, team.IsMine)
	for _, c := range claims {
		here := "no"
		if team.IsMine(c) {
			here = "yes"
		}
		t.Row([]string{c.Task, c.Holder(), here, queries.Age(c.Time.Time, a.now()), c.Person, c.Clone}...)
	}
	if err := t.Flush(); err != nil || more == 0 {
		return err
	}
	a.errf("and %d more of other clones: idumb get claims -o json\n", more)
	return nil
}

// maxClaims is the maximal number of claims of other clones in a table.
const maxClaims = 100

// fewClaims returns the claims of this clone and the first claims of other clones in their order,
// and the number of omitted ones, because a faulty or hostile clone may create thousands.
func fewClaims(claims []*sync.Claim, mine func(*sync.Claim) bool) (shown []*sync.Claim, more int) {
	others := 0
	for _, c := range claims {
		if !mine(c) {
			others++
		}
		if mine(c) || others <= maxClaims {
			shown = append(shown, c)
		}
	}
	return shown, len(claims) - len(shown)
}
