package plans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// known is the state of both sides that an exchange keeps between passes, so
// that the next pass compares only changes. It holds hashes, and texts only of
// objects to compare.
type known struct {
	at      string // remote revision
	team    *team
	tracked map[string]bool // see Exchange.tracked

	all  bool                   // compare everything
	open map[resources.Key]bool // objects to compare, unless all is true

	// wrote holds the times of local writes of this exchange. A program that
	// saves an older buffer right after the write may go unnoticed, so these
	// objects are compared again later.
	wrote map[resources.Key]time.Time

	following

	held, refused map[resources.Key]Held
	alone, git    map[resources.Key]bool // objects that existed only locally when this clone joined; objects tracked by git
}

// learn applies remote changes.
func (k *known) learn(changed []engine.Item, at string) {
	for _, key := range k.team.learn(k.news(changed)) {
		k.open[key] = true
	}
	k.at = at
}

// doubtAfter is the delay after a write until an object is compared again.
const doubtAfter = 20 * time.Second

// doubt queues objects that were written a while ago.
func (k *known) doubt(now time.Time) {
	for key, at := range k.wrote {
		if now.Sub(at) > doubtAfter {
			k.open[key] = true
			delete(k.wrote, key)
		}
	}
}

// begin drops the recorded state of an object before it is compared.
func (k *known) begin(key resources.Key) {
	delete(k.held, key)
	delete(k.refused, key)
	delete(k.alone, key)
	delete(k.git, key)
}

// report fills in the state of all objects.
func (k *known) report(r *Report) {
	r.Held, r.Refused = inOrder(k.held), inOrder(k.refused)
	for key, why := range k.team.strange {
		r.Refused = append(r.Refused, Held{Object: fmt.Sprintf("%.200q", key), Reason: why.Error()})
	}
	slices.SortFunc(r.Refused, func(a, b Held) int { return cmp.Compare(a.Object, b.Object) })
	r.Team, r.Alone, r.Tracked = k.count(), len(k.alone), len(k.git)
	r.Outside, r.Plans = len(k.outside), max(0, len(k.groups)-1)
}

func inOrder(all map[resources.Key]Held) []Held {
	return slices.SortedFunc(maps.Values(all), func(a, b Held) int { return a.Key.Compare(b.Key) })
}

// ask requests the remote changes since the last request, or everything. It
// returns the items outside Prefix, and possibly others. made lists the keys
// that this clone changed since.
func (x *Exchange) ask(ctx context.Context, e engine.Engine, made []string) ([]engine.Item, error) {
	if x.known != nil && x.Since != nil {
		beside, changed, now, err := x.Since(ctx, x.known.at, made)
		switch {
		case err == nil:
			x.known.learn(changed, now)
			return beside, x.regroup(ctx, e)
		case !errors.Is(err, engine.ErrCompacted):
			return nil, err
		}
	}
	f := following{partly: x.Follows.Partly(), over: map[string]bool{}, waits: map[string][]string{}, named: map[resources.Key]bool{}, sought: map[resources.Key]bool{},
		gone: map[string]string{}, outside: map[resources.Key]bool{}}
	whole, is := e.(engine.Grouped)
	if f.grouped = is && x.Follows.Partly(); f.grouped { // the list of plans determines the followed ones
		f.groups = map[string]string{ungrouped: ""}
		e = whole.Part(prefixesOf(ungrouped)...)
	}
	items, at, err := listAt(ctx, e)
	if err != nil {
		return nil, err
	}
	if f.grouped {
		f.groups[ungrouped], e = at, whole
	}
	x.known = &known{at: at, team: teamOf(items), all: true, open: map[resources.Key]bool{}, wrote: map[resources.Key]time.Time{}, following: f,
		held: map[resources.Key]Held{}, refused: map[resources.Key]Held{}, alone: map[resources.Key]bool{}, git: map[resources.Key]bool{}}
	return items, x.regroup(ctx, e)
}

func listAt(ctx context.Context, e engine.Engine) (items []engine.Item, at string, err error) {
	if strict, is := e.(engine.Strict); is {
		return strict.ListAt(ctx, "")
	}
	items, err = e.List(ctx, "")
	return items, "", err
}

// errMoved means that the remote state changed during the request.
var errMoved = errors.New("the team's objects changed while they were looked at")

// textOf returns the text of a remote object. Base and pushed versions are in
// the log. Other versions are requested from the engine, unless they were just
// received.
func (x *Exchange) textOf(ctx context.Context, e engine.Engine, key resources.Key, t teamItem) ([]byte, error) {
	if t.text != nil || t.sum == "" {
		return t.text, nil
	}
	if text, err := x.base.text(key, t.sum); text != nil || err != nil {
		return text, err
	}
	items, err := e.List(ctx, t.key)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if item.Key == t.key && item.Rev == t.rev {
			_, text, err := unpack(item.Value)
			return text, err
		}
	}
	return nil, errMoved
}

// Changed reports objects that may have changed locally since the last call,
// with their current revisions, "" if deleted. The next pass assumes that other
// objects are unchanged.
func (x *Exchange) Changed(changed map[resources.Key]string) {
	for key, rev := range changed {
		if !shared(key.Kind) || resources.CheckName(key.Name) != nil || x.said(key, rev) {
			continue
		}
		x.told = append(x.told, key)
		if x.known != nil {
			x.known.open[key] = true
		}
	}
}

// said reports whether the reported revision is already in sync, as after a
// write of this exchange.
func (x *Exchange) said(key resources.Key, rev string) bool {
	entry := x.base.entries[key]
	switch {
	case x.known == nil || x.known.open[key] || x.known.team.objects[key].sum != rev:
		return false
	case rev == "":
		return entry == nil
	}
	agreed := x.base.last(key)
	return agreed != nil && agreed.sum == rev && entry.sent == nil && entry.seen == nil
}

// Moment returns the remote revision that is processed. It returns "" if the
// next pass compares everything.
func (x *Exchange) Moment() string {
	if x.known == nil {
		return ""
	}
	return x.known.at
}

// Rest closes the files of an exchange until Resume.
func (x *Exchange) Rest() error { return x.base.rest() }

// Resume reopens the files. It returns false if another process changed the
// state or the user made a decision; the caller must then open a new exchange.
func (x *Exchange) Resume() bool { return x.base.resume() && x.decided == decided(x.Dir) }
