package exchange

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// subscriptionState is the state of the subscription in an exchange. The zero value
// follows everything.
type subscriptionState struct {
	sub         *Subscription
	partly      bool                   // not everything is followed
	grouped     bool                   // the engine lists only the followed part, so the rest is unknown
	groups      map[string]string      // followed groups and the revisions of their listings; nil for all
	finished    map[string]bool        // remote plan -> it is finished
	waits       map[string][]string    // remote plan -> plans on which it depends
	named       map[resources.Key]bool // objects that are synced individually, regardless of their group
	requested   map[resources.Key]bool // objects that were requested individually
	removals    map[string]string      // revisions of the removals of items
	notFollowed map[resources.Key]bool // local objects that are not followed
	parts       []string               // key prefixes of the followed part
	partsStale  bool                   // parts must be recomputed
}

// followsGroup reports whether the objects of a group are synced.
func (f *subscriptionState) followsGroup(group string) bool {
	if _, is := f.groups[group]; is || f.groups == nil {
		return true
	}
	_, known := f.finished[group]
	return !f.grouped && !known && f.sub.wants(group, false) // a plan that does not exist remotely is not finished
}

// unfollowed reports whether a plan exists remotely, is not finished, and its
// tasks are not all local.
func (f *subscriptionState) unfollowed(plan string) bool {
	over, known := f.finished[plan]
	return known && !over && !f.followsGroup(plan)
}

// follows reports whether a remote object is synced.
func (f *subscriptionState) follows(key resources.Key, t remoteObject) bool {
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

// newItems removes the items without new information: a watch may report items that
// were already listed and items that are not followed. It records the revisions of
// removals.
func (k *passState) newItems(items []engine.Item) []engine.Item {
	if !k.grouped {
		return items
	}
	return slices.DeleteFunc(items, func(item engine.Item) bool {
		if !engine.HasPrefix(item.Key, k.parts) {
			return true
		}
		for _, floor := range []string{k.groups[groupIn(item.Key)], k.team.revs[item.Key], k.removals[item.Key]} {
			if floor != "" && !engine.Later(item.Rev, floor) {
				return true
			}
		}
		if item.Value == nil { // it may have moved to another key
			k.removals[item.Key] = item.Rev
			if _, key, err := placeOf(item.Key); err == nil {
				delete(k.requested, key)
			}
		}
		return false
	})
}

// regroup updates the subscription and lists newly followed groups. It returns
// errRemoteChanged if everything must be listed again.
func (x *Exchange) regroup(ctx context.Context, e engine.Engine) error {
	k := x.passState
	switch partly := x.Follows.Partly(); {
	case partly != k.partly:
		return errRemoteChanged
	case !partly:
		return k.checkLimit(x.MaxObjects)
	}
	if err := x.join(ctx, e); err != nil {
		return err
	}
	if err := x.requestDependencies(ctx, e); err != nil {
		return err
	}
	x.reportParts()
	return k.checkLimit(x.MaxObjects)
}

// join lists the newly followed groups.
func (x *Exchange) join(ctx context.Context, e engine.Engine) error {
	k, first := x.passState, x.passState.groups == nil
	k.sub = x.Follows
	// only the plans with known text
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
		return errRemoteChanged // the remote state of the kind is unknown now
	}
	k.partsStale = k.partsStale || len(more) > 0 || len(now) != len(k.groups)
	k.groups = now
	return nil
}

// learnPlan records whether a plan exists remotely and is finished, and the
// plans that it depends on.
func (k *passState) learnPlan(key resources.Key) {
	switch item := k.team.objects[key]; {
	case item.text != nil:
		plan, ok := decoded(key, item.text).(*resources.WorkPlan)
		if k.finished[key.Name] = ok && isFinished(plan); ok {
			k.waits[key.Name] = plan.Spec.DependsOn
		}
	case item.key != "": // known and unchanged
	case k.team.archived[key].key != "":
		k.finished[key.Name] = true
	default:
		delete(k.finished, key.Name)
	}
}

