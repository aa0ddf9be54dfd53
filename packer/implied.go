package packer

import (
	"slices"
	"strings"
)

// Beginnings of headlines that tell of a task.
const (
	completedNews = "COMPLETED: "
	unblockedNews = "UNBLOCKED: "
)

// Labels of lines: of what was seen to be done for a task, and of what the person wants.
const (
	checkpointLabel = "Checkpoint "
	intentLabel     = "Intent: "
)

// implication is what a reader knows of tasks by an update's headlines and by the blocks of
// active tasks: no list has to tell it again.
type implication struct {
	said                 map[string]bool // what headlines say, word for word
	completed, unblocked map[string]bool // by a headline
	finished             map[string]bool // was told to be completed before
	active, was          map[string]bool // has a block now, or had one
	told                 map[string]bool // is told of now, wherever that is
	chain                bool            // there is one now
	back                 map[string]bool // came back, which is told
}

func implicationOf(news []string, before, after []statement) implication {
	n := implication{said: map[string]bool{}, finished: map[string]bool{}, completed: map[string]bool{}, unblocked: map[string]bool{}, active: map[string]bool{}, was: map[string]bool{}, told: map[string]bool{}, back: map[string]bool{}}
	for _, l := range news {
		_, text, _ := strings.Cut(l, ": ")
		n.said[text] = true
		if rest, ok := strings.CutPrefix(l, completedNews); ok {
			n.completed[statement{text: rest}.name()] = true
		} else if rest, ok := strings.CutPrefix(l, unblockedNews); ok {
			n.unblocked[statement{text: rest}.name()] = true
		}
	}
	for _, s := range before {
		n.was[s.activeTask()] = true
		if s.position.group == "done" || s.position.group == "chain" && s.phase() == "completed" {
			n.finished[s.name()] = true
		}
	}
	for _, s := range after {
		n.active[s.activeTask()] = true
		n.back[s.name()] = n.back[s.name()] || s.cameBack()
		if s.listsTask() {
			n.told[s.name()] = true
			n.chain = n.chain || s.position.group == "chain"
		}
	}
	return n
}

// activeTask is the task in whose block the statement stands, "" for none.
func (s statement) activeTask() string {
	id, _ := strings.CutPrefix(s.position.group, `active_task id="`)
	if id == s.position.group {
		return ""
	}
	return strings.TrimSuffix(id, `"`)
}

// listsTask reports whether the statement is a task's line in one of the plan's lists.
func (s statement) listsTask() bool {
	return slices.Contains([]string{"chain", "next", "done", "plan_ahead"}, s.position.group)
}

// lessImplied leaves out what follows from the rest of the update.
func (d difference) lessImplied(news []string, before, after []statement) difference {
	n := implicationOf(news, before, after)
	return difference{
		ended:   slices.DeleteFunc(d.ended, n.ends),
		changed: slices.DeleteFunc(d.changed, n.says),
		added:   slices.DeleteFunc(d.added, n.says),
	}
}

// says reports whether what is new follows: the checkpoints are the reader's own calls, and a
// task's line says what a headline or its block says.
func (n implication) says(s statement) bool {
	name := s.name()
	if made, derived := strings.CutPrefix(s.object(), memIDs+"mem-task-"); derived && n.completed[made] && n.was[made] {
		return true // what the reader itself did just now
	}
	return strings.HasPrefix(s.text, checkpointLabel) && s.activeTask() != "" ||
		n.said[strings.TrimPrefix(strings.TrimPrefix(s.text, "- "), intentLabel)] ||
		s.position.group == "done" && n.finished[name] ||
		s.listsTask() && (n.completed[name] || n.unblocked[name] || n.active[name] && !n.was[name])
}

// ends reports whether it follows that something ended, or it still holds: a task that was
// completed remains so, and one that moved is told of where it is now.
func (n implication) ends(s statement) bool {
	name := s.name()
	switch task := s.activeTask(); {
	case task != "":
		return n.completed[task] || n.back[task] || strings.HasPrefix(s.text, checkpointLabel)
	case s.toldNone():
		return len(n.active) > 1 // one of them is ""
	case !s.listsTask():
		return s.cameBack() && n.active[name]
	case s.position.group == "chain":
		return n.told[name] || s.phase() == "completed" || !n.chain
	}
	return s.position.group == "done" || n.told[name] || n.active[name] || n.completed[name]
}
