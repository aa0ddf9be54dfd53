package plans

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// send adds the operations that push a version. The version replaces the known
// one, which may be in another group or archived.
func (l *look) send(ctx context.Context, s *step) {
	x := l.x
	group := groupOf(s.object, func(task string) string { return l.planOf(ctx, task) })
	to := engineKey(objects, s.key, group)
	l.op(s.key, to, pack(x.By, x.Now(), s.text))
	if s.team.key != "" && s.team.key != to {
		l.op(s.key, s.team.key, nil)
	}
	if aside := l.team.archived[s.key]; aside.key != "" {
		l.op(s.key, aside.key, nil)
	}
	if held, named := l.nameHeld(ctx, s, to); grouped(s.key.Kind) && (!named || held != group) {
		l.op(s.key, nameKey(s.key), []byte(group))
	}
	last := &l.work.Ops[len(l.work.Ops)-1]
	last.alone = s.namesNothingNew() && len(last.Ops) == 1 && to == s.team.key || l.isNew(s)
	l.work.ToSend = append(l.work.ToSend, s.key)
	l.work.Urgent = l.work.Urgent || stateOf(s.object) != stateOf(decoded(s.key, s.team.text))
}

// isNew reports whether the pushed object never existed remotely and has no
// dependencies. Such an object cannot close a cycle, and its name has its own
// guard.
func (l *look) isNew(s *step) bool {
	return s.team.key == "" && l.team.archived[s.key].key == "" && l.team.names[s.key] == "" && len(before(s.object)) == 0
}

// namesNothingNew reports whether the pushed version has only references that
// the remote version has. Such a version is valid independently of other
// objects.
func (s *step) namesNothingNew() bool {
	theirs := decoded(s.key, s.team.text)
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
	waits := before(theirs)
	return !slices.ContainsFunc(before(s.object), func(name string) bool { return !slices.Contains(waits, name) })
}

// stateOf returns the state of a task. For other kinds it returns the initial
// state.
func stateOf(o resources.Object) string {
	if t, ok := o.(*resources.Task); ok {
		return resources.TaskState(t)
	}
	return resources.TaskPlanned
}

// retire adds the operations that archive an object remotely.
func (l *look) retire(ctx context.Context, s *step) {
	l.op(s.key, s.team.key, nil)
	l.op(s.key, engineKey(archived, s.key, groupIn(s.team.key)), pack(l.x.By, l.x.Now(), s.team.text))
	if _, named := l.nameHeld(ctx, s, ""); named {
		l.op(s.key, nameKey(s.key), nil)
	}
	l.work.ToSend = append(l.work.ToSend, s.key)
}

// op adds an operation to the transaction of an object.
func (l *look) op(object resources.Key, key string, value []byte) {
	if n := len(l.work.Ops); n == 0 || l.work.Ops[n-1].Object != object {
		l.work.Ops = append(l.work.Ops, Together{Object: object, sends: true})
	}
	last := &l.work.Ops[len(l.work.Ops)-1]
	last.Ops = append(last.Ops, engine.Op{Key: key, Was: l.team.revs[key], Value: value})
}

func nameKey(key resources.Key) string { return names + key.Kind + "/" + key.Name }

// planOf returns the plan of a local or remote task.
func (l *look) planOf(ctx context.Context, task string) string {
	t, ok := l.after(ctx, resources.Key{Kind: resources.Tasks, Name: task}).(*resources.Task)
	if !ok {
		return ""
	}
	return t.Spec.WorkPlan
}
