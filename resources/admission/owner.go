package admission

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Causes of denied access to a task.
const (
	HeldByOther    apierrors.Cause = "Held"      // leased by another session or a person
	FromOtherClone apierrors.Cause = "Came"      // active in git for another owner
	Back           apierrors.Cause = "Back"      // delegation of the agent has ended
	NotHanded      apierrors.Cause = "NotHanded" // delegate has another task
)

// judgeOwner enforces that a task has one owner. Agents can neither start nor end a task
// of another holder. A person can end it, and start it by taking it over.
func judgeOwner(old, next resources.Object, who Author, v Objects) error {
	t, ok := next.(*resources.Task)
	was, _ := old.(*resources.Task)
	if !ok || was == nil || who.Kind == Controller || resources.TaskState(was) == resources.TaskState(t) {
		return nil
	}
	act := actTo(resources.TaskState(t))
	if act != Start && (who.Kind == Person || who.Kind == Agent && who.Session == "") {
		return MayEnd(was, resources.TaskState(t), who, v) // callers without a recorded session were checked by the gate
	}
	return mayTake(was, who, v, act)
}

// MayEnd returns an error if the author may not change a task to an inactive state or defer
// it. Tasks that another clone holds or ended can only be ended by a person who takes them
// over.
func MayEnd(t *resources.Task, state string, who Author, v Objects) error {
	l := v.OtherLease(t, ActsFor(who, v))
	if l == nil || !l.InOtherClone() || who.Kind == Controller || who.Kind == Importer || who.TakeOver && who.Kind == Person {
		return nil
	}
	return RefuseHeld(t, l, who, state, v.Now())
}

// actTo returns the act that changes a task to a state.
func actTo(state string) Act {
	switch state {
	case resources.TaskActive:
		return Start
	case resources.TaskCompleted:
		return Complete
	}
	return End
}

// MayStart returns an error if the author may not become the owner of a task in any state. It
// is also called for active tasks, where a start changes nothing.
func MayStart(t *resources.Task, who Author, v Objects) error {
	err := mayTake(t, who, v, Start)
	if err != nil || who.TakeOver || !v.CameActive(t) || v.RoleNamed(t.Spec.AssignedTo) != nil { // any agent in the assigned role may start it
		return err
	}
	return apierrors.Refuse(FromOtherClone, fmt.Sprintf("cannot start task %q", t.Metadata.Name),
		fmt.Sprintf("it is active and assigned to %q, and it came by git: it was not started in this clone", t.Spec.AssignedTo),
		"leave it to its assignee, or take it over: idumb start "+t.Metadata.Name+" --take-over")
}

// mayTake checks an act against the common decision in caller.bar. Users are only checked
// against the lease, and not if they take the task over.
func mayTake(t *resources.Task, who Author, v Objects, act Act) error {
	b := barTo(act, t, who, v)
	switch {
	case b == nil, b.Cause == HeldByOther && who.TakeOver && who.Kind == Person:
		return nil
	case b.Cause == HeldByOther:
		state := resources.TaskPlanned
		if act == Start {
			state = resources.TaskActive
		}
		return RefuseHeld(t, b.Lease, who, state, v.Now())
	case b.Cause == Back:
		return apierrors.Refuse(Back, fmt.Sprintf("cannot change the state of task %q", t.Metadata.Name), b.Why, "end your turn with a report to the agent that started you")
	}
	verb, step := "start", "leave it to an agent of that role; tasks that are free for you: idumb next"
	if b.Cause == Delegated {
		step = "leave it to its delegate; tasks that are free for you: idumb next"
	}
	if act == Complete {
		verb = "complete"
	}
	if b.Cause == NotHanded {
		step = "work on your own task, and tell the agent that started you which other work is needed"
	}
	return apierrors.Refuse(b.Cause, fmt.Sprintf("cannot %s task %q", verb, t.Metadata.Name), b.Why, step)
}

// barTo returns the reason why a requester may not perform an act, or nil. Agents without a
// recorded session were checked by the gate. For them only the lease is checked at a start.
func barTo(act Act, t *resources.Task, who Author, v Objects) *Bar {
	switch {
	case who.Kind == Agent && who.Session != "":
		return callerOf(who, v).bar(act, t, v)
	case who.Kind != Person && act != Start:
		return nil
	}
	if l := v.OtherLease(t, ActsFor(who, v)); l != nil {
		return &Bar{Cause: HeldByOther, Why: HeldSince(l, v.Now()), Lease: l}
	}
	return nil
}

// callerOf returns the agent on whose behalf a change is requested, according to its
// session record.
func callerOf(who Author, v Objects) *caller {
	call := Call{Session: who.Session}
	if s, ok := v.Session(who.Session); ok {
		call.Agent, call.Role = s.Spec.Agent, s.Spec.Role
	}
	return identify(call, v)
}

