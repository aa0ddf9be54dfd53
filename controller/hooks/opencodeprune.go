package hooks

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Outputs of tools that were for a task which is over are left out of what the model
// is sent. Each time the set grows, the provider's cache of the conversation is lost
// from there on; so it grows seldom, by much, and never shrinks.
const (
	pruneFrom  = 40_000 // characters of outputs below which a conversation is left alone
	pruneBatch = 16_000 // characters that one step must save at least
	// pruneBefore is the percentage of the window up to which outputs are left out: near
	// its end the host writes a summary, which is better for having seen them.
	pruneBefore = 75
	// maxOutputs bounds the file that tells calls' tasks, in bytes.
	maxOutputs = 128 << 10
)

// rememberOutput notes for which task a call was made.
func (h *opencodeHandler) rememberOutput() {
	call, err := h.call()
	task, ok := h.worksOn(call)
	if err != nil || !ok || h.event.CallID == "" || strings.ContainsAny(h.event.CallID, "\t\n") {
		return
	}
	h.appendNotes(notesOutputs, []byte(h.event.CallID+"\t"+task.Metadata.Name+"\n"))
}

// tasksOfCalls reads what rememberOutput noted, and drops the older half of a file
// that has become too long.
func (h *opencodeHandler) tasksOfCalls() map[string]string {
	data := h.readNotes(notesOutputs)
	if len(data) > maxOutputs {
		_, data, _ = bytes.Cut(data[len(data)/2:], []byte{'\n'})
		_ = h.writeNotes(notesOutputs, data)
	}
	tasks := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if call, task, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			tasks[call] = task
		}
	}
	return tasks
}

// shownOutput is an output that the conversation still has, as the shim tells it.
type shownOutput struct {
	call string
	size int // in characters
}

// shownOutputs are the outputs of the conversation without its last messages, the
// oldest first.
func (h *opencodeHandler) shownOutputs() []shownOutput {
	var shown []shownOutput
	for _, item := range hosts.Items(h.in.Object["outputs"]) {
		o, err := hosts.ReadObject(item)
		size, numErr := strconv.Atoi(string(o["size"]))
		if err == nil && numErr == nil && o.Text("call") != "" {
			shown = append(shown, shownOutput{o.Text("call"), size})
		}
	}
	return shown
}

// prune returns what is to be left out of the conversation: all that ever was, and,
// where it is worth it, what is not needed any more by now.
func (h *opencodeHandler) prune() []hosts.PrunedOutput {
	shown := h.shownOutputs()
	if len(shown) == 0 {
		return nil
	}
	pruned := h.readPruned()
	if h.nearSummary() {
		return pruned
	}
	known := map[string]bool{}
	for _, p := range pruned {
		known[p.Call] = true
	}
	fresh, all, saved := h.outlived(shown, known)
	if all < pruneFrom || saved < pruneBatch {
		return pruned
	}
	pruned = append(pruned, fresh...)
	if data, err := json.Marshal(pruned); err != nil || h.writeNotes(notesPruned, append(data, '\n')) != nil {
		return pruned[:len(pruned)-len(fresh)] // it would come back with the next request
	}
	return pruned
}

// outlived lists the outputs whose tasks are over and that still stand there; all is
// the size of what stands there altogether, saved that of the list.
func (h *opencodeHandler) outlived(shown []shownOutput, known map[string]bool) (list []hosts.PrunedOutput, all, saved int) {
	tasks := h.tasksOfCalls()
	for _, o := range shown {
		if known[o.call] {
			continue
		}
		all += o.size
		if phase := h.over(tasks[o.call]); phase != "" {
			saved += o.size
			list = append(list, hosts.PrunedOutput{Call: o.call, Note: "[iDumb: this output was for the task " + tasks[o.call] + ", which is " + phase + "; it was left out to save room. Call the tool again if you need it.]"})
		}
	}
	return list, all, saved
}

// over returns how a task ended, "" if it goes on, failed, or is not known.
func (h *opencodeHandler) over(task string) string {
	if task == "" {
		return ""
	}
	t, ok := h.repo.Task(task)
	switch {
	case ok && (t.Spec.State == resources.TaskCompleted || t.Spec.State == resources.TaskAbandoned):
		return t.Spec.State
	case !ok && h.repo.Archived(resources.Key{Kind: resources.Tasks, Name: task}):
		return "archived"
	}
	return ""
}

func (h *opencodeHandler) readPruned() []hosts.PrunedOutput {
	var pruned []hosts.PrunedOutput
	if json.Unmarshal(h.readNotes(notesPruned), &pruned) != nil {
		return nil
	}
	for i := range pruned {
		pruned[i].Note = admission.Plain(pruned[i].Note)
	}
	return pruned
}

// nearSummary reports whether the window is so full that the host may compact soon.
func (h *opencodeHandler) nearSummary() bool {
	used, _ := strconv.Atoi(string(h.in.Object["used"]))
	window, _ := strconv.Atoi(string(h.in.Object["window"]))
	if window <= 0 {
		window = h.repo.settings.ContextWindow
	}
	return used > 0 && used >= window/100*pruneBefore
}
