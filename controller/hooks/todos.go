package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// notesTodos is the suffix of the notes with the to-do list that the agent of a session keeps in its host.
const notesTodos = ".todos"

// Limits of a line about the items of a list.
const (
	maxLineTokens = 120 // as package tokens estimates them
	maxLineItems  = 6
)

// lineWidths are the limits to which the texts of items are shortened so that more items fit into a line, in characters.
var lineWidths = [...]int{60, 40, 25, 12}

// TodoLists returns the to-do lists of all sessions, the latest first. It omits unreadable lists, and lists that git
// tracks: these came with the repository and not from an agent on this machine.
func TodoLists(root Root) []resources.TodoList {
	names, _ := root.Names(layout.HookDir)
	var all []resources.TodoList
	for _, file := range names {
		if session, ok := strings.CutSuffix(file, notesTodos); ok {
			if l, found := TodoListOf(root, session); found {
				all = append(all, l)
			}
		}
	}
	if len(all) > 0 {
		tracked := root.Tracked()
		all = slices.DeleteFunc(all, func(l resources.TodoList) bool {
			return slices.Contains(tracked, layout.NotesPath(l.Session, notesTodos))
		})
	}
	slices.SortStableFunc(all, func(a, b resources.TodoList) int { return b.UpdatedAt.Compare(a.UpdatedAt.Time) })
	return all
}

// TodoListOf returns the to-do list of a session. It returns false if the session has no list.
func TodoListOf(root Root, session string) (l resources.TodoList, found bool) {
	if resources.CheckName(session) != nil {
		return l, false
	}
	data, _, err := root.Read(layout.NotesPath(session, notesTodos), layout.MaxSpec)
	if err != nil || json.Unmarshal(data, &l) != nil {
		return resources.TodoList{}, false
	}
	l.Session = session
	return l, true
}

// ChangeTodoList changes the recorded to-do list of a session under the session's lock, because hosts run calls
// concurrently. It does not write if change returns false.
func ChangeTodoList(root Root, session string, change func(*resources.TodoList) bool) error {
	unlock, err := (folder{Root: root}).lockSession(session)
	if err != nil {
		return err
	}
	defer unlock()
	l, _ := TodoListOf(root, session)
	l.Session = session
	if !change(&l) {
		return nil
	}
	data, err := json.Marshal(l)
	for err == nil && len(data) >= layout.MaxSpec && len(l.Items) > 0 { // it could not be read again
		l.Items = l.Items[:len(l.Items)/2]
		data, err = json.Marshal(l)
	}
	if err != nil {
		return err
	}
	return root.Replace(layout.NotesPath(session, notesTodos), append(data, '\n'))
}

// LockAdoptions locks the making of plans of lists, so that no list becomes two plans.
func LockAdoptions(root Root) (unlock func(), err error) {
	return folder{Root: root}.lockSession(".adoptions") // no session record has this name
}

// AdoptedAs returns the name of the plan that names a list as its source, or "". The record of the list does not name
// the plan if the process that made it was killed.
func AdoptedAs(root Root, l *resources.TodoList) string {
	names, _ := root.Names(layout.Folder(resources.WorkPlans))
	for _, file := range names {
		name, isPlan := strings.CutSuffix(file, ".json")
		p := objectOf[*resources.WorkPlan](root, resources.Key{Kind: resources.WorkPlans, Name: name})
		if isPlan && p != nil && p.Metadata.Annotations[resources.AnnotationTodoList] == l.ID() {
			return name
		}
	}
	return ""
}

// MarkAdopted records that a plan and its tasks were made of steps of a session's list. The agent may have changed the
// list meanwhile.
func MarkAdopted(root Root, session, plan string, steps []resources.Todo, tasks []*resources.Task) error {
	return ChangeTodoList(root, session, func(now *resources.TodoList) bool {
		now.Adopt(plan, steps, tasks)
		return true
	})
}

// RemoveTodoList removes the record of a session's to-do list. A later change by the agent records it again.
func RemoveTodoList(root Root, session string) error {
	return root.Remove(layout.NotesPath(session, notesTodos))
}

// SessionOf returns the record of a session, or nil.
func SessionOf(root Root, name string) *resources.Session {
	return objectOf[*resources.Session](root, resources.Key{Kind: resources.Sessions, Name: name})
}

// objectOf reads an object from its file. It returns nil if it is missing or invalid.
func objectOf[T resources.Object](root Root, key resources.Key) (object T) {
	_, data, err := (folder{Root: root}).spec(key)
	if err != nil {
		return object
	}
	o, _, _ := resources.Decode(key, data)
	object, _ = o.(T)
	return object
}

