package plans

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// following is the state of the subscription in an exchange. The zero value
// follows everything.
type following struct {
	sub     *Subscription
	partly  bool                   // not everything is followed
	grouped bool                   // the engine lists only the followed part, so the rest is unknown
	groups  map[string]string      // followed groups and the revisions of their listings; nil for all
	over    map[string]bool        // remote plan -> it is finished
	waits   map[string][]string    // remote plan -> plans on which it depends
	named   map[resources.Key]bool // objects that are synced individually, regardless of their group
	sought  map[resources.Key]bool // objects that were requested individually
	gone    map[string]string      // revisions of the removals of items
	outside map[resources.Key]bool // local objects that are not followed
	parts   []string               // key prefixes of the followed part
	stale   bool                   // parts must be recomputed
}

// followsGroup reports whether the objects of a group are synced.
func (f *following) followsGroup(group string) bool {
	if _, is := f.groups[group]; is || f.groups == nil {
		return true
	}
	_, known := f.over[group]
	return !f.grouped && !known && f.sub.wants(group, false) // a plan that does not exist remotely is not finished
}

// unfollowed reports whether a plan exists remotely, is not finished, and its
// tasks are not all local.
func (f *following) unfollowed(plan string) bool {
	over, known := f.over[plan]
	return known && !over && !f.followsGroup(plan)
}

// follows reports whether a remote object is synced.
func (f *following) follows(key resources.Key, t teamItem) bool {
	return f.groups == nil || !grouped(key.Kind) || f.named[key] || f.followsGroup(groupIn(t.key))
}

// prefixesOf returns the key prefixes of groups, without the items for names.
func prefixesOf(groups ...string) (prefixes []string) {
	for _, group := range groups {
		for _, kind := range Kinds() {
			if group == ungrouped || grouped(kind) {
				prefixes = append(prefixes, objects+kind+"/"+group+"/", archived+kind+"/"+group+"/")
			}
		}
	}
	return prefixes
}

// news removes the items without new information: a watch may report items that
// were already listed and items that are not followed.
func (k *known) news(items []engine.Item) []engine.Item {
	if !k.grouped {
		return items
	}
	return slices.DeleteFunc(items, func(item engine.Item) bool {
		if !engine.Among(item.Key, k.parts) {
			return true
		}
		for _, floor := range []string{k.groups[groupIn(item.Key)], k.team.revs[item.Key], k.gone[item.Key]} {
			if floor != "" && !engine.Later(item.Rev, floor) {
				return true
			}
		}
		if item.Value == nil { // it may have moved to another key
			k.gone[item.Key] = item.Rev
			if _, key, err := placeOf(item.Key); err == nil {
				delete(k.sought, key)
			}
		}
		return false
	})
}

// regroup updates the subscription and lists newly followed groups. It returns
// errMoved if everything must be listed again.
func (x *Exchange) regroup(ctx context.Context, e engine.Engine) error {
	k := x.known
	switch partly := x.Follows.Partly(); {
	case partly != k.partly:
		return errMoved
	case !partly:
		return k.fits(x.Most)
	}
	if err := x.join(ctx, e); err != nil {
		return err
	}
	if err := x.seekBefore(ctx, e); err != nil {
		return err
	}
	x.part()
	return k.fits(x.Most)
}

// join lists the newly followed groups.
func (x *Exchange) join(ctx context.Context, e engine.Engine) error {
	k, first := x.known, x.known.groups == nil
	k.sub = x.Follows
	k.learnPlans()
	now, err := x.groupsNow(ctx)
	if err != nil {
		return err
	}
	var more []string
	for group := range now {
		if at, is := k.groups[group]; is {
			now[group] = at
		} else {
			more = append(more, group)
		}
	}
	switch {
	case len(more) == 0:
	case k.grouped:
		slices.Sort(more)
		items, at, err := e.(engine.Grouped).Part(prefixesOf(more...)...).ListAt(ctx, engine.State)
		if err != nil {
			return err
		}
		for _, group := range more {
			now[group] = at
		}
		for _, key := range k.team.learn(items) {
			k.open[key] = true
		}
		k.all = true // also compare objects that exist only locally
	case !first:
		return errMoved // the remote state of the kind is unknown now
	}
	k.stale = k.stale || len(more) > 0 || len(now) != len(k.groups)
	k.groups = now
	return nil
}

// learnPlans records which plans exist remotely and which are finished. It
// examines the plans with known text.
func (k *known) learnPlans() {
	look := []iter.Seq[resources.Key]{maps.Keys(k.open)}
	if k.all {
		look = []iter.Seq[resources.Key]{maps.Keys(k.team.objects), maps.Keys(k.team.archived)}
	}
	for _, keys := range look {
		for key := range keys {
			if key.Kind == resources.WorkPlans {
				k.learnPlan(key)
			}
		}
	}
}

