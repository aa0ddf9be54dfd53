package exchange

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// push adds the operations that push a version. The version replaces the known
// one, which may be in another group or archived.
func (l *pass) push(ctx context.Context, s *step) {
	x := l.x
	group := groupOf(s.object, func(task string) string { return l.planOf(ctx, task) })
	to := engineKey(objects, s.key, group)
	l.addOp(s.key, to, pack(x.Machine, x.Now(), s.text))
	if s.remote.key != "" && s.remote.key != to {
		l.addOp(s.key, s.remote.key, nil)
	}
	if aside := l.remote.archived[s.key]; aside.key != "" {
		l.addOp(s.key, aside.key, nil)
	}
	if held, named := l.nameGroup(ctx, s, to); grouped(s.key.Kind) && (!named || held != group) {
		l.addOp(s.key, nameKey(s.key), []byte(group))
	}
	last := &l.plan.Ops[len(l.plan.Ops)-1]
	last.independent = s.namesNothingNew() && len(last.Ops) == 1 && to == s.remote.key || l.isNew(s)
	l.plan.ToSend = append(l.plan.ToSend, s.key)
	l.plan.Urgent = l.plan.Urgent || stateOf(s.object) != stateOf(decoded(s.key, s.remote.text))
}

// isNew reports whether the pushed object never existed remotely and has no
// dependencies. Such an object cannot close a cycle, and its name has its own
// guard.
func (l *pass) isNew(s *step) bool {
	return s.remote.key == "" && l.remote.archived[s.key].key == "" && l.remote.names[s.key] == "" && len(dependenciesOf(s.object)) == 0
}

// namesNothingNew reports whether the pushed version has only references that
// the remote version has. Such a version is valid independently of other
// objects.
func (s *step) namesNothingNew() bool {
	theirs := decoded(s.key, s.remote.text)
	if theirs == nil {
		return false
	}
	named := map[resources.Key]bool{}
	for _, r := range resources.References(theirs) {
		named[r.Key] = true
	}
	if slices.ContainsFunc(resources.References(s.object), func(r resources.Reference) bool { return !named[r.Key] }) {
		return false
	}
	waits := dependenciesOf(theirs)
	return !slices.ContainsFunc(dependenciesOf(s.object), func(name string) bool { return !slices.Contains(waits, name) })
}

// stateOf returns the state of a task. For other kinds it returns the initial
// state.
func stateOf(o resources.Object) string {
	if t, ok := o.(*resources.Task); ok {
		return resources.TaskState(t)
	}
	return resources.TaskPlanned
}

// archiveRemote adds the operations that archive an object remotely.
func (l *pass) archiveRemote(ctx context.Context, s *step) {
	l.addOp(s.key, s.remote.key, nil)
	l.addOp(s.key, engineKey(archived, s.key, groupIn(s.remote.key)), pack(l.x.Machine, l.x.Now(), s.remote.text))
	if _, named := l.nameGroup(ctx, s, ""); named {
		l.addOp(s.key, nameKey(s.key), nil)
	}
	l.plan.ToSend = append(l.plan.ToSend, s.key)
}

// addOp adds an operation to the transaction of an object.
func (l *pass) addOp(object resources.Key, key string, value []byte) {
	if n := len(l.plan.Ops); n == 0 || l.plan.Ops[n-1].Object != object {
		l.plan.Ops = append(l.plan.Ops, Batch{Object: object, isPush: true})
	}
	last := &l.plan.Ops[len(l.plan.Ops)-1]
	last.Ops = append(last.Ops, engine.Op{Key: key, Was: l.remote.revs[key], Value: value})
}

// nameKey returns the engine key that reserves the name of an object across
// groups.
func nameKey(key resources.Key) string { return names + key.Kind + "/" + key.Name }

// planOf returns the plan of a local or remote task, or "".
func (l *pass) planOf(ctx context.Context, task string) string {
	t, ok := l.localAfter(ctx, resources.Key{Kind: resources.Tasks, Name: task}).(*resources.Task)
	if !ok {
		return ""
	}
	return t.Spec.WorkPlan
}
