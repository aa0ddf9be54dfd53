package questions

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Source is what there is, of one moment: what the files say (FromFiles), or what a controller
// holds in memory (NewCache).
type Source struct {
	packer.Source
	Root  layout.Root
	Gate  hooks.Backend // what the repository's gate reads
	Stock *Stock        // what is at hand of the memory from one question to the next; nil: nothing
	// Inventory is that of the files of the working tree.
	Inventory func() *inventory.Inventory
	statuses  statuses
	accesses  func() map[string]mems.Access
	roll      func() leases.Roll
}

// Stock is what is known of a repository's memory, as a controller packs with it.
type Stock = packer.Stock

// statuses are what was derived of objects, computed from the files or known to a controller.
type statuses interface {
	entries(kinds []string, keys []resources.Key) ([]*Entry, uint64) // Source.Entries, not whole
	status(key resources.Key) any                                    // Source.Derived
	// whole returns a copy of such a status, with the times that only a controller can have seen.
	whole(key resources.Key, status any) any
}

// FromFiles returns what the files of the repository at root say, of which objects is a load.
func FromFiles(root layout.Root, objects *graph.Snapshot) *Source {
	s := newSource(root, objects, fileStatuses{objects, root})
	s.Inventory = sync.OnceValue(func() *inventory.Inventory { return inventory.New(root, runtime.NumCPU()) })
	return s
}

// Cache is the Source of a controller, whose changes can be followed.
type Cache struct {
	*Source
	known *cache
}

// NewCache returns what the controller of the repository at root knows, with the clock standing
// still. stock is what it packs with; nil: nothing is at hand of the memory.
func NewCache(root layout.Root, client controller.Client, stock *Stock, files *inventory.Inventory) *Cache {
	known := &cache{client, client.Now()}
	s := newSource(root, known, known)
	s.Inventory = func() *inventory.Inventory { return files }
	s.Gate.Reader, s.Stock = client.Reader(), stock
	return &Cache{s, known}
}

// Steps are those of the cache: see controller.Client.
func (c *Cache) Steps(ctx context.Context, after uint64) ([]controller.Step, error) {
	return c.known.Steps(ctx, after)
}

func newSource(root layout.Root, objects packer.Source, known statuses) *Source {
	return &Source{Source: objects, Root: root, statuses: known,
		accesses: sync.OnceValue(func() map[string]mems.Access { return mems.Accesses(root.Scratch()) }), roll: sync.OnceValue(leases.Open(root).Roll)}
}

// Derived returns the status of an object, a pointer (*TaskStatus, ...); nil if there is no such
// object. Times that only a controller can have seen may be missing.
func (s *Source) Derived(key resources.Key) any { return s.statuses.status(key) }

// Entries returns the objects of these kinds, sorted, and those of these keys that there are, of
// one moment, with the resource version of it; 0: no controller counts them. Whole: their
// statuses have all that is known of them, the times that a controller saw among it.
func (s *Source) Entries(kinds []string, keys []resources.Key, whole bool) ([]*Entry, uint64) {
	entries, version := s.statuses.entries(kinds, keys)
	for _, e := range entries {
		s.addHolder(e)
		if whole {
			s.complete(e)
		}
	}
	return entries, version
}

// Holder returns the lease of whoever holds a task; nil for nobody.
func (s *Source) Holder(task *resources.Task) *resources.Lease { return s.roll().Of(task) }

// Worker names who works on a task, as a cell; "" where that is nobody, or simply the person that looks.
func (s *Source) Worker(task *resources.Task) string {
	if l := s.Holder(task); s.roll().Foreign(l) {
		return s.roll().Brief(l)
	}
	return ""
}

// WorkerNote is Worker in words: that the task is held, or how it ended in another clone. It is empty for a task that is
// over here: nobody works on it.
func (s *Source) WorkerNote(task *resources.Task) string {
	worker := s.Worker(task)
	switch {
	case worker == "" || resources.Over(resources.TaskState(task)):
		return ""
	case s.Holder(task).Ended() != "":
		return worker
	}
	return "held by " + worker
}

