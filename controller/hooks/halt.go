package hooks

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// halt keeps how the session stands when a trigger halts it: as an export, and as a
// checkpoint of its task, which proves nothing done.
func (h *handler) halt(s *resources.Session, t *resources.Trigger) {
	if s == nil {
		h.updateSession(func(*resources.SessionSpec) {})
		if s, _ = h.repo.Session(h.sessionName()); s == nil {
			return
		}
	}
	export := h.exportAs(s, memory.ExportHalt)
	export.Triggers = append(export.Triggers, t.Metadata.Name)
	file, err := KeepExport(h.repo.Root, &export, h.repo.now)
	if err != nil || export.Task == "" {
		return
	}
	c := h.checkpoint()
	c.Tool, c.Summary = resources.ToolHalt, "halted by trigger "+t.Metadata.Name+" at "+c.Tool+"; kept in "+file
	_ = h.repo.AppendCheckpoint(export.Task, c)
	h.anchorHalt(t, export.Task)
}

// anchorHalt keeps what a task is stuck at as an anchor, for whoever goes on with it. The same call
// made too often says nothing of the task, nor does a turn that was too long.
func (h *handler) anchorHalt(t *resources.Trigger, task string) {
	if t.Spec.Event == resources.TriggerCall || resources.Limits(t) {
		return
	}
	content := "Stuck at task " + task + ": " + h.triggerText(t) + "."
	if said := lastSaid(h.past()); said != "" && t.Spec.Event == resources.TriggerError {
		content = "Stuck at task " + task + ": " + said + " came again whatever was changed."
	}
	kind, _ := resources.KindOf(resources.Anchors)
	a := kind.New().(*resources.Anchor)
	a.Metadata.Name, a.Metadata.CreationTimestamp = "halt-"+task+"-"+idOf(content)[:4], resources.NewTime(h.repo.now)
	if resources.CheckName(a.Metadata.Name) != nil || h.repo.Stands(a.Key()) { // somebody may have set it aside
		return
	}
	a.Spec = resources.AnchorSpec{Content: content + h.tried(t), Type: "attention", Priority: "high", Source: &resources.AnchorSource{Task: task}}
	h.create(a)
}

// create writes an object that is not there yet.
func (h *handler) create(o resources.Object) {
	if unlock, err := h.repo.lock(layout.WriteLock); err == nil {
		defer unlock()
		h.put(o)
	}
}

// put writes an object's file, and notes that iDumb did. Whoever calls it holds the lock.
func (h *handler) put(o resources.Object) {
	data, err := resources.Encode(o)
	if err == nil && h.repo.Replace(layout.Path(o.Key()), data) == nil {
		h.repo.NoteWritten([]layout.Written{{Time: time.Now(), Key: o.Key(), Rev: resources.Revision(data)}})
	}
}

// halted reports whether something that halts is set off in the session: its agent was told to end
// its turn.
func (h *handler) halted() bool {
	s, ok := h.repo.Session(h.sessionName())
	return ok && slices.ContainsFunc(h.repo.load(s.Spec.Raised), func(t *resources.Trigger) bool { return t.Spec.Action == resources.ActionHalt })
}