// groupsNow returns the plans whose objects this clone must follow: the
// subscribed ones, those of its own tasks, and their prerequisites.
func (x *Exchange) groupsNow(ctx context.Context) (map[string]string, error) {
	now := map[string]string{ungrouped: ""}
	for _, plan := range x.Follows.Plans { // including plans that do not exist remotely yet
		if x.Follows.wants(plan, false) && resources.CheckName(plan) == nil {
			now[plan] = ""
		}
	}
	for plan, over := range x.passState.finished {
		if x.Follows.wants(plan, over) {
			now[plan] = ""
		}
	}
	var own map[resources.Key]localState
	var err error
	if x.OwnKeys != nil {
		own, err = x.readObjects(ctx, x.OwnKeys()...)
	}
	for key, h := range own {
		if group := groupOf(decoded(key, h.text), func(string) string { return "" }); x.passState.team.objects[key].key == "" || groupIn(x.passState.team.objects[key].key) == group {
			now[group] = ""
		}
	}
	for todo := slices.Collect(maps.Keys(now)); len(todo) > 0; todo = todo[1:] {
		for _, first := range x.passState.waits[todo[0]] {
			if _, is := now[first]; is || x.passState.finished[first] || resources.CheckName(first) != nil {
				continue
			}
			now[first] = "" // only its tasks tell whether it is finished
			todo = append(todo, first)
		}
	}
	return now, err
}

// requestDependencies adds the prerequisites of followed tasks in plans that are not
// followed, so that the local gate can evaluate them.
func (x *Exchange) requestDependencies(ctx context.Context, e engine.Engine) error {
	k := x.passState
	look := maps.Keys(k.open)
	if k.all {
		look = maps.Keys(k.team.objects)
	}
	for _, key := range slices.Collect(look) {
		t := k.team.objects[key]
		if key.Kind != resources.Tasks || t.text == nil || !k.followsGroup(groupIn(t.key)) {
			continue
		}
		for _, name := range dependenciesOf(decoded(key, t.text)) {
			if err := x.addIndividual(ctx, e, resources.Key{Kind: resources.Tasks, Name: name}); err != nil {
				return err
			}
		}
	}
	return nil
}

// addIndividual syncs an object individually, if it is not synced with its group.
func (x *Exchange) addIndividual(ctx context.Context, e engine.Engine, key resources.Key) error {
	k := x.passState
	if t := k.team.objects[key]; k.named[key] || t.key != "" && k.followsGroup(groupIn(t.key)) || resources.CheckName(key.Name) != nil {
		return nil
	}
	k.named[key], k.open[key], k.partsStale = true, true, true
	return x.request(ctx, e, key, "")
}

