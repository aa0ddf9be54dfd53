package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// iDumb v2 copied its epics into an empty graph: epic-7 became wp-7, task-8 became tn-8,
// completed subtasks became checkpoints, and other subtasks were dropped. The old file was
// kept. Duplicate objects are converted once, from the graph. Dropped subtasks are added to
// the copy.

// twin returns the ID of the copy of an epic or a task, or "" for other IDs.
func twin(id string) string {
	for _, moved := range [][2]string{{"epic-", "wp-"}, {"task-", "tn-"}} {
		if rest, ok := strings.CutPrefix(id, moved[0]); ok {
			return moved[1] + rest
		}
	}
	return ""
}

// noteIDs records the IDs of all objects in a value.
func (b *idumb) noteIDs(v Value) {
	if id, ok := v.Lookup("id"); ok && id.Text != "" {
		b.graphs[id.Text] = true
	}
	for _, item := range v.Items {
		b.noteIDs(item)
	}
	for _, f := range v.Fields {
		b.noteIDs(f.Value)
	}
}

// movedEpic reads an epic that is also in the graph.
func (b *idumb) movedEpic(f File, e *Record) {
	id := e.Text("id")
	plan := b.Find(resources.WorkPlans, twin(id))
	if plan == nil { // a task, or a plan in an unreadable file
		delete(b.graphs, twin(id))
		b.epic(f, e)
		return
	}
	b.leaveRecord(f, "epics that were copied into the graph: that counts", id)
	b.alias(resources.WorkPlans, id, plan)
	for _, t := range e.Records("tasks") {
		b.movedTask(f, t, plan)
	}
}

// movedTask merges a task of a moved epic with its copy in the graph, or converts it if there is no
// copy.
func (b *idumb) movedTask(f File, r *Record, plan *Draft) {
	id := r.Text("id")
	task := b.Find(resources.Tasks, twin(id))
	if task == nil {
		b.task(f, r, plan.ID)
		return
	}
	b.alias(resources.Tasks, id, task)
	for _, s := range r.Records("subtasks") {
		if TaskState(s.Text(strings.Fields(statusNames)...)).State != resources.TaskCompleted { // otherwise it is a checkpoint of the copy
			b.subtask(f, s, task)
		}
	}
}