func (k *known) learnPlan(key resources.Key) {
	switch item := k.team.objects[key]; {
	case item.text != nil:
		plan, ok := decoded(key, item.text).(*resources.WorkPlan)
		if k.over[key.Name] = ok && over(plan); ok {
			k.waits[key.Name] = plan.Spec.DependsOn
		}
	case item.key != "": // known and unchanged
	case k.team.archived[key].key != "":
		k.over[key.Name] = true
	default:
		delete(k.over, key.Name)
	}
}

// groupsNow returns the groups to follow.
func (x *Exchange) groupsNow(ctx context.Context) (map[string]string, error) {
	now := map[string]string{ungrouped: ""}
	for _, plan := range x.Follows.Plans { // including plans that do not exist remotely yet
		if x.Follows.wants(plan, false) && resources.CheckName(plan) == nil {
			now[plan] = ""
		}
	}
	for plan, over := range x.known.over {
		if x.Follows.wants(plan, over) {
			now[plan] = ""
		}
	}
	var own map[resources.Key]here
	var err error
	if x.Own != nil {
		own, err = x.some(ctx, x.Own()...)
	}
	for key, h := range own {
		if group := groupOf(decoded(key, h.text), func(string) string { return "" }); x.known.team.objects[key].key == "" || groupIn(x.known.team.objects[key].key) == group {
			now[group] = ""
		}
	}
	for todo := slices.Collect(maps.Keys(now)); len(todo) > 0; todo = todo[1:] {
		for _, first := range x.known.waits[todo[0]] {
			if _, is := now[first]; is || x.known.over[first] || resources.CheckName(first) != nil {
				continue
			}
			now[first] = "" // only its tasks tell whether it is finished
			todo = append(todo, first)
		}
	}
	return now, err
}

// seekBefore adds the prerequisites of followed tasks in plans that are not
// followed, so that the local gate can evaluate them.
func (x *Exchange) seekBefore(ctx context.Context, e engine.Engine) error {
	k := x.known
	look := maps.Keys(k.open)
	if k.all {
		look = maps.Keys(k.team.objects)
	}
	for _, key := range slices.Collect(look) {
		t := k.team.objects[key]
		if key.Kind != resources.Tasks || t.text == nil || !k.followsGroup(groupIn(t.key)) {
			continue
		}
		for _, name := range before(decoded(key, t.text)) {
			if err := x.include(ctx, e, resources.Key{Kind: resources.Tasks, Name: name}); err != nil {
				return err
			}
		}
	}
	return nil
}

// include syncs an object individually, if it is not synced with its group.
func (x *Exchange) include(ctx context.Context, e engine.Engine, key resources.Key) error {
	k := x.known
	if t := k.team.objects[key]; k.named[key] || t.key != "" && k.followsGroup(groupIn(t.key)) || resources.CheckName(key.Name) != nil {
		return nil
	}
	k.named[key], k.open[key], k.stale = true, true, true
	return x.seek(ctx, e, key, "")
}

// seek requests one object at any key. group is the group in which to look for
// an archived one.
func (x *Exchange) seek(ctx context.Context, e engine.Engine, key resources.Key, group string) error {
	k := x.known
	if !k.grouped || k.sought[key] {
		return nil
	}
	k.sought[key] = true
	held, err := one(ctx, e, nameKey(key))
	if err != nil {
		return err
	}
	found := []engine.Item{held}
	if held.Value != nil {
		group = string(held.Value)
	}
	for _, place := range []string{objects, archived} {
		if resources.CheckName(group) != nil && group != ungrouped {
			break
		}
		item, err := one(ctx, e, engineKey(place, key, group))
		if err != nil {
			return err
		}
		found = append(found, item)
	}
	if old := k.team.objects[key].key; old != "" && groupIn(old) != group {
		found = append(found, engine.Item{Key: old})
	}
	k.team.learn(found)
	x.part() // its changes are reported from now on
	return nil
}

// one returns the current item of a key, without a value if it does not exist.
func one(ctx context.Context, e engine.Engine, key string) (engine.Item, error) {
	items, err := e.List(ctx, key)
	for _, item := range items {
		if item.Key == key {
			return item, err
		}
	}
	return engine.Item{Key: key}, err
}

