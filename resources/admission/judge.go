package admission

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Author is the requester of a change.
type Author struct {
	Kind    Asker
	Session string // session of an Agent; empty if no hook recorded it
	Forced  bool   // delete the object even if it is in use
	// TakeOver allows starting a task that is active in another clone. For a
	// Person, also one that is held in this clone.
	TakeOver bool
	// MayDecide reports whether an Agent may make a decision, by its role or with
	// approval of a person. nil means never.
	MayDecide func(decision string) bool
	Bypass    []string // words of the command that bypass chain rules: --force, --emergency
}

// mayDecide reports whether the requester may accept, reject or change a decision.
func (w Author) mayDecide(decision string) bool { return w.MayDecide != nil && w.MayDecide(decision) }

// Asker is a kind of requester.
type Asker int

// Kinds of requesters.
const (
	Person     Asker = iota // a person, by command
	Agent                   // an agent, by tool or queue
	Controller              // a loop of the controller
	Importer                // an import, whose cycles and broken references are kept and marked
)

// Objects is the state after a change, against which the change is judged.
type Objects interface {
	status.View
	status.Artifacts
	memory.Graph
	// Get returns the last valid version of an object after the change.
	Get(key resources.Key) (resources.Object, bool)
	identities
	// Delegates returns the sessions that work under a delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// ActiveTasks returns the names of the tasks with spec.state active, sorted.
	ActiveTasks() []string
	// RoleNamed returns the role of an agent, or nil if no role names it.
	RoleNamed(agent string) *resources.Role
	// PlanTasks returns the names of the tasks of a plan after the change, sorted.
	PlanTasks(plan string) []string
	// MayCircle reports whether an object may be in a reference cycle. If not,
	// its references are not followed.
	MayCircle(key resources.Key) bool
	// OtherLease returns the lease of another session on a task, or nil if the
	// task is free. session is "" for a person.
	OtherLease(t *resources.Task, session string) *resources.Lease
	// CameActive reports whether a task is active and assigned, but was never started in
	// this clone: it was received by git.
	CameActive(t *resources.Task) bool
	// Original returns the state before the change.
	Original() Objects
}

// Judge checks a change by any verb, tool or file. It returns nil, a *apierrors.Status or a
// *apierrors.Refusal. old is nil for a new object, and next for a deleted one.
func Judge(old, next resources.Object, who Author, v Objects) error {
	if next == nil {
		return cmp.Or(judgeCommentGone(old, who), judgeAgent(old, nil, who, v), judgeRemoval(old, who, v))
	}
	errs := resources.Validate(next)
	if len(errs) == 0 && who.Kind != Importer {
		errs = checkTags(next, old)
	}
	if len(errs) > 0 || who.Kind == Importer {
		return Invalid(next.Key(), errs)
	}
	if err := Invalid(next.Key(), newFaults(old, next, v)); err != nil {
		return err
	}
	if err := judgeComment(old, next, who, v); err != nil {
		return err
	}
	if err := cmp.Or(judgeOwner(old, next, who, v), judgeReadHead(next, who, v), judgeAgent(old, next, who, v)); err != nil {
		return err
	}
	if old == nil && who.Kind == Agent {
		if err := cmp.Or(judgeArchived(next, v.Original().Archived(next.Key())), judgeReused(next, v.Original())); err != nil {
			return err
		}
	}
	if d, ok := next.(*resources.Delegation); ok && old == nil {
		return judgeHandOver(d, who, v)
	}
	return nil
}

// Invalid returns an error with the rules that an object violates, or nil. The text is
// complete, as in kubectl.
func Invalid(key resources.Key, errs []resources.FieldError) error {
	err := resources.Invalid(key, errs)
	if err == nil {
		return nil
	}
	return &apierrors.Status{Message: err.Error(), Err: err}
}

// newFaults returns references to missing objects, cycles and violated rules of the kind.
// References that existed before the change may stay broken, so that such objects can still
// be labelled, failed or abandoned.
func newFaults(old, next resources.Object, v Objects) []resources.FieldError {
	errs := faults(next, v, v.MayCircle(next.Key()))
	if name := next.Head().Metadata.Name; old == nil && resources.ReservedName(name) {
		errs = append(errs, resources.FieldError{Field: "metadata.name", Detail: fmt.Sprintf("Invalid value: %q: Windows keeps this name for a device, so a clone there cannot hold the file; choose another one", name)})
	}
	errs = append(errs, disowned(old, next)...)
	if t, ok := next.(*resources.Task); ok {
		was, _ := old.(*resources.Task)
		errs = append(errs, status.CheckLevel(was, t, v, v.PlanTasks)...)
	}
	if len(errs) == 0 || old == nil {
		return errs
	}
	were := faults(old, v, true)
	return slices.DeleteFunc(errs, func(e resources.FieldError) bool {
		return slices.ContainsFunc(were, func(was resources.FieldError) bool { return was.Detail == e.Detail })
	})
}

