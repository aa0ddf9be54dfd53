package packer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// reservedTasks is the number of active tasks that are reserved in full. More of them would
// displace everything else.
const reservedTasks = 5

// tasks offers the current work: the most volatile part, and the last.
func (d *packing) tasks() {
	if d.isIdle() {
		return
	}
	d.candidates.add(candidate{section: task, id: "today", tier: reserved, score: headScore, text: "Today: " + date(d.in.Day)})
	others := d.others()
	if len(d.active) == 0 {
		none := noneActive
		if others != "" {
			none = noneOwn
		}
		step := startOne
		switch p := d.in.Plan; {
		case p != nil && len(p.Status.Next) == 0 && status.DraftNote(p.Object) != "":
			step = "; " + status.DraftNote(p.Object) + "."
		case p != nil && len(p.Status.Next) == 0:
			step = noneReady
		case d.in.StartsNone:
			step = handOne
		}
		d.candidates.add(candidate{section: task, id: "none", tier: reserved, score: headScore, text: none + step})
	}
	if others != "" {
		d.candidates.add(candidate{section: task, id: "others", tier: reserved, score: headScore, text: line(others)})
	}
	for i, t := range d.in.Back {
		d.candidates.add(candidate{section: task, id: "tasks/" + t.Metadata.Name + " back", tier: reserved, score: headScore - 1 - i, text: line(backText(t))})
	}
	for i, t := range d.active {
		d.task(t, i < reservedTasks)
	}
	d.comments()
}

// maxOthers limits how many active tasks of other agents are named.
const maxOthers = 5

// others returns a line that lists the active tasks of other agents.
func (d *packing) others() string {
	var said []string
	for _, name := range slices.Sorted(maps.Keys(d.in.Others)) {
		if t := d.pool[name]; t != nil && t.Status.Phase == resources.TaskActive && !d.isActive(name) {
			said = append(said, name+" ("+d.in.Others[name]+")")
		}
	}
	if len(said) == 0 {
		return ""
	}
	more := ""
	if len(said) > maxOthers {
		said, more = said[:maxOthers], " and more"
	}
	return "Active, and not yours: " + strings.Join(said, ", ") + more
}

// bodyTokens returns the budget for the description and notes of each active task.
func (d *packing) bodyTokens() int {
	return d.in.Config.ContextTaskBody / min(max(1, len(d.active)), reservedTasks)
}

// Lines of a pack without an active task, or without one of the reader's; then the next step for a
// reader who may start tasks, and for one who may not.
const (
	noneActive = "No task is active"
	noneOwn    = "No active task is yours"

	noneReady = ", and none is ready for you: `idumb next` tells why."

	startOne = ": start a ready one (govern_task start, or `idumb start TASK`) before you write files."
	handOne  = ": your role starts none; hand a ready one over (govern_delegate assign)."
)

// isNoneActive reports whether the statement is the line that no task, or none of the reader's, is
// active.
func (s statement) isNoneActive() bool {
	return strings.HasPrefix(s.text, noneActive) || strings.HasPrefix(s.text, noneOwn)
}

// Texts after the name of a task that was handed back or abandoned.
const (
	handedBackSuffix = " was handed back"
	abandonedSuffix  = " was abandoned"
)

// backText states that a task was handed back or abandoned, and why.
func backText(t *resources.Task) string {
	how := handedBackSuffix
	if t.Spec.State == resources.TaskAbandoned {
		how = abandonedSuffix
	}
	return status.WithReason(t.Metadata.Name+how, t.Spec.Reason)
}

// isBackText reports whether a statement is a text of backText.
func (s statement) isBackText() bool {
	rest := strings.TrimPrefix(s.text, s.name())
	return s.position == position{section: task.String()} && (strings.HasPrefix(rest, handedBackSuffix) || strings.HasPrefix(rest, abandonedSuffix))
}

// task offers the lines of an active task.
func (d *packing) task(t *Task, full bool) {
	w := taskWriter{packing: d, name: t.Object.Metadata.Name, tier: reserved}
	if !full {
		w.tier, w.note = chainTier, "an active task, but "+strconv.Itoa(reservedTasks)+" other tasks go before it"
	}
	spec := &t.Object.Spec
	w.line("", headScore, stateText(t)) // the label keeps a title from starting the line
	w.text("Expected output: ", outputScore, spec.ExpectedOutput)
	if spec.Reason != "" {
		w.text(beforeLabel, outputScore, spec.Reason)
	}
	description, notes := "", ""
	if full {
		description, notes = bodyOf(t.Object, d.bodyTokens())
	}
	w.body(" description", description, descriptionScore)
	w.names("Write only files that match", spec.Paths)
	w.names("Locked for this task", spec.FileLocks)
	w.names("Use only these tools", spec.AllowedTools)
	for _, item := range spec.Evidence {
		w.line(" evidence", evidenceScore, "Done when "+evidenceText(item))
	}
	for _, name := range slices.Sorted(slices.Values(t.Status.BlockedBy)) {
		w.line(" blockedBy", blockerScore, "Blocked by "+d.blockerText(name, spec.TemporalGate))
	}
	w.body(" notes", notes, notesScore)
	for _, c := range recentCheckpoints(&t.Status.Checkpoints) {
		w.line(" checkpoints", checkpointScore, checkpointText(c))
	}
}