// RefuseHeld returns the error for changing the state of a task of another holder.
func RefuseHeld(t *resources.Task, l *resources.Lease, who Author, state string, now time.Time) error {
	verb, step := "start", "take another task: idumb next"
	if state != resources.TaskActive {
		verb, step = "change the state of", "leave it to its owner; other free tasks: idumb next"
	}
	if command := takeOver[state]; who.Kind == Person && command != "" {
		step += "; or take it over: " + fmt.Sprintf(command, t.Metadata.Name)
	}
	if l.Ended() != "" {
		step = "fetch that state (git pull, or idumb sync now if plans are shared), or " + step
	}
	return apierrors.Refuse(HeldByOther, fmt.Sprintf("cannot %s task %q", verb, t.Metadata.Name), HeldSince(l, now), step)
}

// RefuseEnded returns the error for changing the state of a task that another clone ended
// and that is now also ended here.
func RefuseEnded(t *resources.Task, state, by string, at time.Time, who Author, now time.Time) error {
	verb, why, step := "change the state of", fmt.Sprintf("it is %s: %s reported that to the team", resources.TaskState(t), quote(clean(by))), ReopenFor(t, who)
	if !at.IsZero() {
		why += " (" + forAge(now.Sub(at)) + ")"
	}
	if reason := clean(t.Spec.Reason); reason != "" {
		why += ", with the reason " + quote(reason)
	}
	if state == resources.TaskActive {
		verb = "start"
	}
	return apierrors.Refuse(TaskEnded, fmt.Sprintf("cannot %s task %q", verb, t.Metadata.Name), why, step)
}

// takeOver lists the commands by which a person takes over a task, by target state.
var takeOver = map[string]string{
	resources.TaskActive:    "idumb start %s --take-over",
	resources.TaskReview:    "idumb submit %s --take-over",
	resources.TaskCompleted: `idumb complete %s --take-over --evidence "..."`,
	resources.TaskFailed:    `idumb fail %s --take-over --reason "..."`,
	resources.TaskAbandoned: `idumb abandon %s --take-over --reason "..."`,
}

// HeldSince describes who holds a task and since when, or who ended it elsewhere.
func HeldSince(l *resources.Lease, now time.Time) string {
	if l.Ended() != "" {
		return "it " + endedBy(l, now) + ", and this clone does not have that state"
	}
	return fmt.Sprintf("it is held by %s since %s (%s)", holderIn(l), l.Spec.AcquireTime.Local().Format("15:04"), forAge(now.Sub(l.Spec.AcquireTime.Time)))
}

// endedBy describes who ended the task of a lease and when, as a clause without a subject.
func endedBy(l *resources.Lease, now time.Time) string {
	return fmt.Sprintf("was %s by %s (%s)", l.Ended(), holderIn(l), forAge(now.Sub(l.Spec.AcquireTime.Time)))
}

// holderIn returns the name of the holder of a lease, with the machine for another clone.
func holderIn(l *resources.Lease) string {
	holder := clean(l.Spec.Holder.String())
	if l.Spec.Holder.Session == "" {
		holder = "the user " + quote(holder)
	}
	if l.InOtherClone() {
		holder += " on " + quote(clean(l.Spec.Holder.Machine))
	}
	return holder
}

// capital converts the first letter to upper case.
func capital(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] }

