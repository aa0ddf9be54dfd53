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

// known is what an exchange remembers of both sides from one look to the next, so that the next one is at
// what changed. It holds hashes, and the texts only of what is about to be looked at.
type known struct {
	at      string // the moment at which the team was so
	team    *team
	tracked map[string]bool // see Exchange.tracked

	all  bool                   // everything is to be looked at
	open map[resources.Key]bool // these are, where not everything is

	// wrote says when this exchange wrote objects here. Who saves over it at once what stood there before may
	// be taken for nobody, so that they are looked at once more.
	wrote map[resources.Key]time.Time

	following

	held, refused map[resources.Key]Held
	alone, git    map[resources.Key]bool // that stood only here when this clone joined, and whose files git tracks
}

// learn takes in what became other with the team.
func (k *known) learn(changed []engine.Item, at string) {
	for _, key := range k.team.learn(k.news(changed)) {
		k.open[key] = true
	}
	k.at = at
}

// doubtAfter is how long after it was written an object is looked at once more.
const doubtAfter = 20 * time.Second

// doubt opens what was written a while ago.
func (k *known) doubt(now time.Time) {
	for key, at := range k.wrote {
		if now.Sub(at) > doubtAfter {
			k.open[key] = true
			delete(k.wrote, key)
		}
	}
}

// begin forgets what held of an object that is looked at now.
func (k *known) begin(key resources.Key) {
	delete(k.held, key)
	delete(k.refused, key)
	delete(k.alone, key)
	delete(k.git, key)
}

// report is what holds of all objects.
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

// ask asks the team for what changed since it was asked last, and else for all there is. It returns what
// does not stand below Prefix, with or without what does. made are the keys that this clone changed since.
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
	if f.grouped = is && x.Follows.Partly(); f.grouped { // which plans there are says which are followed
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

// errMoved: the team is not what it was said to be.
var errMoved = errors.New("the team's objects changed while they were looked at")

// textOf is the text of the team's version of an object. What both sides agreed on, or what was sent, is in
// the base; the team is asked for any other that was not told just now.
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

// Changed says which objects may have changed here since it was called last, with the revisions that they
// have now, "" for none: of all others the next look believes that they are what they were.
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

// said reports whether all say of an object what is told of it, as after this exchange wrote it.
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

// Moment is that until which all that the team changed is known; "" if the next look is at all.
func (x *Exchange) Moment() string {
	if x.known == nil {
		return ""
	}
	return x.known.at
}

// Rest has an exchange that is used again hold no file meanwhile.
func (x *Exchange) Rest() error { return x.base.rest() }

// Resume has it go on. False: other processes of this clone noted something meanwhile, or a person decided
// something, so that one is to be opened that knows it.
func (x *Exchange) Resume() bool { return x.base.resume() && x.decided == decided(x.Dir) }