// WorkOn records that a session works on a task that a user started for it.
func WorkOn(root Root, session, task string) error {
	f := folder{Root: root}
	unlock, err := f.lockSession(session)
	if err != nil {
		return err
	}
	defer unlock()
	s := SessionOf(root, session)
	if s == nil {
		return fmt.Errorf("sessions/%s has no readable record", session)
	}
	s.Spec.ActiveTask = task
	data, err := encodeSession(session, s.Spec)
	if err != nil {
		return err
	}
	return root.Replace(layout.Path(resources.Key{Kind: resources.Sessions, Name: session}), data)
}

// IsTodoListInUse reports whether the agent of a list may still work on it: its host runs, and no other session has
// followed in the host's process. If the system does not report processes, the list is in use until its session was
// not heard of for a while.
func IsTodoListInUse(root Root, l *resources.TodoList, s *resources.Session, now time.Time, idle time.Duration) bool {
	recent := s != nil && s.Spec.EndedAt.IsZero() && now.Sub(s.Spec.LastSeenAt.Time) < idle
	switch process.StateOf(l.Process) {
	case process.Exited:
		return false
	case process.Running:
		if s != nil && !s.Spec.EndedAt.IsZero() && !s.Spec.EndedAt.Before(l.UpdatedAt.Time) {
			return false
		}
		next := callers.SessionIn(root, *l.Process)
		return next == "" || next == l.Session || recent && hosts.TraitsOf(l.Host).OneProcess
	}
	return recent
}

// todoSession returns the session that keeps the list of the acting agent. Subagents share the list of their host's
// conversation.
func (h *handler) todoSession() string {
	if h.event.Session == "" {
		return ""
	}
	return resources.NameOfID(h.event.Session)
}

// mirrors reports whether the to-do lists of agents are recorded.
func (h *handler) mirrors() bool {
	return h.repo.settings.Planning.Mirror != resources.MirrorOff && h.repo.settings.Record == resources.RecordFull
}

// draftOf returns the request to create a draft plan of a list, or tasks for its new items, and records the tasks in
// the list. The request has no objects if there is no new item.
func (h *handler) draftOf(l *resources.TodoList) (wish requests.Args) {
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, cmp.Or(l.Adopted, resources.NameOf(l.PlanTitle())))
	plan.Spec.Title = l.PlanTitle()
	plan.Metadata.Annotations = map[string]string{resources.AnnotationTodoList: l.ID()}
	project := resources.TodoProject{Pattern: func(string) string { return "" }}
	if h.repo.project != nil {
		project = h.repo.project(h.repo.Root)
	}
	steps, tasks, _ := l.NewTasks(plan.Metadata.Name, project)
	if len(l.Items) == 0 || len(tasks) == 0 {
		return wish
	}
	objects := []resources.Object{plan}
	if l.Adopted != "" {
		objects = nil
	}
	for _, t := range tasks {
		objects = append(objects, t)
	}
	for _, o := range objects {
		if data, err := resources.Encode(o); err == nil {
			wish.Add(o.Key(), data, "")
		}
	}
	l.Adopt(plan.Metadata.Name, steps, tasks)
	return wish
}

// isPlanned reports whether a plan that governs, or governed, has the items of a list.
func (h *handler) isPlanned(l *resources.TodoList) bool {
	p, found := h.repo.Plan(l.Adopted)
	return found && resources.PlanState(p) != resources.PlanDraft
}

// recordTodos records a change of the agent's to-do list. If the session received the open items of another list,
// it now takes that list over.
func (h *handler) recordTodos() {
	session := h.todoSession()
	if session == "" || !h.mirrors() {
		return
	}
	if h.event.Todos == nil {
		h.event.Todos = h.writtenPlan()
	}
	if h.event.Todos == nil {
		return
	}
	var l resources.TodoList
	p, changed, wish := h.process(), false, requests.Args{}
	err := ChangeTodoList(h.repo.Root, session, func(now *resources.TodoList) bool {
		changed = now.Apply(h.event.Todos) || p != nil && (now.Process == nil || *p != *now.Process)
		now.Host, now.Process, now.UpdatedAt, now.TakenOver = h.event.Host, p, resources.NewTime(h.repo.now), ""
		if now.StartedAt.IsZero() {
			now.StartedAt = now.UpdatedAt
		}
		if changed && h.repo.settings.Planning.Mirror == resources.MirrorTasks {
			wish = h.draftOf(now)
		}
		l = *now
		return changed
	})
	if err != nil {
		return
	}
	if len(wish.Objects) > 0 {
		h.carry("create", wish)
	}
	h.followTodos(&l)
	if !changed {
		return
	}
	h.updateSession(func(s *resources.SessionSpec) { s.LastSeenAt = resources.NewTime(h.repo.now) }) // open pages look again
	if told := h.readState().TodosTold; told != "" && len(l.Open()) > 0 {
		_ = ChangeTodoList(h.repo.Root, told, func(left *resources.TodoList) bool {
			left.TakenOver = session
			return told != session && left.Host != "" // it was not deleted
		})
		h.updateState(func(m *sessionState) { m.TodosTold = "" })
	}
}