// forAge formats an age like kubectl, with minutes as the smallest unit.
func forAge(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

// ActsFor returns the top-level session, which a person started, for subagents and
// delegates.
func ActsFor(who Author, v Objects) string { return topOf(who.Session, v) }

// topOf returns the top-level session above a session, or the session itself.
func topOf(session string, v identities) string {
	s, _ := v.Session(session)
	return ancestryOf(Call{Session: session}, s, v).top
}

// giverOf returns the top-level session whose agent created a delegation. It returns "" if
// a person did or it is unknown.
func giverOf(d *resources.Delegation, v identities) string {
	maker := d.Metadata.Annotations[resources.AnnotationMadeBy]
	if _, ok := v.Session(maker); !ok {
		return ""
	}
	return topOf(maker, v)
}

// otherLease returns the lease of another holder of a task, or nil if the caller may take it. A
// delegate acts for the session that started it and for the holder that delegated the task.
func (c *caller) otherLease(t *resources.Task, view permitView) *resources.Lease {
	l := view.OtherLease(t, c.top)
	if l != nil && c.task() == t.Metadata.Name && handedBy(l, c.delegations[0].d, view) {
		return nil
	}
	return l
}

// handedBy reports whether the holder of a lease made a delegation. A user who took the
// task over made it if it is newer than the lease.
func handedBy(l *resources.Lease, d *resources.Delegation, v identities) bool {
	if l.Spec.Holder.Session == "" {
		m := d.Metadata
		return l.Spec.Exclusive && m.Annotations[resources.AnnotationMadeBy] == "" && !m.CreationTimestamp.Before(l.Spec.AcquireTime.Time)
	}
	return giverOf(d, v) == l.Spec.Holder.Session
}

// handedAway returns an open delegation of a task that does not involve the caller, or nil.
// The caller is involved if it made the delegation, acts for its maker, works under it, or
// could accept it.
func (c *caller) handedAway(t *resources.Task, v permitView) *resources.Delegation {
	for _, d := range v.Delegations(t.Metadata.Name) {
		if status.LiveDelegation(d) && !status.IsExpired(d, v) && !c.takesPart(d, v) {
			return d
		}
	}
	return nil
}

// takesPart reports whether a delegation involves the caller: its session made it, it works under
// it, or nobody works under it and it is for its role, or its role made it and the session that did
// is over. A person is never involved.
func (c *caller) takesPart(d *resources.Delegation, v permitView) bool {
	giver := giverOf(d, v)
	switch {
	case c.person:
		return false
	case giver != "" && giver == c.top, slices.ContainsFunc(c.delegations, func(g grant) bool { return g.name == d.Metadata.Name }):
		return true
	}
	if at := slices.DeleteFunc(slices.Clone(v.Delegates(d.Metadata.Name)), status.HasEnded); len(at) > 0 {
		return slices.ContainsFunc(at, func(s *resources.Session) bool { return topOf(s.Metadata.Name, v) == c.top })
	}
	_, known := v.Session(giver)
	return c.claims(d.Spec.To, v) == mine || (!known || status.GiverOver(d, v)) && c.claims(d.Spec.From, v) == mine
}

// owner denies starting, ending or handing over a task of another holder, by command or
// file.
func owner(e *evaluation) *Reason {
	for _, d := range e.ownCommands() {
		if !d.ofTasks() || d.dry || len(d.kinds) > 0 && !d.namesKind(resources.Tasks) {
			continue
		}
		for _, name := range d.names {
			if r := e.owned(name, "You tried to run "+quote(d.text())); r != nil {
				return r
			}
		}
	}
	for _, p := range e.call.Planned {
		if d, ok := p.Next.(*resources.Delegation); ok && status.LiveDelegation(d) {
			if r := e.owned(d.Spec.Task, triedText(e.call)); r != nil {
				return r
			}
		}
	}
	if !e.call.writes() {
		return nil
	}
	for _, p := range e.call.Paths {
		if kind, name, ok := object(p); ok && kind == "task" {
			if r := e.owned(name, triedText(e.call)); r != nil {
				return r
			}
		}
	}
	return nil
}

// owned returns the denial for a task of another holder, or nil.
func (e *evaluation) owned(name, tried string) *Reason {
	t, ok := e.view.Task(name)
	if !ok {
		return nil
	}
	b := e.caller().bar(End, t, e.view)
	if b == nil || b.Cause != HeldByOther {
		return nil
	}
	whose := " is not yours."
	if b.Lease.Ended() != "" {
		whose = " was ended in another clone."
	}
	return &Reason{
		What:       tried + " but task " + quote(name) + whose,
		Why:        []string{capital(b.Why) + "."},
		UseInstead: e.insteadOf(name),
		Evidence:   b.evidence,
	}
}

// lapsedClaim denies writes after a clone's claim in the team expired. After sleeping or
// without a connection, another machine may already work on the task.
func lapsedClaim(e *evaluation) *Reason {
	t := e.work().task
	l := e.view.Lapsed(t)
	if l == nil {
		return nil
	}
	name := t.Metadata.Name
	return &Reason{
		What:       triedText(e.call) + " but your claim on task " + quote(name) + " expired at " + l.Spec.Team.Until.Local().Format("15:04") + ".",
		Why:        []string{"This machine slept or could not reach the team, so another clone may have claimed the task."},
		UseInstead: "Run `idumb start " + name + "`: it claims the task again if it is still free. Then write.",
		Evidence:   []string{"leases/" + name + " spec.team.until = " + l.Spec.Team.Until.UTC().Format(time.RFC3339)},
	}
}

// heldOnly returns the denial of a write whose caller has no task and finds active tasks that others hold. w.heldTasks
// must not be empty.
func (e *evaluation) heldOnly(w *work) *Reason {
	name := w.heldTasks[0]
	r := &Reason{
		What:       triedText(e.call) + " but the active tasks are not yours.",
		UseInstead: e.nextStep(),
	}
	if slices.Contains(w.heldTasks, w.lastTask) {
		name = w.lastTask
		r.What = triedText(e.call) + " but task " + quote(name) + " is no longer yours."
	}
	for _, name := range firstFew(w.heldTasks) {
		t, _ := e.view.Task(name)
		if b := e.caller().bar(For, t, e.view); b != nil {
			r.Why = append(r.Why, quote(name)+": "+b.Why+".")
			r.Evidence = append(r.Evidence, b.evidence...)
		}
	}
	e.addEnded(r, w)
	if t, ok := e.view.Task(name); ok {
		r.Chain = e.chain(t, "")
	}
	return r
}
