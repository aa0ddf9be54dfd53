package hooks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/status"
)

// afterTool records the work that was done for a task: writes, edits, and
// build, test and git commands.
func (h *handler) afterTool() {
	h.noteOutcome()
	// The call ran for which the user was asked whether to work without the team's plans.
	// A host without a user denies the call, and the next write is asked about again.
	if asked := h.readState().PlansAsked; asked != "" && asked == h.callName() {
		h.updateState(func(m *sessionState) { m.PlansAsked, m.PlansUnseen = "", true })
	}
	h.tallyOutcome()
	h.recordTodos()
	switch h.event.Action {
	case admission.Write:
		if !h.event.Failed {
			h.recordWrite()
		}
	case admission.Shell:
		h.recordShell()
	case admission.Governance:
		h.followStart()
	}
}

// recordWrite adds a checkpoint for the files that a tool wrote.
func (h *handler) recordWrite() {
	call, err := h.call()
	files := inRepo(call.Paths)
	if err != nil || len(files) == 0 {
		return
	}
	done := h.checkpoint()
	done.FilesModified = files
	h.noteDone(done)
	task, ok := h.worksOn(call)
	if !ok {
		return
	}
	h.takeUp(task)
	if h.recordFiles(admission.FilesByTask(files, task, h.repo), h.created(call.Paths)) {
		h.appendNotes(notesWrites, []byte{'\n'})
		h.updateSession(func(s *resources.SessionSpec) { s.Counters.QuietTurns = 0 })
	}
}

// created returns the files among paths that the call created, if the host
// sends them.
func (h *handler) created(paths []admission.Path) []string {
	return inRepo(slices.DeleteFunc(slices.Clone(paths), func(p admission.Path) bool { return !slices.Contains(h.event.Created, p.Given) }))
}

// recordFiles adds a checkpoint of written files to each task for which they
// count. created are the new ones among them. It reports whether it wrote any
// checkpoint.
func (h *handler) recordFiles(by map[string][]string, created []string) (recorded bool) {
	for task, files := range by {
		c := h.checkpoint()
		c.Summary, c.FilesModified = writtenText(files, created), files
		recorded = h.repo.AppendCheckpoint(task, c) == nil || recorded
	}
	return recorded
}

// writtenText returns a text with the written files, the new ones first.
func writtenText(files, created []string) string {
	added, changed := []string(nil), []string(nil)
	for _, f := range files {
		if slices.Contains(created, f) {
			added = append(added, f)
		} else {
			changed = append(changed, f)
		}
	}
	text := strings.Join(changed, ", ")
	if len(added) > 0 && text != "" {
		text = "; " + text
	}
	if len(added) > 0 {
		text = "Created " + strings.Join(added, ", ") + text
	}
	return text
}

// inRepo returns the files of the repository among paths, except the files of
// iDumb.
func inRepo(paths []admission.Path) []string {
	var files []string
	for _, p := range paths {
		if p.Tree == "" && p.Repo != "" && p.Repo != "." && p.Repo != ".idumb" && !strings.HasPrefix(p.Repo, ".idumb/") {
			files = append(files, p.Repo)
		}
	}
	return files
}

// worksOn returns the task for which a call counts, or false if there is none or
// it was never started.
func (h *handler) worksOn(call admission.Call) (*resources.Task, bool) {
	var task *resources.Task
	ok := false
	if h.ended != nil {
		task, ok = h.ended.work, h.ended.work != nil
	} else {
		task, ok = admission.WorkOf(call, h.repo)
	}
	return task, ok && task.Spec.State != resources.TaskPlanned && task.Spec.State != ""
}

// checkpoint returns a checkpoint with the common fields of this event.
func (h *handler) checkpoint() resources.Checkpoint {
	return resources.Checkpoint{
		Time: resources.NewTime(h.repo.now), Session: h.sessionName(), Agent: h.event.Agent, Tool: strings.ToLower(h.event.Tool),
	}
}

// maxRecorded limits the recorded commands of one line.
const maxRecorded = 8

// recordShell adds a checkpoint for each build, test or git command of a line,
// and for each command in the task's evidence. It records written files like
// the files of a tool.
func (h *handler) recordShell() {
	said := h.event.CommandLine()
	if !said.Readable {
		return
	}
	h.followStartIn(said.Line)
	call, err := h.call()
	if err != nil {
		return
	}
	written := h.writtenByLine(call)
	h.noteLine(written)
	task, ok := h.worksOn(call)
	if !ok {
		return
	}
	by := admission.FilesByTask(written, task, h.repo)
	files, recorded := by[task.Metadata.Name], 0
	counted := slices.DeleteFunc(slices.Clone(said.Line.Commands), func(ran command.Command) bool {
		words := command.Unwrapped(ran.Words)
		return !isRecorded(words) && !IsEvidence(words, task)
	})
	came := h.commandOutcomes(counted)
	for i, ran := range counted[:min(len(counted), maxRecorded)] {
		c := h.checkpoint()
		c.Command = commandText(command.Unwrapped(ran.Words))
		c.Summary = c.Command + came[i]
		c.Succeeded = h.outcome(ran)
		h.measured(&c)
		if recorded == 0 {
			c.FilesModified = files
		}
		_ = h.repo.AppendCheckpoint(task.Metadata.Name, c)
		recorded++
	}
	if recorded == 0 && h.ended != nil {
		recorded = h.recordLine(task, files)
	}
	if recorded > 0 {
		delete(by, task.Metadata.Name) // the command's checkpoint has them
	}
	if h.recordFiles(by, nil) || recorded > 0 {
		h.takeUp(task)
		h.updateSession(func(s *resources.SessionSpec) { s.Counters.QuietTurns = 0 })
	}
}

