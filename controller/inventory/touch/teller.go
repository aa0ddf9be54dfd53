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

// Teller tells of the code of one working tree. Any number of goroutines may ask it.
type Teller struct {
	root  layout.Root
	files *inventory.Inventory
	tasks func() []string // files, or patterns of those, that tasks name that are worked on

	busy  atomic.Bool                          // somebody is at it
	due   atomic.Bool                          // all is to be found out anew
	again atomic.Bool                          // what is known of the files of tasks is to be
	stack atomic.Pointer[resources.Stack]      // as it was last written down; nil: it was not
	code  atomic.Pointer[[]resources.CodeFile] // likewise
}

// New returns who tells of what an inventory of the working tree at root knows. What packs and decisions
// need of that is written down whenever the inventory finds that a manifest changed, or a file that a task
// names; tasks tells which those are, as files or patterns, what matters most first.
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

// tells reports whether a file is one of those that packs tell of.
func (t *Teller) tells(path string) bool {
	code := t.code.Load()
	return code != nil && slices.ContainsFunc(*code, func(f resources.CodeFile) bool { return f.Path == path })
}

// Shows reports whether a file names packages, or showed a technology when that was last looked for.
func (t *Teller) Shows(path string) bool {
	if packages.IsManifest(path) {
		return true
	}
	stack := t.stack.Load()
	return stack != nil && slices.ContainsFunc(stack.Files, func(f resources.StackFile) bool { return f.Path == path })
}

// Warm brings the map up to date in the background, and writes down what the project is and what is known
// of the files of tasks for packs, and what manifests name for decisions. Nobody waits for it.
func (t *Teller) Warm() {
	t.due.Store(true)
	t.begin()
}

// Worked writes down what is known of the files of tasks, because other ones are worked on, or one of those
// changed: in the background, and where the map is at hand. Nobody waits for it.
func (t *Teller) Worked() {
	t.again.Store(true)
	t.begin()
}

// begin has what is due done by one goroutine.
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

// note writes down what was found. A tree that cannot be listed has no map; and what is not written now
// is so when the map is next brought up to date.
func (t *Teller) note() {
	var lines []string
	var stack resources.Stack
	var worked []resources.CodeFile
	tasks := t.tasks()
	if t.files.Ask(context.Background(), func(k inventory.Known) {
		t.due.Store(false) // what changed until now is in
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

// settling is how long changes of the files of tasks are waited for that come right behind one another.
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

// keep writes down what is known of the files of tasks.
func (t *Teller) keep(worked []resources.CodeFile) {
	if worked == nil && t.code.Load() == nil && len(t.root.CodeFiles()) == 0 {
		return // there was nothing, and there is nothing
	}
	if data, err := json.Marshal(worked); err == nil && t.root.Replace(layout.CodeFile, data) == nil {
		t.code.Store(&worked)
	}
}
