package packer

import (
	"slices"
	"strings"
)

// Prefixes of headlines about a task.
const (
	completedNews = "COMPLETED: "
	unblockedNews = "UNBLOCKED: "
)

// Labels of lines about a checkpoint and the intent.
const (
	checkpointLabel = "Checkpoint "
	intentLabel     = "Intent: "
)

// implication is the set of facts about tasks that a reader knows from the headlines of an update
// and the blocks of active tasks, so that no list needs to repeat them.
type implication struct {
	headlineTexts        map[string]bool // texts of headlines
	completed, unblocked map[string]bool // by a headline
	wasCompleted         map[string]bool // known as completed before
	active, wasActive    map[string]bool // has a block now, or had one
	listed               map[string]bool // listed anywhere now
	chain                bool            // the pack has a chain
	handedBack           map[string]bool // handed back, which is reported
	nextCut              bool            // the list of next tasks may be cut, because a task is active
}

// implicationOf returns the implication of an update with the headlines news, from the pack with
// the statements before to the one with the statements after.
func implicationOf(news []string, before, after []statement) implication {
	n := implication{headlineTexts: map[string]bool{}, wasCompleted: map[string]bool{}, completed: map[string]bool{}, unblocked: map[string]bool{}, active: map[string]bool{}, wasActive: map[string]bool{}, listed: map[string]bool{}, handedBack: map[string]bool{}}
	for _, l := range news {
		_, text, _ := strings.Cut(l, ": ")
		n.headlineTexts[text] = true
		if rest, ok := strings.CutPrefix(l, completedNews); ok {
			n.completed[statement{text: rest}.name()] = true
		} else if rest, ok := strings.CutPrefix(l, unblockedNews); ok {
			n.unblocked[statement{text: rest}.name()] = true
		}
	}
	for _, s := range before {
		n.wasActive[s.activeTask()] = true
		if s.position.group == "done" || s.position.group == "chain" && s.phase() == "completed" {
			n.wasCompleted[s.name()] = true
		}
	}
	next := 0
	for _, s := range after {
		if s.position.group == "next" {
			next++
		}
		n.active[s.activeTask()] = true
		n.handedBack[s.name()] = n.handedBack[s.name()] || s.isBackText()
		if s.listsTask() {
			n.listed[s.name()] = true
			n.chain = n.chain || s.position.group == "chain"
		}
	}
	n.nextCut = next >= maxNext && len(n.active) > 1 // one of them is ""
	return n
}

// activeTask returns the task whose block contains the statement, empty if none.
func (s statement) activeTask() string {
	id, _ := strings.CutPrefix(s.position.group, `active_task id="`)
	if id == s.position.group {
		return ""
	}
	return strings.TrimSuffix(id, `"`)
}

// listsTask reports whether the statement is a task's line in a list of the plan.
func (s statement) listsTask() bool {
	return slices.Contains([]string{"chain", "next", "done", "plan_ahead"}, s.position.group)
}

// dropImplied removes the statements that follow from the rest of the update.
func (d difference) dropImplied(news []string, before, after []statement) difference {
	n := implicationOf(news, before, after)
	return difference{
		ended:   slices.DeleteFunc(d.ended, n.impliesEnded),
		changed: slices.DeleteFunc(d.changed, n.impliesAdded),
		added:   slices.DeleteFunc(d.added, n.impliesAdded),
	}
}

// impliesAdded reports whether a new statement is implied: checkpoints are the reader's own calls, and a
// task's line repeats a headline or its block.
func (n implication) impliesAdded(s statement) bool {
	name := s.name()
	if made, derived := strings.CutPrefix(s.object(), memIDs+"mem-task-"); derived && n.completed[made] && n.wasActive[made] {
		return true // the reader completed this task
	}
	return strings.HasPrefix(s.text, checkpointLabel) && s.activeTask() != "" ||
		n.headlineTexts[strings.TrimPrefix(strings.TrimPrefix(s.text, "- "), intentLabel)] ||
		s.position.group == "done" && n.wasCompleted[name] ||
		s.listsTask() && (n.completed[name] || n.unblocked[name] || n.active[name] && !n.wasActive[name])
}

// impliesEnded reports whether the end of a statement is implied or only apparent: a completed task remains
// completed, and a task that moved is listed in its new place.
func (n implication) impliesEnded(s statement) bool {
	name := s.name()
	switch task := s.activeTask(); {
	case task != "":
		return n.completed[task] || n.handedBack[task] || strings.HasPrefix(s.text, checkpointLabel)
	case s.isNoneActive():
		return len(n.active) > 1 // one of them is ""
	case !s.listsTask():
		return s.isBackText() && n.active[name]
	case s.position.group == "chain":
		return n.listed[name] || s.phase() == "completed" || !n.chain
	}
	return s.position.group == "done" || s.position.group == "next" && n.nextCut || n.listed[name] || n.active[name] || n.completed[name]
}
