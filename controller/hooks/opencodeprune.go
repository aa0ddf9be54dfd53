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

// Tool outputs for finished tasks are left out of the model's input. Each time
// the set of outputs grows, the provider's cache of the conversation is
// invalidated from there on. Therefore the set grows rarely, by a large amount,
// and never shrinks.
const (
	pruneFrom  = 40_000 // no output is left out below this total size, in characters
	pruneBatch = 16_000 // the minimum saving of one step, in characters
	// pruneBefore is the percentage of the window up to which outputs are left
	// out. Near the end of the window the host writes a summary, which is
	// better with the outputs.
	pruneBefore = 75
	// maxOutputs limits the file with the tasks of calls, in bytes.
	maxOutputs = 128 << 10
)

// rememberOutput records the task for which a call ran, so that its output can be pruned when the
// task ends.
func (h *opencodeHandler) rememberOutput() {
	call, err := h.call()
	task, ok := h.worksOn(call)
	if err != nil || !ok || h.event.CallID == "" || strings.ContainsAny(h.event.CallID, "\t\n") {
		return
	}
	h.appendNotes(notesOutputs, []byte(h.event.CallID+"\t"+task.Metadata.Name+"\n"))
}

// shownOutput is an output in the conversation, as reported by the shim.
type shownOutput struct {
	call string
	size int // in characters
}

// prune returns the outputs to leave out of the conversation: the earlier ones,
// and new ones if the saving is large enough.
func (h *opencodeHandler) prune() []hosts.PrunedOutput {
	var shown []shownOutput
	for _, item := range hosts.Items(h.request.Object["outputs"]) {
		o, err := hosts.ReadObject(item)
		size, numErr := strconv.Atoi(string(o["size"]))
		if err == nil && numErr == nil && o.Text("call") != "" {
			shown = append(shown, shownOutput{o.Text("call"), size})
		}
	}
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
	fresh, all, saved := h.staleOutputs(shown, known)
	if all < pruneFrom || saved < pruneBatch {
		return pruned
	}
	pruned = append(pruned, fresh...)
	if data, err := json.Marshal(pruned); err != nil || h.writeNotes(notesPruned, append(data, '\n')) != nil {
		return pruned[:len(pruned)-len(fresh)] // it would be in the next request again
	}
	return pruned
}

// staleOutputs lists the outputs of finished tasks that are in the conversation
// and not in known. all is the total size of the outputs that are not in known,
// and saved is the size of the listed ones.
func (h *opencodeHandler) staleOutputs(shown []shownOutput, known map[string]bool) (list []hosts.PrunedOutput, all, saved int) {
	// The older half of a file that is too long is dropped.
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
	for _, o := range shown {
		if known[o.call] {
			continue
		}
		all += o.size
		if phase := h.endState(tasks[o.call]); phase != "" {
			saved += o.size
			list = append(list, hosts.PrunedOutput{Call: o.call, Note: "[iDumb: this output was for the task " + tasks[o.call] + ", which is " + phase + "; it was left out to save room. Call the tool again if you need it.]"})
		}
	}
	return list, all, saved
}

// endState returns the final state of a task. It returns an empty text if the task
// is open, failed or unknown.
func (h *opencodeHandler) endState(task string) string {
	if task == "" {
		return ""
	}
	switch t, ok := h.repo.Task(task); {
	case ok && (t.Spec.State == resources.TaskCompleted || t.Spec.State == resources.TaskAbandoned):
		return t.Spec.State
	case !ok && h.repo.Archived(resources.Key{Kind: resources.Tasks, Name: task}):
		return "archived"
	}
	return ""
}

// readPruned returns the tool outputs that are left out of the model's input according to the
// session's notes.
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

// nearSummary reports whether the window is so full that the host may compact
// soon.
func (h *opencodeHandler) nearSummary() bool {
	used, _ := strconv.Atoi(string(h.request.Object["used"]))
	window, _ := strconv.Atoi(string(h.request.Object["window"]))
	if window <= 0 {
		window = h.repo.settings.ContextWindow
	}
	return used > 0 && used >= window/100*pruneBefore
}
