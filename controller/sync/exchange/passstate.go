package exchange

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

// passState is the state of both sides that an exchange keeps between passes, so
// that the next pass compares only changes. It holds hashes, and texts only of
// objects to compare.
type passState struct {
	revision string // remote revision
	team     *remoteState
	tracked  map[string]bool // see Exchange.tracked

	all  bool                   // compare everything
	open map[resources.Key]bool // objects to compare, unless all is true

	// writeTimes holds the times of local writes of this exchange. A program that
	// saves an older buffer right after the write may go unnoticed, so these
	// objects are compared again later.
	writeTimes map[resources.Key]time.Time

	subscriptionState

	notPushed, refused map[resources.Key]NotPushed
	localOnly, git     map[resources.Key]bool // objects that existed only locally when this clone joined; objects tracked by git
}

// recheckDelay is the delay after a write until an object is compared again.
const recheckDelay = 20 * time.Second

// requeueWrites queues objects that were written a while ago.
func (k *passState) requeueWrites(now time.Time) {
	for key, at := range k.writeTimes {
		if now.Sub(at) > recheckDelay {
			k.open[key] = true
			delete(k.writeTimes, key)
		}
	}
}

// begin drops the recorded state of an object before it is compared.
func (k *passState) begin(key resources.Key) {
	delete(k.notPushed, key)
	delete(k.refused, key)
	delete(k.localOnly, key)
	delete(k.git, key)
}

// report fills in the state of all objects.
func (k *passState) report(r *Report) {
	r.NotPushed, r.Refused = inOrder(k.notPushed), inOrder(k.refused)
	for key, why := range k.team.invalid {
		r.Refused = append(r.Refused, NotPushed{Object: fmt.Sprintf("%.200q", key), Reason: why.Error()})
	}
	slices.SortFunc(r.Refused, func(a, b NotPushed) int { return cmp.Compare(a.Object, b.Object) })
	r.Team, r.LocalOnly, r.Tracked = k.count(), len(k.localOnly), len(k.git)
	r.NotFollowed, r.Plans = len(k.notFollowed), max(0, len(k.groups)-1)
}

// inOrder returns the values sorted by key.
func inOrder(all map[resources.Key]NotPushed) []NotPushed {
	return slices.SortedFunc(maps.Values(all), func(a, b NotPushed) int { return a.Key.Compare(b.Key) })
}

// ask requests the remote changes since the last request, or everything. It
// returns the items outside Prefix, and possibly others. made lists the keys
// that this clone changed since.
func (x *Exchange) ask(ctx context.Context, e engine.Engine, made []string) ([]engine.Item, error) {
	if x.passState != nil && x.Since != nil {
		switch beside, changed, now, err := x.Since(ctx, x.passState.revision, made); {
		case err == nil:
			for _, key := range x.passState.team.learn(x.passState.newItems(changed)) {
				x.passState.open[key] = true
			}
			x.passState.revision = now
			return beside, x.regroup(ctx, e)
		case !errors.Is(err, engine.ErrCompacted):
			return nil, err
		}
	}
	f := subscriptionState{partly: x.Follows.Partly(), finished: map[string]bool{}, waits: map[string][]string{}, named: map[resources.Key]bool{}, requested: map[resources.Key]bool{},
		removals: map[string]string{}, notFollowed: map[resources.Key]bool{}}
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
	x.passState = &passState{revision: at, team: remoteStateOf(items), all: true, open: map[resources.Key]bool{}, writeTimes: map[resources.Key]time.Time{}, subscriptionState: f,
		notPushed: map[resources.Key]NotPushed{}, refused: map[resources.Key]NotPushed{}, localOnly: map[resources.Key]bool{}, git: map[resources.Key]bool{}}
	return items, x.regroup(ctx, e)
}

// listAt lists all items of an engine and their revision, which is "" if the
// engine is not Strict.
func listAt(ctx context.Context, e engine.Engine) (items []engine.Item, at string, err error) {
	if strict, is := e.(engine.Strict); is {
		return strict.ListAt(ctx, "")
	}
	items, err = e.List(ctx, "")
	return items, "", err
}

// errRemoteChanged means that the remote state changed during the request.
var errRemoteChanged = errors.New("the team's objects changed while they were looked at")

// textOf returns the text of a remote object. Base and pushed versions are in
// the log. Other versions are requested from the engine, unless they were just
// received.
func (x *Exchange) textOf(ctx context.Context, e engine.Engine, key resources.Key, t remoteObject) ([]byte, error) {
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
	return nil, errRemoteChanged
}

// Changed reports objects that may have changed locally since the last call,
// with their current revisions, "" if deleted. The next pass assumes that other
// objects are unchanged.
func (x *Exchange) Changed(changed map[resources.Key]string) {
	for key, rev := range changed {
		if !shared(key.Kind) || resources.CheckName(key.Name) != nil || x.isInSync(key, rev) {
			continue
		}
		x.unrecorded = append(x.unrecorded, key)
		if x.passState != nil {
			x.passState.open[key] = true
		}
	}
}

// isInSync reports whether the reported revision is already in sync, as after a
// write of this exchange.
func (x *Exchange) isInSync(key resources.Key, rev string) bool {
	entry := x.base.entries[key]
	switch {
	case x.passState == nil || x.passState.open[key] || x.passState.team.objects[key].sum != rev:
		return false
	case rev == "":
		return entry == nil
	}
	agreed := x.base.last(key)
	return agreed != nil && agreed.sum == rev && entry.lastPush == nil && entry.lastLocal == nil
}

// Revision returns the remote revision that is processed. It returns "" if the
// next pass compares everything.
func (x *Exchange) Revision() string {
	if x.passState == nil {
		return ""
	}
	return x.passState.revision
}

// CloseUntilResume closes the files of an exchange until Resume, so that other processes can use
// them.
func (x *Exchange) CloseUntilResume() error {
	var err error
	if x.base.closedInfo, err = x.base.f.Stat(); err == nil {
		err = x.base.f.Close()
	}
	x.base.path, x.base.f = x.base.f.Name(), nil
	return err
}

// Resume reopens the files. It returns false if another process changed the
// state or the user made a decision; the caller must then open a new exchange.
func (x *Exchange) Resume() bool { return x.base.resume() && x.decided == decisionState(x.Dir) }
