package daemon

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project/lint"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// CodeNotifier provides notices about the code of one working tree. It is safe for
// concurrent use.
type CodeNotifier struct {
	root  layout.Root
	files *inventory.Inventory
	tasks func() []string // returns files or file patterns of active tasks

	scanned   chan struct{}                        // closed after the first update of this process
	once      sync.Once                            // closes scanned
	isRunning atomic.Bool                          // a goroutine is running
	updateDue atomic.Bool                          // everything must be updated
	outdated  atomic.Bool                          // the facts about tasks' files must be updated
	stack     atomic.Pointer[resources.Stack]      // last written value; nil if none
	code      atomic.Pointer[[]resources.CodeFile] // last written value; nil if none
}

// NewCodeNotifier returns a CodeNotifier for the inventory of the working tree at root. It writes
// the data for packs and decisions whenever a manifest or a file of a task changes. tasks returns
// these files or their patterns, most important first.
func NewCodeNotifier(root layout.Root, files *inventory.Inventory, tasks func() []string) *CodeNotifier {
	t := &CodeNotifier{root: root, files: files, tasks: tasks, scanned: make(chan struct{})}
	files.OnChange(func(changed []string) {
		switch {
		case slices.ContainsFunc(changed, t.Shows):
			t.Warm()
		case slices.ContainsFunc(changed, t.isReported):
			t.UpdateTasks()
		}
	})
	return t
}

// isReported reports whether packs contain facts about a file.
func (t *CodeNotifier) isReported(path string) bool {
	code := t.code.Load()
	return code != nil && slices.ContainsFunc(*code, func(f resources.CodeFile) bool { return f.Path == path })
}

// Shows reports whether a file names packages, or indicated a technology at the
// last update.
func (t *CodeNotifier) Shows(path string) bool {
	if packages.IsManifest(path) {
		return true
	}
	stack := t.stack.Load()
	return stack != nil && slices.ContainsFunc(stack.Files, func(f resources.StackFile) bool { return f.Path == path })
}

// FirstScan starts an update in the background like Warm. In a repository without facts about the
// project it waits for the end of the first update, for at most limit.
func (t *CodeNotifier) FirstScan(limit time.Duration) {
	t.Warm()
	if t.root.ProjectLines() != nil {
		return
	}
	select {
	case <-t.scanned:
	case <-time.After(limit):
	}
}

// Warm updates the map in the background. It writes the project summary, the
// facts about tasks' files and the technologies.
func (t *CodeNotifier) Warm() {
	t.updateDue.Store(true)
	t.startUpdates()
}

// UpdateTasks updates the facts about tasks' files in the background, after the
// active tasks or one of their files changed. It does nothing if there is no
// map yet.
func (t *CodeNotifier) UpdateTasks() {
	t.outdated.Store(true)
	t.startUpdates()
}

// startUpdates starts a goroutine for the due updates, unless one is running.
func (t *CodeNotifier) startUpdates() {
	if t.isRunning.Swap(true) {
		return
	}
	go func() {
		for {
			for t.updateDue.Load() || t.outdated.Load() {
				if t.updateDue.Swap(false) {
					t.update()
				} else if t.outdated.Swap(false) {
					t.updateTasks()
				}
			}
			if t.isRunning.Store(false); !t.updateDue.Load() && !t.outdated.Load() || t.isRunning.Swap(true) {
				return
			}
		}
	}()
}

// update writes the results of an update. If the tree cannot be listed, there are
// no results. A failed write is repeated at the next update.
func (t *CodeNotifier) update() {
	var lines []string
	var stack resources.Stack
	var worked []resources.CodeFile
	tasks := t.tasks()
	if t.files.Ask(context.Background(), func(k inventory.Snapshot) {
		t.updateDue.Store(false) // includes all changes until now
		t.outdated.Store(false)
		found := technologies.Find(k)
		o := code.Describe(k, found)
		lines, stack, worked = o.Lines(), lint.StackOf(k, found), code.TaskFiles(k, tasks)
	}) != nil {
		return
	}
	if data, err := json.Marshal(stack); err == nil && t.root.Replace(layout.StackFile, data) == nil {
		t.stack.Store(&stack)
	}
	t.saveTaskFiles(worked)
	if !slices.Equal(lines, t.root.ProjectLines()) {
		_ = t.root.Replace(layout.ProjectFile, []byte(strings.Join(lines, "\n")+"\n"))
	}
	t.once.Do(func() { close(t.scanned) })
}

// combineDelay is the delay for combining several changes of tasks' files.
const combineDelay = time.Second

// updateTasks computes and saves the facts about the files of active tasks, after combineDelay. It
// does nothing if there is no map yet.
func (t *CodeNotifier) updateTasks() {
	if t.stack.Load() == nil {
		return
	}
	time.Sleep(combineDelay)
	var worked []resources.CodeFile
	tasks := t.tasks()
	if t.files.IfCached(func(k inventory.Snapshot) {
		t.outdated.Store(false)
		worked = code.TaskFiles(k, tasks)
	}) {
		t.saveTaskFiles(worked)
	}
}

// saveTaskFiles writes the facts about tasks' files.
func (t *CodeNotifier) saveTaskFiles(worked []resources.CodeFile) {
	if worked == nil && t.code.Load() == nil && len(t.root.CodeFiles()) == 0 {
		return // empty before and after
	}
	if data, err := json.Marshal(worked); err == nil && t.root.Replace(layout.CodeFile, data) == nil {
		t.code.Store(&worked)
	}
}