// part reports the followed key prefixes to the watch.
func (x *Exchange) part() {
	k := x.known
	if !k.grouped || k.parts != nil && !k.stale {
		return
	}
	k.stale = false
	parts := prefixesOf(slices.Sorted(maps.Keys(k.groups))...)
	for _, key := range slices.SortedFunc(maps.Keys(k.named), resources.Key.Compare) {
		if t := k.team.objects[key]; t.key != "" && !k.followsGroup(groupIn(t.key)) {
			parts = append(parts, t.key)
		}
	}
	if k.parts = parts; x.Regrouped != nil {
		x.Regrouped(parts, k.at)
	}
}

// unsure drops the individually requested objects of engine keys, because this
// clone or another one (others) changed them without a report.
func (x *Exchange) unsure(keys []string, others bool) {
	if x.known == nil || !x.known.grouped {
		return
	}
	k := x.known
	for _, item := range keys {
		place, key, err := placeOf(item)
		if err != nil || place == "" || !grouped(key.Kind) || place != names && k.followsGroup(groupIn(item)) {
			continue
		}
		delete(k.sought, key)
		if k.open[key] = true; others {
			k.named[key], k.stale = true, true
		}
		if place == names {
			k.team.learn([]engine.Item{{Key: item}})
		}
	}
}

// inside reports whether an object is synced: with its group, or individually
// because of an unpushed local change. The remote state of other objects is
// unknown, so nothing is done about them.
func (l *look) inside(ctx context.Context, key resources.Key, h here) (bool, error) {
	k := l.x.known
	delete(k.outside, key)
	if k.groups == nil || !grouped(key.Kind) || l.tracked[l.x.Store.Locate(key)] {
		return true, nil
	}
	group := l.groupAt(ctx, key, h)
	switch follows := k.followsGroup(group); {
	case k.named[key]:
	case follows && (!k.grouped || l.team.objects[key].key != "" || l.team.archived[key].key != "" || l.x.base.entries[key] == nil):
		return true, nil
	case !follows && !l.unsent(ctx, key, h):
		if h.text != nil {
			k.outside[key] = true
		}
		return false, nil
	}
	k.named[key], k.stale = true, true
	return true, l.x.seek(ctx, l.e, key, group)
}

// groupAt returns the group of an object: the remote one, or else that of the
// current or last local version.
func (l *look) groupAt(ctx context.Context, key resources.Key, h here) string {
	for _, t := range []teamItem{l.team.objects[key], l.team.archived[key]} {
		if t.key != "" {
			return groupIn(t.key)
		}
	}
	text := h.text
	if text == nil {
		text = []byte(l.x.lastGood(key))
	}
	return groupOf(decoded(key, text), func(task string) string { return l.planOf(ctx, task) })
}

// unsent reports whether the object has an unpushed local change or delete
// request.
func (l *look) unsent(ctx context.Context, key resources.Key, h here) bool {
	agreed, entry := l.x.base.last(key), l.x.base.entries[key]
	switch {
	case l.removed[key], entry != nil && (entry.sent != nil || entry.seen != nil):
		return true
	case h.text != nil:
		return agreed == nil || agreed.sum != sumOf(string(h.text))
	case agreed == nil:
		return false
	}
	text, _ := l.x.Store.ReadArchived(ctx, key) // an unreadable archive entry is ignored
	return sumOf(string(text)) == agreed.sum
}

// nameHeld returns the group that owns the remote name of an object. It returns
// false if the name is free or cannot be determined.
func (l *look) nameHeld(ctx context.Context, s *step, to string) (group string, held bool) {
	group, held = l.team.names[s.key]
	if held || !l.x.known.grouped || s.team.key == "" || !grouped(s.key.Kind) {
		return group, held
	}
	if s.team.key == to {
		return groupIn(to), true // it was created together with its name
	}
	delete(l.x.known.sought, s.key)
	if err := l.x.seek(ctx, l.e, s.key, groupIn(s.team.key)); err != nil {
		l.failed = err
	}
	group, held = l.team.names[s.key]
	return group, held
}

// guarded returns an engine on which changes conflict with concurrent changes
// of the groups used in this pass.
func (l *look) guarded() engine.Engine {
	k := l.x.known
	if !k.grouped {
		return l.e
	}
	for _, together := range l.work.Ops {
		for _, op := range together.Ops {
			l.guard(op.Key)
		}
	}
	folders := slices.Sorted(maps.Keys(l.guards))
	return l.e.(engine.Grouped).Part(folders[:min(len(folders), engine.MostGuards)]...)
}

// guard adds the directory of an engine key to the guards, if its changes are
// reported.
func (l *look) guard(key string) {
	if place, _, err := placeOf(key); err == nil && place == objects && l.x.known.followsGroup(groupIn(key)) {
		l.guards[engine.Folder(key)] = true
	}
}
