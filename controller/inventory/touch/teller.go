package touch

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project/findings"
)

// Teller tells of the code of one working tree. Any number of goroutines may ask it.
type Teller struct {
	root  layout.Root
	files *inventory.Inventory
	warms atomic.Bool                     // somebody is at it
	due   atomic.Bool                     // once more, when that is done
	stack atomic.Pointer[resources.Stack] // as it was last written down; nil: it was not
}

// New returns who tells of what an inventory of the working tree at root knows. What packs and decisions
// need of that is written down whenever the inventory finds that a manifest changed.
func New(root layout.Root, files *inventory.Inventory) *Teller {
	t := &Teller{root: root, files: files}
	files.Follow(func(changed []string) {
		if slices.ContainsFunc(changed, t.shows) {
			t.Warm()
		}
	})
	return t
}

// shows reports whether a file names packages, or showed a technology when that was last looked for.
func (t *Teller) shows(path string) bool {
	if packages.IsManifest(path) {
		return true
	}
	stack := t.stack.Load()
	return stack != nil && slices.ContainsFunc(stack.Files, func(f resources.StackFile) bool { return f.Path == path })
}

// Warm brings the map up to date in the background, and writes down what the project is for packs, and
// what its manifests name for decisions. Nobody waits for it.
func (t *Teller) Warm() {
	t.due.Store(true)
	if t.warms.Swap(true) {
		return
	}
	go func() {
		for {
			for t.due.Swap(false) {
				t.note()
			}
			if t.warms.Store(false); !t.due.Load() || t.warms.Swap(true) {
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
	if t.files.Ask(context.Background(), func(k inventory.Known) {
		t.due.Store(false) // what changed until now is in
		o := code.Describe(k)
		lines, stack = o.Lines(), findings.StackOf(k)
	}) != nil {
		return
	}
	if data, err := json.Marshal(stack); err == nil && t.root.Replace(layout.StackFile, data) == nil {
		t.stack.Store(&stack)
	}
	if !slices.Equal(lines, t.root.ProjectLines()) {
		_ = t.root.Replace(layout.ProjectFile, []byte(strings.Join(lines, "\n")+"\n"))
	}
}
