package touch

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project/findings"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Teller provides notices about the code of one working tree. It is safe for
// concurrent use.
type Teller struct {
	root  layout.Root
	files *inventory.Inventory
	tasks func() []string // returns files or file patterns of active tasks

	busy  atomic.Bool                          // a goroutine is running
	due   atomic.Bool                          // everything must be updated
	again atomic.Bool                          // the facts about tasks' files must be updated
	stack atomic.Pointer[resources.Stack]      // last written value; nil if none
	code  atomic.Pointer[[]resources.CodeFile] // last written value; nil if none
}

// New returns a Teller for the inventory of the working tree at root. It writes
// the data for packs and decisions whenever a manifest or a file of a task
// changes. tasks returns these files or their patterns, most important first.
func New(root layout.Root, files *inventory.Inventory, tasks func() []string) *Teller {
	t := &Teller{root: root, files: files, tasks: tasks}
	files.Follow(func(changed []string) {
		switch {
		case slices.ContainsFunc(changed, t.Shows):
			t.Warm()
		case slices.ContainsFunc(changed, t.tells):
			t.Worked()
		}
	})
	return t
}

// tells reports whether packs contain facts about a file.
func (t *Teller) tells(path string) bool {
	code := t.code.Load()
	return code != nil && slices.ContainsFunc(*code, func(f resources.CodeFile) bool { return f.Path == path })
}

// Shows reports whether a file names packages, or indicated a technology at the
// last update.
func (t *Teller) Shows(path string) bool {
	if packages.IsManifest(path) {
		return true
	}
	stack := t.stack.Load()
	return stack != nil && slices.ContainsFunc(stack.Files, func(f resources.StackFile) bool { return f.Path == path })
}

// Warm updates the map in the background. It writes the project summary, the
// facts about tasks' files and the technologies.
func (t *Teller) Warm() {
	t.due.Store(true)
	t.begin()
}

// Worked updates the facts about tasks' files in the background, after the
// active tasks or one of their files changed. It does nothing if there is no
// map yet.
func (t *Teller) Worked() {
	t.again.Store(true)
	t.begin()
}

// begin starts a goroutine for the due updates, unless one is running.
func (t *Teller) begin() {
	if t.busy.Swap(true) {
		return
	}
	go func() {
		for {
			for t.due.Load() || t.again.Load() {
				if t.due.Swap(false) {
					t.note()
				} else if t.again.Swap(false) {
					t.noteWorked()
				}
			}
			if t.busy.Store(false); !t.due.Load() && !t.again.Load() || t.busy.Swap(true) {
				return
			}
		}
	}()
}

// note writes the results of an update. If the tree cannot be listed, there are
// no results. A failed write is repeated at the next update.
func (t *Teller) note() {
	var lines []string
	var stack resources.Stack
	var worked []resources.CodeFile
	tasks := t.tasks()
	if t.files.Ask(context.Background(), func(k inventory.Known) {
		t.due.Store(false) // includes all changes until now
		t.again.Store(false)
		found := technologies.Find(k)
		o := code.Describe(k, found)
		lines, stack, worked = o.Lines(), findings.StackOf(k, found), code.Worked(k, tasks)
	}) != nil {
		return
	}
	if data, err := json.Marshal(stack); err == nil && t.root.Replace(layout.StackFile, data) == nil {
		t.stack.Store(&stack)
	}
	t.keep(worked)
	if !slices.Equal(lines, t.root.ProjectLines()) {
		_ = t.root.Replace(layout.ProjectFile, []byte(strings.Join(lines, "\n")+"\n"))
	}
}

// settling is the delay for combining several changes of tasks' files.
const settling = time.Second

func (t *Teller) noteWorked() {
	time.Sleep(settling)
	var worked []resources.CodeFile
	tasks := t.tasks()
	if t.files.AtHand(func(k inventory.Known) {
		t.again.Store(false)
		worked = code.Worked(k, tasks)
	}) {
		t.keep(worked)
	}
}

// keep writes the facts about tasks' files.
func (t *Teller) keep(worked []resources.CodeFile) {
	if worked == nil && t.code.Load() == nil && len(t.root.CodeFiles()) == 0 {
		return // empty before and after
	}
	if data, err := json.Marshal(worked); err == nil && t.root.Replace(layout.CodeFile, data) == nil {
		t.code.Store(&worked)
	}
}