// writtenByLine returns the files of the repository that a command line, or a
// tool that writes files, certainly wrote. It returns none if the call failed,
// because the extent of its effect is unknown.
func (h *handler) writtenByLine(call admission.Call) []string {
	if h.event.Failed {
		return nil
	}
	return inRepo(slices.DeleteFunc(slices.Clone(call.Paths), func(p admission.Path) bool { return p.Unsure || p.Below }))
}

// CheckpointOf returns the record of a command that a person ran for a task. It
// has the same form as for an agent: without wrappers, and with likely secrets
// masked.
func CheckpointOf(words []string, ended Ended, now time.Time) resources.Checkpoint {
	succeeded := ended.ExitCode == 0
	text := commandText(command.Unwrapped(words))
	return resources.Checkpoint{
		Time: resources.NewTime(now), Tool: "run", Command: text, Summary: text,
		Succeeded: &succeeded, ExitCode: &ended.ExitCode, DurationMs: max(1, int(ended.Took.Milliseconds())),
	}
}

// recordLine adds a checkpoint for a whole line that iDumb ran. It returns the
// number of checkpoints written: 1, or 0 after an error.
func (h *handler) recordLine(task *resources.Task, files []string) (recorded int) {
	c := h.checkpoint()
	c.Command = commandText(strings.Fields(h.event.Command))
	c.Summary = c.Command
	succeeded := !h.event.Failed
	c.Succeeded, c.FilesModified = &succeeded, files
	h.measured(&c)
	if h.repo.AppendCheckpoint(task.Metadata.Name, c) != nil {
		return 0
	}
	return 1
}

// measured adds the outcome of the whole line if iDumb ran it.
func (h *handler) measured(c *resources.Checkpoint) {
	if h.ended != nil {
		c.ExitCode, c.DurationMs = &h.ended.ExitCode, max(1, int(h.ended.Took.Milliseconds()))
	}
}

// outcome returns whether one command of a line succeeded, or nil if the line's
// exit code does not show it. For example, "go test || true" proves nothing.
func (h *handler) outcome(c command.Command) *bool {
	succeeded := !h.event.Failed
	if h.event.OutcomeUnknown || succeeded && !c.OnSuccess || !succeeded && !c.OnFailure {
		return nil
	}
	return &succeeded
}

// IsEvidence reports whether a task's evidence names the command, or words that it starts with.
func IsEvidence(words []string, task *resources.Task) bool {
	line := status.CommandWords(strings.Join(words, " ")) + " "
	return slices.ContainsFunc(task.Spec.Evidence, func(item resources.EvidenceItem) bool {
		return item.Command != "" && strings.HasPrefix(line, status.CommandWords(item.Command)+" ")
	})
}

// followStart sets the session's task to the task that a command has just
// started.
func (h *handler) followStart() {
	h.workOnStarted(h.event.StartedTasks)
	h.noteCompleted([]string{h.event.EndedTask})
	if h.event.Command == "" {
		return
	}
	if said := h.event.CommandLine(); said.Readable {
		h.followStartIn(said.Line)
	}
}

// followStartIn sets the session's task to a task that a command in the line has just started.
func (h *handler) followStartIn(line command.Line) {
	for _, c := range line.Commands {
		h.workOnStarted(tasksAfter("start", c.Words))
		h.noteCompleted(tasksAfter("complete", c.Words))
	}
}

// noteCompleted notes the completed tasks among names, because the agent knows from the answer of its
// call that they are completed.
func (h *handler) noteCompleted(names []string) {
	if h.event.Failed {
		return
	}
	for _, name := range names {
		id := resources.Tasks + "/" + strings.TrimPrefix(name, "task/")
		if t, found := h.repo.Task(strings.TrimPrefix(name, "task/")); found && t.Spec.State == resources.TaskCompleted {
			h.updateState(func(m *sessionState) {
				if !slices.Contains(m.Completed, id) {
					m.Completed = append(m.Completed, id)
				}
			})
		}
	}
}

// workOnStarted sets the session's task to the active one among names, and takes
// its lease. If an active task was not started (blocked, or held elsewhere),
// nothing changes.
func (h *handler) workOnStarted(names []string) {
	for _, name := range names {
		if h.startRefused(name) {
			continue
		}
		if t, found := h.repo.Task(name); found && t.Spec.State == resources.TaskActive && h.repo.OtherLease(t, h.topSession()) == nil {
			h.takeUp(t)
			h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask, s.Counters.QuietTurns = name, 0 })
			h.startsTask = true
		}
	}
}

// startRefused reports whether the output of the call contains that a task was
// not started. The exit status is not sufficient: Codex does not send it, and
// another command of the line may have failed.
func (h *handler) startRefused(name string) bool {
	return strings.Contains(h.event.Output, "cannot start task "+strconv.Quote(name))
}

// tasksAfter returns the names in "idumb VERB [flags] [task/]NAME" and in "--VERB NAME". The
// result may contain the value of a flag; the caller checks whether such a task
// exists.
func tasksAfter(verb string, words []string) []string {
	if len(words) == 0 || !command.IsIdumb(words[0]) {
		return nil
	}
	var names []string
	found := false
	for _, w := range words[1:] {
		value, joined := strings.CutPrefix(w, "--"+verb+"=")
		if w == verb || w == "--"+verb {
			found = true
			continue
		} else if joined {
			w = value
		}
		if kind, rest, qualified := strings.Cut(w, "/"); qualified {
			if k, known := resources.LookupKind(kind); !known || k.Plural != resources.Tasks {
				continue
			}
			w = rest
		}
		if (found || joined) && resources.CheckName(w) == nil {
			names = append(names, w)
		}
	}
	return names
}