// writtenPlan returns the change of the list by a call that wrote a plan file of the host, or nil.
func (h *handler) writtenPlan() *resources.TodoChange {
	isText := func(file string) bool { return strings.EqualFold(filepath.Ext(file), ".md") }
	if h.event.Action != admission.Write || h.event.Failed || !slices.ContainsFunc(h.event.Paths, isText) {
		return nil
	}
	call, err := h.call()
	for _, p := range call.Paths {
		if err != nil || !admission.IsPlanFile(p) {
			continue
		}
		file := p.Given
		if !filepath.IsAbs(file) {
			file = filepath.Join(h.event.Cwd, file)
		}
		if text, _ := Root(filepath.Dir(file)).SourceText(filepath.Base(file)); len(bytes.TrimSpace(text)) > 0 {
			return &resources.TodoChange{Plan: string(text)}
		}
	}
	return nil
}

// followTodos starts the tasks of the items that the agent started in its list, and hands in the tasks of finished items
// for review. Only evidence completes a task. It skips a draft that the list became by itself. The next change of the
// list makes up for an interrupted run.
func (h *handler) followTodos(l *resources.TodoList) {
	if h.repo.settings.Planning.Mirror == resources.MirrorTasks && !h.isPlanned(l) {
		return
	}
	var followed []string
	for _, item := range l.Unfollowed() {
		followed = append(followed, item.Task)
		t, found := h.repo.Task(item.Task)
		if !found || resources.IsFinal(resources.TaskState(t)) {
			continue
		}
		planned := resources.TaskState(t) != resources.TaskActive && resources.TaskState(t) != resources.TaskReview
		if item.State == resources.TodoActive || planned {
			h.startItem(item.Task)
		}
		if item.State == resources.TodoDone {
			h.carry(requests.Review, requests.Args{Task: item.Task, Said: requests.Said{Evidence: "done in the to-do list of " + h.event.Host}})
		}
	}
	if len(followed) > 0 {
		_ = ChangeTodoList(h.repo.Root, l.Session, func(now *resources.TodoList) bool {
			return now.MarkTasks(followed, func(t *resources.Todo) { t.Followed = true })
		})
	}
}

// startItem starts the task of an item for this session, and reports whether it did.
func (h *handler) startItem(task string) bool {
	if !h.carry(requests.Start, requests.Args{Task: task}) {
		return false
	}
	h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask, s.Counters.QuietTurns = task, 0 })
	h.startsTask = true
	return true
}

// startCurrentItem starts the task of the item that the main agent works on, if a user activated the plan of the list
// after it was made. It reports whether it did.
func (h *handler) startCurrentItem() bool {
	l, found := TodoListOf(h.repo.Root, h.todoSession())
	if !found || l.Adopted == "" || h.parentName() != "" {
		return false
	}
	for _, item := range l.Items {
		t, found := h.repo.Task(item.Task)
		if item.State != resources.TodoActive || !found || resources.TaskState(t) != resources.TaskPlanned {
			continue
		}
		if plan, found := h.repo.Plan(t.Spec.WorkPlan); found && resources.PlanState(plan) == resources.PlanActive {
			return h.startItem(item.Task)
		}
	}
	return false
}

// completedElsewhere names the items of the agent's list whose tasks others completed, in this worktree or another
// one. Each is named once, after the next call.
func (h *handler) completedElsewhere() string {
	session := h.todoSession()
	if session == "" || h.parentName() != "" || h.event.AnswerIgnored {
		return ""
	}
	l, found := TodoListOf(h.repo.Root, session)
	if !found || l.Adopted == "" || !h.canDeliver() {
		return ""
	}
	var tasks []string
	var items []resources.Todo
	for _, t := range l.Open() {
		if t.Task != "" && !t.Told && h.isCompleted(t.Task) {
			tasks = append(tasks, t.Task)
			if !h.callNames(t.Task) {
				items = append(items, t)
			}
		}
	}
	if len(tasks) > 0 {
		_ = ChangeTodoList(h.repo.Root, session, func(now *resources.TodoList) bool {
			return now.MarkTasks(tasks, func(t *resources.Todo) { t.Told = true })
		})
	}
	if len(items) == 0 {
		return ""
	}
	text := itemsLine("Completed by others, mark it as done in your to-do list", items)
	h.logDelivery(text)
	return text
}

