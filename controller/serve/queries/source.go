package queries

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

// Source is a consistent snapshot of all objects, from the files (FromFiles) or
// from the controller's cache (NewCache).
type Source struct {
	packer.Source
	Root  layout.Root
	Gate  hooks.Backend // input of the repository's gate
	Stock *Stock        // cached packing input; nil if none
	// Inventory returns the index of the working tree.
	Inventory func() *inventory.Inventory
	statuses  statuses
	accesses  func() map[string]mems.Access
	roll      func() leases.Snapshot
}

// Stock is the cached packing input of a repository's memory.
type Stock = packer.Stock

// statuses provides derived statuses, computed from the files or read from a
// controller.
type statuses interface {
	entries(kinds []string, keys []resources.Key) ([]*Entry, uint64) // implements Source.Entries without whole
	status(key resources.Key) any                                    // implements Source.Derived
	// withTimes returns a copy of a status with the times that only a controller records.
	withTimes(key resources.Key, status any) any
}

// FromFiles returns a source that reads the files of the repository at root.
// objects is the loaded snapshot.
func FromFiles(root layout.Root, objects *graph.Snapshot) *Source {
	s := newSource(root, objects, fileStatuses{objects, root})
	s.Inventory = sync.OnceValue(func() *inventory.Inventory { return inventory.New(root, runtime.NumCPU()) })
	return s
}

// Cache is the Source of a controller. Its changes can be followed.
type Cache struct {
	*Source
	cached *cache
}

// NewCache returns a source that reads the controller's cache with a fixed
// clock. stock is the cached packing input; it may be nil.
func NewCache(root layout.Root, client controller.Client, stock *Stock, files *inventory.Inventory) *Cache {
	known := &cache{client, client.Now()}
	s := newSource(root, known, known)
	s.Inventory = func() *inventory.Inventory { return files }
	s.Gate.Reader, s.Stock = client.Reader(), stock
	return &Cache{s, known}
}

// Steps returns the changes of the cache: see controller.Client.
func (c *Cache) Steps(ctx context.Context, after uint64) ([]controller.Step, error) {
	return c.cached.Steps(ctx, after)
}

// newSource returns a source that reads objects and statuses from the given snapshots, and the
// other records from files when they are needed.
func newSource(root layout.Root, objects packer.Source, known statuses) *Source {
	return &Source{Source: objects, Root: root, statuses: known,
		accesses: sync.OnceValue(func() map[string]mems.Access { return mems.Accesses(root.Scratch()) }), roll: sync.OnceValue(leases.Open(root).Snapshot)}
}

// Derived returns the status of an object, a pointer (*TaskStatus, ...), or nil
// if the object does not exist. Times that only a controller records may be
// missing.
func (s *Source) Derived(key resources.Key) any { return s.statuses.status(key) }

// Entries returns all objects of these kinds, sorted, and the existing objects
// among these keys. The result is a consistent snapshot at the returned
// resource version, which is 0 without a controller. With whole, statuses are
// complete, including the times that a controller recorded.
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

// Holder returns the lease of a task, or nil.
func (s *Source) Holder(task *resources.Task) *resources.Lease { return s.roll().LeaseOf(task) }

// Worker returns the owner of a task as a cell. It returns "" if the task has
// no owner or the current user owns it.
func (s *Source) Worker(task *resources.Task) string {
	if l := s.Holder(task); s.roll().Foreign(l) {
		return s.roll().Brief(l)
	}
	return ""
}

// WorkerNote returns the owner of an open task if it is an agent or works in
// another working tree, or how the task ended in another clone. Otherwise it
// returns "".
func (s *Source) WorkerNote(task *resources.Task) string {
	worker := s.Worker(task)
	switch {
	case worker == "" || resources.IsFinal(resources.TaskState(task)):
		return ""
	case s.Holder(task).Ended() != "":
		return worker
	}
	return "held by " + worker
}

// addHolder adds the owner of a task to its entry.
func (s *Source) addHolder(e *Entry) {
	task, ok := e.Object.(*resources.Task)
	if !ok {
		return
	}
	if l := s.Holder(task); l != nil {
		e.Holder, e.Foreign = s.roll().Brief(l), s.roll().Foreign(l)
	}
}

// complete adds the fields to an entry's status that are not derived from
// objects.
func (s *Source) complete(e *Entry) *Entry {
	if e.Status == nil {
		return e
	}
	e.Status = s.statuses.withTimes(e.Key, e.Status)
	if mem, ok := e.Status.(*resources.MemStatus); ok {
		access := s.accesses()[e.Key.Name]
		mem.AccessCount, mem.LastAccessed = access.Count, access.Last
	}
	if session, ok := e.Status.(*resources.SessionStatus); ok {
		session.LastCall = hooks.LastCallOf(s.Root, e.Key.Name)
	}
	return e
}

// fileStatuses computes statuses and joins them with the times of the last
// status files.
type fileStatuses struct {
	*graph.Snapshot
	root layout.Root
}

// status computes the status of an object.
func (f fileStatuses) status(key resources.Key) any { return f.Derived(key) }

// entries implements statuses. Files have no version, so it returns 0.
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

// withTimes implements statuses. It reads the times from the last status file.
func (f fileStatuses) withTimes(key resources.Key, status any) any {
	file, _, err := f.root.Read(layout.StatusPath(key), layout.MaxSpec)
	if err != nil {
		file = nil
	}
	return Join(status, file)
}

// decodeStatus decodes the status of an object of a kind. It returns nil if
// that fails.
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

// cache implements the reads from the controller's cache with a fixed clock.
type cache struct {
	controller.Client
	now time.Time
}

// Now returns the time of the question.
func (c *cache) Now() time.Time { return c.now }

// status returns the status that a reconciler wrote last.
func (c *cache) status(key resources.Key) any {
	r := c.Revision(key)
	return c.read(&r)
}

// read decodes a status. The result is cached for later questions.
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
		common.ObservedRevision = "" // these bytes are invalid
		return status
	}
	kind, known := resources.KindOf(r.Key.Kind)
	if r.Problem == nil || !known {
		return nil
	}
	status = kind.New().StatusPointer() // an invalid object name has no status file
	graph.FillStatus(resources.CommonOf(status), r.Key, nil, "", r.Problem)
	return status
}

// entries implements statuses, with the version of the cache.
func (c *cache) entries(kinds []string, keys []resources.Key) ([]*Entry, uint64) {
	revisions, version := c.Revisions(kinds, keys)
	entries := make([]*Entry, len(revisions))
	for i := range revisions {
		entries[i] = c.entry(&revisions[i])
	}
	return entries, version
}

// entry returns a revision of an object as an entry, with its decoded status.
func (c *cache) entry(r *controller.Revision) *Entry {
	return &Entry{Key: r.Key, Object: r.Object, Problem: r.Problem, version: r.Version, Status: c.read(r)}
}

// withTimes copies the shared status. It already has the times.
func (c *cache) withTimes(_ resources.Key, status any) any {
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