// request requests one object at any key. group is the group in which to look for
// an archived one.
func (x *Exchange) request(ctx context.Context, e engine.Engine, key resources.Key, group string) error {
	k := x.passState
	if !k.grouped || k.requested[key] {
		return nil
	}
	k.requested[key] = true
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
	x.reportParts() // its changes are reported from now on
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

// reportParts reports the followed key prefixes to the watch.
func (x *Exchange) reportParts() {
	k := x.passState
	if !k.grouped || k.parts != nil && !k.partsStale {
		return
	}
	k.partsStale = false
	parts := prefixesOf(slices.Sorted(maps.Keys(k.groups))...)
	for _, key := range slices.SortedFunc(maps.Keys(k.named), resources.Key.Compare) {
		if t := k.team.objects[key]; t.key != "" && !k.followsGroup(groupIn(t.key)) {
			parts = append(parts, t.key)
		}
	}
	if k.parts = parts; x.OnRegroup != nil {
		x.OnRegroup(parts, k.revision)
	}
}

// dropUnreported drops the individually requested objects of engine keys, because this
// clone or another one (others) changed them without a report.
func (x *Exchange) dropUnreported(keys []string, others bool) {
	if x.passState == nil || !x.passState.grouped {
		return
	}
	k := x.passState
	for _, item := range keys {
		place, key, err := placeOf(item)
		if err != nil || place == "" || !grouped(key.Kind) || place != names && k.followsGroup(groupIn(item)) {
			continue
		}
		delete(k.requested, key)
		if k.open[key] = true; others {
			k.named[key], k.partsStale = true, true
		}
		if place == names {
			k.team.learn([]engine.Item{{Key: item}})
		}
	}
}

// isInside reports whether an object is synced: with its group, or individually
// because of an unpushed local change. It requests the remote version of an
// object that is synced individually. The remote state of other objects is
// unknown, so nothing is done about them.
func (l *pass) isInside(ctx context.Context, key resources.Key, h localState) (bool, error) {
	k := l.x.passState
	delete(k.notFollowed, key)
	if k.groups == nil || !grouped(key.Kind) || l.tracked[l.x.Store.Locate(key)] {
		return true, nil
	}
	group := l.currentGroup(ctx, key, h)
	switch follows := k.followsGroup(group); {
	case k.named[key]:
	case follows && (!k.grouped || l.remote.objects[key].key != "" || l.remote.archived[key].key != "" || l.x.base.entries[key] == nil):
		return true, nil
	case !follows && !l.hasUnpushed(ctx, key, h):
		if h.text != nil {
			k.notFollowed[key] = true
		}
		return false, nil
	}
	k.named[key], k.partsStale = true, true
	return true, l.x.request(ctx, l.engine, key, group)
}

// currentGroup returns the group of an object: the remote one, or else that of the
// current or last local version.
func (l *pass) currentGroup(ctx context.Context, key resources.Key, h localState) string {
	for _, t := range []remoteObject{l.remote.objects[key], l.remote.archived[key]} {
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

// hasUnpushed reports whether the object has an unpushed local change or delete
// request.
func (l *pass) hasUnpushed(ctx context.Context, key resources.Key, h localState) bool {
	agreed, entry := l.x.base.last(key), l.x.base.entries[key]
	switch {
	case l.deleteRequests[key], entry != nil && (entry.lastPush != nil || entry.lastLocal != nil):
		return true
	case h.text != nil:
		return agreed == nil || agreed.sum != hashOf(string(h.text))
	case agreed == nil:
		return false
	}
	text, _ := l.x.Store.ReadArchived(ctx, key) // an unreadable archive entry is ignored
	return hashOf(string(text)) == agreed.sum
}

// nameGroup returns the group that owns the remote name of an object. It returns
// false if the name is free, or cannot be read; l.err is then the error.
func (l *pass) nameGroup(ctx context.Context, s *step, to string) (group string, held bool) {
	group, held = l.remote.names[s.key]
	if held || !l.x.passState.grouped || s.remote.key == "" || !grouped(s.key.Kind) {
		return group, held
	}
	if s.remote.key == to {
		return groupIn(to), true // it was created together with its name
	}
	delete(l.x.passState.requested, s.key)
	if err := l.x.request(ctx, l.engine, s.key, groupIn(s.remote.key)); err != nil {
		l.err = err
	}
	group, held = l.remote.names[s.key]
	return group, held
}

// guardedEngine returns an engine on which changes conflict with concurrent changes
// of the groups used in this pass.
func (l *pass) guardedEngine() engine.Engine {
	if k := l.x.passState; !k.grouped {
		return l.engine
	}
	for _, together := range l.plan.Ops {
		for _, op := range together.Ops {
			l.guard(op.Key)
		}
	}
	folders := slices.Sorted(maps.Keys(l.guards))
	return l.engine.(engine.Grouped).Part(folders[:min(len(folders), engine.MostGuards)]...)
}

// guard adds the directory of an engine key to the guards, if its changes are
// reported.
func (l *pass) guard(key string) {
	if place, _, err := placeOf(key); err == nil && place == objects && l.x.passState.followsGroup(groupIn(key)) {
		l.guards[engine.Folder(key)] = true
	}
}
