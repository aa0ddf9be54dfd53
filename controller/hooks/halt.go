package hooks

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/memory"
)

// halt records the state of the session when a trigger halts it: as an export,
// and as a checkpoint of its task, which is no evidence of completion.
func (h *handler) halt(s *resources.Session, t *resources.Trigger) {
	if task, _ := h.keepHalt(s, "trigger "+t.Metadata.Name, t.Metadata.Name); task != "" {
		h.anchorHalt(t, task)
	}
}

// keepHalt writes the export and the checkpoint of a halt. It returns the task of
// the checkpoint, "" if none was written, and the file of the export.
func (h *handler) keepHalt(s *resources.Session, cause string, triggers ...string) (task, file string) {
	if s == nil {
		h.updateSession(func(*resources.SessionSpec) {})
		if s, _ = h.repo.Session(h.sessionName()); s == nil {
			return "", ""
		}
	}
	export := h.exportAs(s, memory.ExportHalt)
	export.Triggers = append(export.Triggers, triggers...)
	file, err := KeepExport(h.repo.Root, &export, h.repo.now)
	if err != nil || export.Task == "" {
		return "", file
	}
	c := h.checkpoint()
	c.Tool, c.Summary = resources.ToolHalt, "halted by "+cause+" at "+c.Tool+"; kept in "+file
	_ = h.repo.AppendCheckpoint(export.Task, c)
	return export.Task, file
}

// markDeep marks that the halt for a too deep delegation was recorded.
const markDeep = "halt depth"

// haltDeep records an emergency halt for a delegation that is too deep, once for
// each context of the session. It returns a sentence about it. The denial ends
// only the delegation: the agent continues itself.
func (h *handler) haltDeep() []string {
	if m := h.readState(); m.hasMark(markDeep) {
		return nil
	}
	s, _ := h.repo.Session(h.sessionName())
	_, file := h.keepHalt(s, "rule "+admission.RuleDepth)
	if file == "" {
		return nil
	}
	h.updateState(func(m *sessionState) { m.addReceipts([]Snippet{{ID: markDeep}}, false) })
	return []string{"This is an emergency halt: its checkpoint is " + file + "."}
}

// anchorHalt writes an anchor with the obstacle of a task, for the agent that
// continues the task. It writes none for repeated calls or for a turn that
// exceeds a limit, because these reveal nothing about the task.
func (h *handler) anchorHalt(t *resources.Trigger, task string) {
	if t.Spec.Event == resources.TriggerCall || resources.Limits(t) {
		return
	}
	content := "Stuck at task " + task + ": " + h.triggerText(t) + "."
	if said := lastSaid(h.callLog()); said != "" && t.Spec.Event == resources.TriggerError {
		content = "Stuck at task " + task + ": " + said + " came again whatever was changed."
	}
	kind, _ := resources.KindOf(resources.Anchors)
	a := kind.New().(*resources.Anchor)
	a.Metadata.Name, a.Metadata.CreationTimestamp = "halt-"+task+"-"+idOf(content)[:4], resources.NewTime(h.repo.now)
	if resources.CheckName(a.Metadata.Name) != nil || h.repo.HasObject(a.Key()) { // the anchor may have been archived on purpose
		return
	}
	a.Spec = resources.AnchorSpec{Content: content + h.attempts(t), Type: "attention", Priority: "high", Source: &resources.AnchorSource{Task: task}}
	data, err := resources.Encode(a)
	if err != nil {
		return
	}
	var args requests.Args
	args.Add(a.Key(), data, "")
	h.carry(requests.NoteHalt, args)
}

// writeTimeout limits how long a hook waits for the write of a spec.
const writeTimeout = time.Second

// carry requests the write of a spec, because a hook never writes one. It reports
// whether the controller wrote it at once; otherwise the request is queued.
func (h *handler) carry(verb string, args requests.Args) (written bool) {
	args.Session = h.sessionName()
	if h.repo.carrier != nil {
		ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
		defer cancel()
		if w, err := requests.New(verb, args, h.repo.now); err == nil && h.repo.carrier(ctx, w) == nil {
			return true
		}
	}
	for _, w := range requests.Waiting(h.repo.Root) {
		var other requests.Args
		if w.Verb == verb && json.Unmarshal(w.Args, &other) == nil && other.Task == args.Task && slices.Equal(other.Names, args.Names) && slices.Equal(other.Revisions, args.Revisions) {
			return false
		}
	}
	_, _ = requests.Append(h.repo.Root, verb, args, h.repo.now)
	return false
}

// halted reports whether a halting trigger has fired in the session. The agent
// has then received the instruction to end its turn.
func (h *handler) halted() bool {
	s, ok := h.repo.Session(h.sessionName())
	return ok && slices.ContainsFunc(h.repo.load(s.Spec.Raised), func(t *resources.Trigger) bool { return t.Spec.Action == resources.ActionHalt })
}