// faults returns all broken references and violated rules of an object. It checks for cycles only
// if mayCircle is true.
func faults(o resources.Object, v Objects, mayCircle bool) []resources.FieldError {
	errs := resources.CheckReferences(o, v)
	if mayCircle {
		errs = append(errs, status.CheckCycle(o, v)...)
	}
	if a, ok := o.(*resources.Artifact); ok {
		return append(errs, status.CheckArtifact(a, v)...)
	}
	m, ok := o.(*resources.Mem)
	if !ok {
		return errs
	}
	errs = append(errs, memory.Check(m, v)...)
	if old := (resources.Key{Kind: resources.Mems, Name: m.Spec.Supersedes}); old.Name != "" && v.Mem(old.Name) == nil && v.Exists(old) {
		errs = append(errs, resources.Forbidden("spec.supersedes", "the file of "+old.String()+" cannot be read, so it cannot be replaced; repair it first: idumb doctor"))
	}
	return errs
}

// disowned rejects to change the category of a false path. It could then expire or be
// purged.
func disowned(old, next resources.Object) []resources.FieldError {
	m, isMem := next.(*resources.Mem)
	was, wasMem := old.(*resources.Mem)
	if !isMem || !wasMem || was.Spec.Type != resources.FalsePath || m.Spec.Type == resources.FalsePath {
		return nil
	}
	return []resources.FieldError{resources.Forbidden("spec.type", "it records a failed approach, which only another mem with a reason can replace: idumb supersede mem "+m.Metadata.Name)}
}

// judgeRemoval rejects deleting a mem or an artifact that replaces another one,
// because the replaced one would silently become valid again. It also rejects
// deleting a valid false path, which can only be ended by a mem with the
// reason, and a task that the requester may not end.
func judgeRemoval(old resources.Object, who Author, v Objects) error {
	if t, ok := old.(*resources.Task); ok && who.Kind == Agent && who.Session != "" {
		return mayTake(t, who, v, End)
	} else if ok {
		// Another clone may work on the task.
		l := v.OtherLease(t, ActsFor(who, v))
		if l == nil || !l.InOtherClone() || l.Ended() != "" || who.Forced || who.Kind == Controller || who.Kind == Importer {
			return nil
		}
		step := "leave it to them"
		if who.Kind == Person {
			step += ", or take it over first: " + fmt.Sprintf(takeOver[resources.TaskActive], t.Metadata.Name)
		}
		return apierrors.Refuse(HeldByOther, fmt.Sprintf("cannot remove task %q", t.Metadata.Name), HeldSince(l, v.Now()), step)
	}
	if a, ok := old.(*resources.Artifact); ok && !who.Forced {
		return judgeArtifactRemoval(a, v)
	}
	m, ok := old.(*resources.Mem)
	if !ok || who.Forced {
		return nil
	}
	name, before := m.Metadata.Name, v.Original()
	refused := func(why string) error {
		return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf("%s.%s %q cannot be removed: %s", resources.Mems, resources.Group, name, why)}
	}
	if m.Spec.Type == resources.FalsePath && memory.Live(m, before, v.Now()) {
		return refused("it records a failed approach, which only another mem with a reason can replace (idumb supersede mem " + name +
			" --content TEXT --reason WHY), so that its warning is not lost; --cascade=orphan deletes it anyway")
	}
	replaced := v.Mem(m.Spec.Supersedes)
	if m.Spec.Supersedes == "" || replaced == nil || memory.Live(replaced, before, v.Now()) || !memory.Live(replaced, v, v.Now()) {
		return nil
	}
	return refused(fmt.Sprintf("it replaces mem/%s, which would be in effect again; idumb mem purge %s removes both from the context, --cascade=orphan restores the replaced mem",
		replaced.Metadata.Name, name))
}

// judgeArtifactRemoval rejects deleting an artifact that supersedes another one, which
// would become valid again.
func judgeArtifactRemoval(a *resources.Artifact, v Objects) error {
	old, ok := v.Artifact(a.Spec.Supersedes)
	if a.Spec.Supersedes == "" || !ok || !resources.OpenArtifact(old) {
		return nil
	}
	if by, _ := status.Replaced(old, v); by != "" {
		return nil
	}
	return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf("%s.%s %q cannot be removed: it replaces artifact/%s, which would be in effect again; idumb artifact abandon %s --reason WHY ends both, --cascade=orphan restores the replaced artifact",
		resources.Artifacts, resources.Group, a.Metadata.Name, old.Metadata.Name, a.Metadata.Name)}
}
