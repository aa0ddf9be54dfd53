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

// Who asks for a change of an object.
type Who struct {
	As      Asker
	Session string // of an Agent; "" where no hook recorded it
	Forced  bool   // an object may go though others hold on to it
	// TakeOver: a task may be started though somebody else works on it elsewhere; by a Person
	// also one that somebody here holds.
	TakeOver bool
	// MayDecide reports whether an Agent decides about the decision of that name: its role does, or a person
	// let it. nil: it never does.
	MayDecide func(decision string) bool
	Bypass    []string // words of the command that go past chain rules: --force, --emergency
}

func (w Who) mayDecide(decision string) bool { return w.MayDecide != nil && w.MayDecide(decision) }

// Asker is a sort of those who change objects.
type Asker int

// The sorts of askers.
const (
	Person     Asker = iota // whoever types a command
	Agent                   // an agent, by a tool or by the queue
	Controller              // a loop of the controller's
	Importer                // what is taken over from elsewhere: its circles and loose ends are kept and marked
)

// Objects are what a change is judged by: what there will be once it is made.
type Objects interface {
	status.View
	status.Artifacts
	memory.Graph
	// Get returns the last good version of what will be there.
	Get(key resources.Key) (resources.Object, bool)
	identities
	// Delegates returns the sessions that work under that delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// ActiveTasks returns the names of the tasks with spec.state active, sorted.
	ActiveTasks() []string
	// RoleNamed returns the role that an agent of that name acts in; nil if no role names it.
	RoleNamed(agent string) *resources.Role
	// PlanTasks returns the names of the tasks that a plan will have, sorted.
	PlanTasks(plan string) []string
	// MayCircle reports whether the object may stand in a circle of references: false
	// spares following them.
	MayCircle(key resources.Key) bool
	// Other returns the lease of whoever else than that session ("" is a person)
	// has a task to themselves; nil if it is free for that session.
	Other(t *resources.Task, session string) *resources.Lease
	// CameActive reports whether a task is active and assigned to somebody, and nobody here ever
	// started it: it came by git as somebody else's.
	CameActive(t *resources.Task) bool
	// Before is what there is as long as the change is not made.
	Before() Objects
}

// Judge returns what keeps a change from being made, by whichever verb, tool or file it
// comes: nil, a *apierrors.Status or a *apierrors.Refusal. old is nil for a new object,
// and next for one that goes.
func Judge(old, next resources.Object, who Who, v Objects) error {
	if next == nil {
		return cmp.Or(judgeCommentGone(old, who), judgeAgent(old, nil, who, v), judgeRemoval(old, who, v))
	}
	errs := resources.Validate(next)
	if len(errs) == 0 && who.As != Importer {
		errs = checkTags(next, old)
	}
	if len(errs) > 0 || who.As == Importer {
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
	if old == nil && who.As == Agent {
		if err := judgeArchived(next, v.Before().Archived(next.Key())); err != nil {
			return err
		}
	}
	if d, ok := next.(*resources.Delegation); ok && old == nil {
		return judgeHandOver(d, who, v)
	}
	return nil
}

// Invalid says which rules an object breaks; nil if it breaks none. The text
// stands alone, as kubectl prints it.
func Invalid(key resources.Key, errs []resources.FieldError) error {
	err := resources.Invalid(key, errs)
	if err == nil {
		return nil
	}
	return &apierrors.Status{Message: err.Error(), Err: err}
}

// newFaults are names that nothing has, circles, and what breaks a rule of the kind. What a
// reference said before may stay as it is, also if it leads nowhere by now: an object whose
// chain is broken must still be labelled, failed or abandoned.
func newFaults(old, next resources.Object, v Objects) []resources.FieldError {
	errs := faults(next, v, v.MayCircle(next.Key()))
	if name := next.Head().Metadata.Name; old == nil && resources.ReservedName(name) {
		errs = append(errs, resources.FieldError{Field: "metadata.name", Detail: fmt.Sprintf("Invalid value: %q: Windows keeps this name for a device, so a clone there cannot hold the file; choose another one", name)})
	}
	errs = append(errs, disowned(old, next)...)
	if len(errs) == 0 || old == nil {
		return errs
	}
	were := faults(old, v, true)
	return slices.DeleteFunc(errs, func(e resources.FieldError) bool {
		return slices.ContainsFunc(were, func(was resources.FieldError) bool { return was.Detail == e.Detail })
	})
}

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
		errs = append(errs, resources.Forbidden("spec.supersedes", "the file of "+old.String()+" cannot be read, so nobody knows what it would replace; mend it first: idumb doctor"))
	}
	return errs
}

// disowned: a false path that is called something else could be purged, or fade.
func disowned(old, next resources.Object) []resources.FieldError {
	m, isMem := next.(*resources.Mem)
	was, wasMem := old.(*resources.Mem)
	if !isMem || !wasMem || was.Spec.Type != resources.FalsePath || m.Spec.Type == resources.FalsePath {
		return nil
	}
	return []resources.FieldError{resources.Forbidden("spec.type", "a false path ends only by a mem that replaces it and says why: idumb supersede mem "+m.Metadata.Name)}
}

// judgeRemoval refuses to let a mem go by which another one is out of use: what was
// replaced would hold again, in every context, and nobody would have said so. And it refuses
// to let a false path go that holds: it ends only by a mem that says why.
func judgeRemoval(old resources.Object, who Who, v Objects) error {
	if t, ok := old.(*resources.Task); ok && who.As == Agent && who.Session != "" {
		return mayTake(t, who, v, End)
	} else if ok {
		return judgeHeldGone(t, who, v)
	}
	if a, ok := old.(*resources.Artifact); ok && !who.Forced {
		return judgeArtifactRemoval(a, v)
	}
	m, ok := old.(*resources.Mem)
	if !ok || who.Forced {
		return nil
	}
	name, before := m.Metadata.Name, v.Before()
	refused := func(why string) error {
		return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf("%s.%s %q cannot go: %s", resources.Mems, resources.Group, name, why)}
	}
	if m.Spec.Type == resources.FalsePath && memory.Live(m, before, v.Now()) {
		return refused("a false path ends only by a mem that replaces it and says why (idumb supersede mem " + name +
			" --content TEXT --reason WHY), or nobody knows any more what not to do; --cascade=orphan lets it go all the same")
	}
	replaced := v.Mem(m.Spec.Supersedes)
	if m.Spec.Supersedes == "" || replaced == nil || memory.Live(replaced, before, v.Now()) || !memory.Live(replaced, v, v.Now()) {
		return nil
	}
	return refused(fmt.Sprintf("it takes the place of mem/%s, which would hold again; idumb mem purge %s takes both out of use, --cascade=orphan lets that one come back",
		replaced.Metadata.Name, name))
}

// judgeArtifactRemoval refuses to let an artifact go by which another one is superseded, and which
// would hold again.
func judgeArtifactRemoval(a *resources.Artifact, v Objects) error {
	old, ok := v.Artifact(a.Spec.Supersedes)
	if a.Spec.Supersedes == "" || !ok || !resources.OpenArtifact(old) {
		return nil
	}
	if by, _ := status.Replaced(old, v); by != "" {
		return nil
	}
	return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf("%s.%s %q cannot go: it takes the place of artifact/%s, which would hold again; idumb artifact abandon %s --reason WHY takes it out of use, --cascade=orphan lets that one come back",
		resources.Artifacts, resources.Group, a.Metadata.Name, old.Metadata.Name, a.Metadata.Name)}
}