// addHolder adds to a task's entry who holds it.
func (s *Source) addHolder(e *Entry) {
	task, ok := e.Object.(*resources.Task)
	if !ok {
		return
	}
	if l := s.Holder(task); l != nil {
		e.Holder, e.Foreign = s.roll().Brief(l), s.roll().Foreign(l)
	}
}

// complete adds to an entry's status what is no part of it as it was derived.
func (s *Source) complete(e *Entry) *Entry {
	if e.Status == nil {
		return e
	}
	e.Status = s.statuses.whole(e.Key, e.Status)
	if mem, ok := e.Status.(*resources.MemStatus); ok {
		access := s.accesses()[e.Key.Name]
		mem.AccessCount, mem.LastAccessed = access.Count, access.Last
	}
	if session, ok := e.Status.(*resources.SessionStatus); ok {
		session.LastCall = hooks.LastCallOf(s.Root, e.Key.Name)
	}
	return e
}

// fileStatuses are computed, and joined with the times in the files that a controller wrote last.
type fileStatuses struct {
	*graph.Snapshot
	root layout.Root
}

func (f fileStatuses) status(key resources.Key) any { return f.Derived(key) }

func (f fileStatuses) entries(kinds []string, keys []resources.Key) (entries []*Entry, _ uint64) {
	var all []resources.Key
	for _, kind := range kinds {
		all = append(all, f.List(kind)...)
	}
	for _, key := range append(all, keys...) {
		e := &Entry{Key: key}
		e.Object, _ = f.Get(key)
		if problem, broken := f.Problem(key); broken {
			e.Problem = &problem
		}
		if e.Object != nil || e.Problem != nil {
			e.Status = f.Derived(key)
			entries = append(entries, e)
		}
	}
	return entries, 0
}

func (f fileStatuses) whole(key resources.Key, status any) any {
	file, _, err := f.root.Read(layout.StatusPath(key), layout.MaxSpec)
	if err != nil {
		file = nil
	}
	return Join(status, file)
}

// decodeStatus reads the status of an object of a kind; nil if that cannot be done.
func decodeStatus(plural string, data []byte) any {
	kind, known := resources.KindOf(plural)
	if !known {
		return nil
	}
	status := kind.New().StatusPointer()
	if json.Unmarshal(data, status) != nil {
		return nil
	}
	return status
}

// cache is the controller's, with the clock standing still: its reconcilers wrote the statuses.
type cache struct {
	controller.Client
	now time.Time
}

// Now is the instant of the question.
func (c *cache) Now() time.Time { return c.now }

func (c *cache) status(key resources.Key) any {
	r := c.Known(key)
	return c.read(&r)
}

// read decodes a status, once for all who ask for it.
func (c *cache) read(r *controller.Revision) any {
	if r.Object != nil {
		if r.Decoded == nil && len(r.Status) > 0 {
			r.Decoded = decodeStatus(r.Key.Kind, r.Status)
			c.KeepDecoded(r)
		}
		return r.Decoded
	}
	status := decodeStatus(r.Key.Kind, r.Status)
	if common := resources.CommonOf(status); common != nil {
		common.ObservedRevision = "" // of bytes that say nothing
		return status
	}
	kind, known := resources.KindOf(r.Key.Kind)
	if r.Problem == nil || !known {
		return nil
	}
	status = kind.New().StatusPointer() // a name that no object can have has no status file
	graph.FillStatus(resources.CommonOf(status), r.Key, nil, "", r.Problem)
	return status
}

func (c *cache) entries(kinds []string, keys []resources.Key) ([]*Entry, uint64) {
	revisions, version := c.Revisions(kinds, keys)
	entries := make([]*Entry, len(revisions))
	for i := range revisions {
		entries[i] = c.entry(&revisions[i])
	}
	return entries, version
}

// entry is an object as of one of its revisions, which is there.
func (c *cache) entry(r *controller.Revision) *Entry {
	return &Entry{Key: r.Key, Object: r.Object, Problem: r.Problem, version: r.Version, Status: c.read(r)}
}

// whole copies what others share; the times are there.
func (c *cache) whole(_ resources.Key, status any) any {
	switch status := status.(type) {
	case *resources.MemStatus:
		own := *status
		return &own
	case *resources.SessionStatus:
		own := *status
		return &own
	}
	return status
}