// taskWriter offers the lines of one active task.
type taskWriter struct {
	packing *packing
	name    string
	tier    tier
	note    string
}

// body offers a long text. It is not reserved, so that a long text cannot overflow a small pack.
func (w *taskWriter) body(part, text string, score int) {
	if text != "" {
		long := taskWriter{packing: w.packing, name: w.name, tier: urgent, note: "long text of an active task"}
		long.offer(part, score, text)
	}
}

// text offers a label and a text that may have several lines.
func (w *taskWriter) text(label string, score int, text string) {
	w.offer("", score, label+block(text))
}

// line offers a line about the task. The entry's ID is the ID of the task followed by part.
func (w *taskWriter) line(part string, score int, text string) { w.offer(part, score, line(text)) }

// names offers a line with a label and a list of names. It offers none if the list is empty.
func (w *taskWriter) names(label string, names []string) {
	if len(names) > 0 {
		w.line(" limits", evidenceScore, label+": "+strings.Join(names, ", "))
	}
}

// offer adds a text about the task to the candidates. The entry's ID is the ID of the task
// followed by part.
func (w *taskWriter) offer(part string, score int, text string) {
	w.packing.candidates.add(candidate{section: task, group: `active_task id="` + attribute(w.name) + `"`, id: "tasks/" + w.name + part, tier: w.tier, note: w.note, score: score, text: text})
}

// stateText returns the first line of a task: title, phase, plan and assignment.
func stateText(t *Task) string {
	spec := &t.Object.Spec
	text := fmt.Sprintf("Title: %s [%s], plan %s", cmp.Or(spec.Title, t.Object.Metadata.Name), t.Status.Phase, spec.WorkPlan)
	for _, part := range []struct{ label, value string }{
		{"stage ", spec.Phase}, {"part of ", spec.Parent}, {"priority ", spec.Priority}, {"assigned to ", spec.AssignedTo}, {"handed over by ", spec.DelegatedBy},
		{"at ", spec.Source.String()},
	} {
		if part.value != "" {
			text += ", " + part.label + part.value
		}
	}
	if !t.Status.StartedAt.IsZero() {
		text += ", started " + date(t.Status.StartedAt.Time)
	}
	return text
}

// evidenceText returns the condition that an item of required evidence states, as a clause.
func evidenceText(item resources.EvidenceItem) string {
	switch {
	case item.File != "":
		return "a file that matches " + item.File + " was written"
	case item.Succeeds:
		return "this command exits with code 0: " + item.Command
	}
	return "this command was run: " + item.Command
}

// blockerText returns a blocker of a task, with the reason if it is a gate.
func (d *packing) blockerText(name string, gate *resources.TemporalGate) string {
	text := name
	if strings.HasPrefix(name, "workplan/") {
		text = "plan " + d.planName(name)
	} else if decision, ok := strings.CutPrefix(name, "decision/"); ok {
		text = "decision " + decision + ", which is not resolved"
	} else if t := d.pool[name]; t != nil {
		text = heading(t, true)
	}
	if gate != nil && gate.After == name && gate.Reason != "" {
		text += ", because: " + gate.Reason
	}
	return text
}

// recentCheckpoints returns the last checkpoints, at least three. The first one shown is every third one of
// the log, so that the list grows at its end and seldom shifts.
func recentCheckpoints(c *resources.TaskCheckpoints) []resources.Checkpoint {
	const step = 3
	shown := min(len(c.Last), step+max(c.Count, len(c.Last))%step)
	return c.Last[len(c.Last)-shown:]
}

// checkpointText returns the line about a checkpoint: time, tool, and a summary, command or list
// of files.
func checkpointText(c resources.Checkpoint) string {
	what := cmp.Or(c.Summary, c.Command, listed(c.FilesModified))
	text := fmt.Sprintf(checkpointLabel+"%s: %s %s", minute(c.Time.Time), c.Tool, what)
	if c.Succeeded != nil && !*c.Succeeded {
		text += " (failed)"
	}
	return text
}
