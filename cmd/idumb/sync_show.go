package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

func newSyncStatus(a *app) *cobra.Command {
	return newPrinted("sync status", a.syncStatus, "wide", "json", "yaml", "jsonpath=")
}

// syncState is what sync status prints.
type syncState struct {
	sync.Settings
	sync.Notes
	Claims  int      `json:"claims"`  // of other clones, as far as this one knows
	Mine    []string `json:"mine"`    // tasks that are held here
	Pending []string `json:"pending"` // of those, which the team does not know of

	ToSend    int `json:"toSend"`    // objects that wait here
	Conflicts int `json:"conflicts"` // that nobody has resolved
}

func (a *app) syncStatus(ctx context.Context, p *printers.Printer) error {
	root, err := a.root()
	if err != nil {
		return err
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
		case l.Elsewhere() && l.Ended() == "":
			s.Claims++
		case book.Stands(l):
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

// countPlans counts what waits here, and what is in conflict.
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
	s.ToSend, err = team.Waiting(ctx)
	return err
}

func (a *app) printSync(p *printers.Printer, s *syncState) error {
	last := "<never>"
	if !s.Last.IsZero() {
		last = questions.Age(s.Last.Time, a.now()) + " ago"
	}
	headers := []string{"ENGINE", "CLAIMS", "HERE", "PENDING"}
	row := []string{s.Engine, fmt.Sprint(s.Claims + len(s.Mine)), fmt.Sprint(len(s.Mine)), fmt.Sprint(len(s.Pending))}
	if s.Settings.Plans {
		headers, row = append(headers, "TO SEND", "CONFLICTS"), append(row, fmt.Sprint(s.ToSend), fmt.Sprint(s.Conflicts))
	}
	t := p.Records(a.stdout, len(headers)+1, append(headers, "LAST EXCHANGE", "WHERE")...)
	t.Row(append(row, last, s.Where())...)
	if err := t.Flush(); err != nil {
		return err
	}
	if n := s.Notes.Plans; n != nil && n.Outside > 0 {
		a.errf("not exchanged: %s here, of plans that this clone does not follow: idumb sync subscribe --list\n", terminal.Count(n.Outside, "object"))
	}
	if s.Why != "" {
		a.errf("Warning: no exchange since %s: %s\n", s.Failed.Local().Format("15:04"), terminal.EscapeLine(s.Why))
	}
	return nil
}

// How long it is between two questions of a watch, at least where the team tells of changes, and at most:
// remotes bear few.
const (
	claimsAtOnce = time.Second
	claimsEvery  = 30 * time.Second
)

// showClaims asks the team who works on what.
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

// watchClaims asks again and again. A team that is not reached is asked again.
func (a *app) watchClaims(ctx context.Context, p *printers.Printer) error {
	team, settings, err := a.team()
	if err != nil {
		return err
	}
	defer team.Close()
	a.errf("claims at %s:\n", terminal.EscapeLine(settings.Where()))
	news := make(chan struct{}, 1)
	go hear(ctx, team, news)
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
		now += "\n" // none is something to print as well
		if err == nil && now != last {
			if err := a.printClaims(p, team, found); err != nil {
				return err
			}
			last = now
		}
		if !pause(ctx, claimsAtOnce, nil) || !pause(ctx, claimsEvery-claimsAtOnce, news) {
			return nil
		}
	}
}

// hear follows a team that tells of changes by itself, and says so; it ends with ctx, or where none does.
func hear(ctx context.Context, team *sync.Team, news chan<- struct{}) {
	for {
		err := team.Follow(ctx, func() {
			select {
			case news <- struct{}{}:
			default:
			}
		})
		if errors.Is(err, sync.ErrNoWatch) || !pause(ctx, claimsEvery, nil) {
			return
		}
	}
}

// pause waits, or until there is news; false once ctx ends.
func pause(ctx context.Context, d time.Duration, news <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-news:
	case <-time.After(d):
	}
	return true
}

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
	claims, more := fewClaims(claims, team.Mine)
	for _, c := range claims {
		here := "no"
		if team.Mine(c) {
			here = "yes"
		}
		t.Row([]string{c.Task, c.Holder(), here, questions.Age(c.At.Time, a.now()), c.Person, c.Clone}...)
	}
	if err := t.Flush(); err != nil || more == 0 {
		return err
	}
	a.errf("and %d more of other clones: idumb get claims -o json\n", more)
	return nil
}

// claimsShown is how many claims of other clones a table shows.
const claimsShown = 100

// fewClaims are those of this clone and the first of others, in their order, and how many more there are: a team
// that lost its measure, or one stranger, may have left thousands.
func fewClaims(claims []*sync.Claim, mine func(*sync.Claim) bool) (shown []*sync.Claim, more int) {
	others := 0
	for _, c := range claims {
		if !mine(c) {
			others++
		}
		if mine(c) || others <= claimsShown {
			shown = append(shown, c)
		}
	}
	return shown, len(claims) - len(shown)
}