// isCompleted reports whether a task is completed in this worktree or in another one.
func (h *handler) isCompleted(name string) bool {
	t, found := h.repo.Task(name)
	if !found || t.Spec.State == resources.TaskCompleted {
		return found
	}
	if l := h.repo.lease(t); l != nil && l.Ended() == resources.TaskCompleted {
		return true
	}
	return slices.ContainsFunc(h.repo.Root.Trees(), func(tree Root) bool {
		other := objectOf[*resources.Task](tree, t.Key())
		return other != nil && other.Metadata.UID == t.Metadata.UID && other.Spec.State == resources.TaskCompleted
	})
}

// callNames reports whether the agent's call names a task, so that the agent completed it itself.
func (h *handler) callNames(task string) bool {
	if strings.Contains(h.event.Command, task) {
		return true
	}
	for _, arg := range h.event.Args {
		if h.event.Own && strings.Contains(string(arg), task) {
			return true
		}
	}
	return false
}

// withLeftOpen adds the open items of a to-do list (leftOpen) to the answer to the start of a session.
func (h *handler) withLeftOpen(a hosts.Answer) hosts.Answer {
	if h.parentName() != "" || !h.canDeliver() {
		return a
	}
	l, own, found := h.leftOpen()
	if !found {
		return a
	}
	text := leftOpenLine(&l, own)
	if characters(a.Context)+characters(text)+1 > h.limit {
		return a
	}
	h.logDelivery(text)
	h.updateState(func(m *sessionState) {
		m.TodosTold = l.Session
		switch {
		case h.composes() && h.event.Compacted: // within a turn
			m.TurnContext += text
		case h.composes():
			m.LeftOpen = text
		}
	})
	if !h.composes() {
		a.Context = inLines(a.Context, text)
	}
	return a
}

// leftOpen returns the latest to-do list with open items that the session must receive: a list that is not in use, or
// after a compaction or a pause the list of this session (own).
func (h *handler) leftOpen() (left resources.TodoList, own, found bool) {
	idle := resources.Duration(h.repo.settings.SessionIdleAfter, 0)
	if !h.mirrors() {
		return left, false, false
	}
	for _, l := range TodoLists(h.repo.Root) {
		own := l.Session == h.todoSession()
		s, _ := h.repo.Session(l.Session)
		switch {
		case len(l.Open()) == 0, h.isPlanned(&l), l.TakenOver != "":
		case own && (h.event.Compacted || h.record().State == resources.StateResumed):
			return l, true, true
		case !own && !IsTodoListInUse(h.repo.Root, &l, s, h.repo.now, idle):
			return l, false, true
		}
	}
	return left, false, false
}

// leftOpenLine names the open items of a list.
func leftOpenLine(l *resources.TodoList, own bool) string {
	done, all := l.Done()
	who := "in your to-do list"
	if !own {
		agent := resources.Holder{Host: l.Host, Session: l.Session[:min(len(l.Session), maxSessionShown)]}
		who = "by " + admission.Plain(agent.Brief()) + " at " + l.UpdatedAt.Local().Format("15:04 on 2006-01-02")
	}
	items := l.Open()
	for i := range items {
		items[i].Task = ""
	}
	return itemsLine(fmt.Sprintf("Left open %s (%d of %d done)", who, done, all), items)
}

// maxSessionShown is the length to which the name of a session is cut in a line for agents: the first group of a UUID.
const maxSessionShown = 8

// itemsLine returns a line with as many items as maxLineTokens and maxLineItems permit, with their tasks, and with the
// number of the others.
func itemsLine(head string, items []resources.Todo) (line string) {
	for shown := min(len(items), maxLineItems); shown > 0; shown-- {
		for _, width := range lineWidths {
			var parts []string
			for _, t := range items[:shown] {
				text := admission.Plain(resources.Shortened(t.Text, width, "…"))
				if t.Task != "" {
					text = fmt.Sprintf("%q (task/%s)", text, t.Task)
				}
				parts = append(parts, text)
			}
			if more := len(items) - shown; more > 0 {
				parts = append(parts, fmt.Sprintf("and %d more", more))
			}
			line = head + ": " + strings.Join(parts, "; ") + ".\n"
			if tokens.Estimate(line) <= maxLineTokens {
				return line
			}
		}
	}
	return line
}
