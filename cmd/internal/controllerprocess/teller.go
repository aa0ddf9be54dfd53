package controllerprocess

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project/documents"
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

// changeSet collects the shared objects that changed locally. It is safe for concurrent use.
type changeSet struct {
	mu    sync.Mutex
	since map[resources.Key]string // changes since the last exchange with their current revisions; empty for a deleted object
	fresh map[resources.Key]bool   // changes since the last call of noted
}

// add records a change. It ignores derived status, objects that are only checked again, and the
// first listing, because the first exchange compares all objects.
func (d *changeSet) add(c controller.Change) {
	if c.Initial || c.StatusOnly || c.Old == c.New || !slices.Contains(exchange.Kinds(), c.Key.Kind) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fresh == nil {
		d.fresh = map[resources.Key]bool{}
	}
	if d.since == nil {
		d.since = map[resources.Key]string{}
	}
	d.since[c.Key], d.fresh[c.Key] = "", true
	if c.New != nil {
		d.since[c.Key] = c.New.Source().Revision
	}
}

// exchanged returns the changes since its last call, with their revisions. Later changes belong to
// the next exchange.
func (d *changeSet) exchanged() map[resources.Key]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	since := d.since
	d.since, d.fresh = nil, nil
	return since
}

// noted returns the objects that changed since the last call of noted or exchanged.
func (d *changeSet) noted() []resources.Key {
	d.mu.Lock()
	defer d.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(d.fresh), resources.Key.Compare)
	d.fresh = nil
	return keys
}

// NotRuling reports the planning frameworks of files that were just written, if
// their documents are not authoritative: another framework is primary, or none
// is. Each framework is reported once per session.
func (t *CodeNotifier) NotRuling(files []string) (told []hooks.Snippet) {
	var candidates []string
	for _, file := range files {
		if documents.IsDocument(file) {
			candidates = append(candidates, file)
		}
	}
	if len(candidates) == 0 {
		return nil // most writes are of code
	}
	config, _ := t.root.Object(resources.Key{Kind: resources.Configs, Name: resources.ConfigName}, layout.Dir+"/config.json").(*resources.Config)
	primary := resources.EffectiveConfig(config).Planning.Primary
	t.files.IfCached(func(k inventory.Snapshot) {
		found := documents.Frameworks(k)
		rules, open := documents.FrameworkInUse(found, primary)
		for _, file := range candidates {
			owner := documents.FrameworkOf(found, file)
			if owner == "" || owner == rules || rules == "" && !open || slices.ContainsFunc(told, func(o hooks.Snippet) bool { return o.ID == ownerID(owner) }) {
				continue
			}
			told = append(told, notRuling(file, owner, rules, documents.Planning(found)))
		}
	})
	return told
}

// ownerID returns the receipt ID of a framework.
func ownerID(framework string) string { return "framework/" + framework }

// notRuling returns the notice that a file belongs to a planning framework whose plans are not in
// effect. rules is the framework in effect, empty if undecided; all lists the frameworks.
func notRuling(file, owner, rules string, all []string) hooks.Snippet {
	text := fmt.Sprintf("%s belongs to %s, but the plans of %s are in effect (planning.primary): write there, or ask the user.", admission.Plain(file), owner, rules)
	if rules == "" {
		text = fmt.Sprintf("%s belongs to %s, one of several planning frameworks here (%s), and planning.primary of .idumb/config.json names none of them: ask the user before you plan in it.",
			admission.Plain(file), owner, strings.Join(all, ", "))
	}
	return hooks.Snippet{ID: ownerID(owner), Truncated: true, Text: text}
}
