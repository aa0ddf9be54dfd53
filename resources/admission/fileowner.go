package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// fileOwner protects files that another open task names. fileLocks deny writes. Paths deny
// them if the other task is blocked or has another holder, unless the own task names the
// file too. A comment with spec.hold denies writes that count for its task. In other cases, and
// for broad globs, the agent gets a line of advice.
func fileOwner(e *evaluation) *Reason {
	if e.fileOwners == nil {
		e.fileOwners = newFilesOf(e.work().task, e.view)
		e.fileOwners.heldByOther = func(t *resources.Task) bool { return e.heldBy(t) != nil }
	}
	for _, p := range e.call.Paths {
		if p.Repo == "" || openToAll(p) {
			continue
		}
		claims := e.fileOwners.claims(p.Repo)
		if len(claims) > 0 && e.planless() {
			return nil
		}
		own := e.fileOwners.isOwn(p.Repo)
		for _, c := range claims {
			if p.Unchanged && c.field != byLocks {
				continue
			}
			if reason := e.keptFrom(c, p, own); reason != nil {
				return reason
			}
		}
		if reason := e.keptByComment(p); reason != nil {
			return reason
		}
	}
	return nil
}

// keptByComment returns the denial for a file that counts for another task while a comment
// holds that task, or nil.
func (e *evaluation) keptByComment(p Path) *Reason {
	t := e.fileOwners.taskOf(p.Repo)
	if t == nil || t == e.work().task || p.Unchanged {
		return nil
	}
	c := status.HeldBy(t.Key(), e.view)
	if c == nil {
		return nil
	}
	r := e.heldTask(t, c)
	r.Why = append([]string{p.Repo + " is a file of task " + quote(t.Metadata.Name) + "."}, r.Why...)
	return r
}

// keptFrom returns the denial for a file that another task claims, and maybe the own task
// too, or nil if the claim does not deny it.
func (e *evaluation) keptFrom(c fileClaim, p Path, own bool) *Reason {
	own = own && !(c.field == byLocks && madeByAgent(e.work().task) && !madeByAgent(c.task)) // a user's lock is not for an agent to lift
	if own && c.field != byLocks {
		return nil
	}
	if c.field == byEvidence || e.fileOwners.broad(c) {
		if !own {
			e.adviseOn(c)
		}
		return nil
	}
	st := e.status(c.task)
	worked := resources.TaskState(c.task) == resources.TaskActive && st.Phase != resources.TaskBlocked
	switch held := e.heldBy(c.task); {
	case c.field == byLocks && worked && !(own && e.hasItFirst(p, c.task)), c.field == byLocks && !own && st.Phase != resources.TaskBlocked && held == nil:
		return e.locked(c, st, p)
	case own:
		return nil
	case st.Phase == resources.TaskBlocked:
		return e.keptForBlocked(c, st, p)
	case held != nil:
		return e.keptForHolder(c, held, p)
	}
	e.adviseOn(c)
	return nil
}

func madeByAgent(t *resources.Task) bool {
	return t != nil && t.Metadata.Annotations[resources.AnnotationMadeBy] != ""
}

// heldBy returns the reason why the caller may not use a task of another holder, or nil.
func (e *evaluation) heldBy(t *resources.Task) *Bar {
	if b := e.caller().bar(For, t, e.view); b != nil && b.Cause == HeldByOther {
		return b
	}
	return nil
}

// hasItFirst reports whether the own task locked a file before another task did.
func (e *evaluation) hasItFirst(p Path, other *resources.Task) bool {
	own := e.work().task
	return own != nil && resources.MatchesAny(p.Repo, own.Spec.FileLocks) && resources.TaskState(own) == resources.TaskActive && first(own, other) < 0
}

// adviseOn sets the advice for a file that another task names, but which may be written.
func (e *evaluation) adviseOn(c fileClaim) {
	switch name := quote(c.task.Metadata.Name); {
	case e.advice != "" || e.work().task == nil:
	case e.fileOwners.counts(c):
		e.advice = "iDumb: this file belongs to task " + name + ": your write counts for " + name + ", not for the task that you work on."
	case c.field != byEvidence:
		e.advice = "iDumb: task " + name + " also names this file, with a broad pattern (spec." + c.field + "): your write counts for the task that you work on."
	}
}

// belongs returns a line on the owner of a file.
func (e *evaluation) belongs(c fileClaim, p Path) string {
	why := p.Repo + " is a file of task " + quote(c.task.Metadata.Name)
	if own := e.work().task; own != nil {
		why += ", and your task " + quote(own.Metadata.Name) + " does not name it"
	}
	return why + "."
}

// locked returns the denial of a write to a file that another task has locked.
func (e *evaluation) locked(c fileClaim, st resources.TaskStatus, p Path) *Reason {
	name := c.task.Metadata.Name
	r := &Reason{
		What:       triedText(e.call) + " but " + p.Repo + " is locked by task " + quote(name) + ".",
		Why:        []string{quote(name) + titled(c.task) + " is " + phaseText(st.Phase) + " and has locked " + list(c.task.Spec.FileLocks) + "."},
		UseInstead: "Write other files until it is done; `idumb describe task " + name + "` shows its progress.",
		Evidence:   []string{"tasks/" + name + " spec.fileLocks = " + list(c.task.Spec.FileLocks), "tasks/" + name + " spec.state = " + resources.TaskState(c.task)},
	}
	if e.canStart(c.task) && e.opensWith(c.task) {
		r.UseInstead = "Run `idumb start " + name + "`, then write, if the write is work of that task; else write other files."
	}
	return r
}

// keptForBlocked returns the denial for a file of a blocked task. It names a start of that
// task only if the caller may start it later.
func (e *evaluation) keptForBlocked(c fileClaim, st resources.TaskStatus, p Path) *Reason {
	r, name := e.blocked(c.task, st), c.task.Metadata.Name
	r.Why = append(r.Why, e.belongs(c, p))
	r.Evidence = append(r.Evidence, c.cite())
	r.Chain = e.chain(c.task, "owns the file")
	own, bar := e.onWithOwn(), e.caller().bar(Start, c.task, e.view)
	if bar != nil {
		r.Why = append(r.Why, "It is not yours: "+bar.Why+".")
		r.Evidence = append(r.Evidence, bar.evidence...)
	}
	switch {
	case own != "" && bar != nil && e.caller().delegate():
		r.UseInstead = "Write other files of " + own + ". " + e.askFor("a separate task for the rest")
	case own != "" && bar != nil:
		r.UseInstead = "Write other files of " + own + ", and leave this one to task " + quote(name) + ": you cannot start that task. `idumb describe task " + name + "` shows its progress."
	case own != "" && slices.Equal(st.BlockedBy, []string{e.work().task.Metadata.Name}):
		r.UseInstead = "Finish " + own + " in its other files and complete it; then start " + quote(name) + ", and write."
	case own != "":
		r.UseInstead = "Write other files of " + own + "; start task " + quote(name) + " to write this one when nothing blocks it."
	case bar != nil && bar.Cause == Assigned && !e.caller().delegate():
		r.UseInstead = e.leaveTo(c.task)
	case bar != nil && !e.caller().delegate():
		r.UseInstead = e.insteadOf(name)
	}
	return r
}

// keptForHolder returns the denial for a file of a task that another session or user holds.
func (e *evaluation) keptForHolder(c fileClaim, held *Bar, p Path) *Reason {
	name := c.task.Metadata.Name
	r := &Reason{
		What:       triedText(e.call) + " but task " + quote(name) + " is not yours.",
		Why:        []string{e.belongs(c, p), capital(held.Why) + "."},
		UseInstead: e.insteadOf(name),
		Evidence:   append(slices.Clone(held.evidence), c.cite()),
	}
	if own := e.onWithOwn(); own != "" {
		r.UseInstead = "Write other files of " + own + "; `idumb describe task " + name + "` shows its progress. Tell the user if it cannot wait."
	}
	return r
}

// onWithOwn returns the quoted name of the own active task, or "".
func (e *evaluation) onWithOwn() string {
	w := e.work()
	if w.task == nil || resources.TaskState(w.task) != resources.TaskActive || w.status.Phase == resources.TaskBlocked {
		return ""
	}
	return quote(w.task.Metadata.Name)
}
