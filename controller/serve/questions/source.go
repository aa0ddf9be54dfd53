package questions

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Source is what there is, of one moment.
type Source interface {
	packer.Source
	// Entries returns the objects of these kinds, sorted, and those of these keys that there are, of
	// one moment, with the resource version of it; 0: no controller counts them. Whole: their
	// statuses are those of Seen.
	Entries(kinds []string, keys []resources.Key, whole bool) ([]*Entry, uint64)
	// Derived returns the status of an object, a pointer (*TaskStatus, ...); nil if there is
	// no such object. Times that only a controller can have seen may be missing.
	Derived(key resources.Key) any
	// Seen returns it with those times.
	Seen(key resources.Key) any
	// LastPack returns what the reader of a pack had last: of a session, or ("") of the
	// repository's own; nil if there is none.
	LastPack(session string) []byte
	// Folder is the repository's.
	Folder() layout.Root
	// Gate is what its gate reads.
	Gate() hooks.Kitchen
	// Stock is what is at hand of the memory from one question to the next; nil: nothing.
	Stock() *packer.Stock
}

var (
	_ Source = (*Files)(nil)
	_ Source = (*Cache)(nil)
)

// Files is a Source that reads what a controller saw from its files, as it wrote them last.
type Files struct {
	*graph.Snapshot
	Root   layout.Root
	access func() map[string]mems.Access
}

// NewFiles returns what the files of the repository at root say.
func NewFiles(root layout.Root, s *graph.Snapshot) *Files {
	return &Files{Snapshot: s, Root: root, access: accesses(root)}
}

// Entries are those of the snapshot.
func (f *Files) Entries(kinds []string, keys []resources.Key, whole bool) (entries []*Entry, _ uint64) {
	status := f.Derived
	if whole {
		status = f.Seen
	}
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
			e.Status = status(key)
			entries = append(entries, e)
		}
	}
	return entries, 0
}

// LastPack is the reader's file.
func (f *Files) LastPack(session string) []byte { return f.Root.LastPack(session) }

// Gate reads the files by name, whatever else was read of them.
func (f *Files) Gate() hooks.Kitchen { return hooks.Kitchen{} }

// Folder is the repository that was read.
func (f *Files) Folder() layout.Root { return f.Root }

// Stock is nothing: who reads the files answers one question.
func (f *Files) Stock() *packer.Stock { return nil }

func accesses(root layout.Root) func() map[string]mems.Access {
	return sync.OnceValue(func() map[string]mems.Access { return mems.Accesses(root) })
}

// Seen joins what is computed with the status file.
func (f *Files) Seen(key resources.Key) any {
	file, _, err := f.Root.Read(layout.StatusPath(key), layout.MaxSpec)
	if err != nil {
		file = nil
	}
	return withAccess(Join(f.Derived(key), file), key, f.access)
}

func withAccess(status any, key resources.Key, accesses func() map[string]mems.Access) any {
	if s, ok := status.(*resources.MemStatus); ok {
		access := accesses()[key.Name]
		s.AccessCount, s.LastAccessed = access.Count, access.Last
	}
	return status
}

// Statuses is what a Cache keeps from one question to the next: statuses decoded, for as long as
// nobody writes them anew, and the memory.
type Statuses struct {
	stock *packer.Stock

	mu    sync.Mutex
	known map[resources.Key]decoded
}

// NewStatuses returns one that has no status yet. stock is what the controller packs with.
func NewStatuses(stock *packer.Stock) *Statuses { return &Statuses{stock: stock} }

type decoded struct {
	data   *byte // the first of those that it was decoded from: they are replaced, never changed
	status any
}

// status returns a decoded status.
func (s *Statuses) status(key resources.Key, data []byte) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(data) == 0 {
		delete(s.known, key)
		return nil
	}
	if d, known := s.known[key]; known && d.data == &data[0] {
		return d.status
	}
	status := decodeStatus(key.Kind, data)
	if s.known == nil {
		s.known = map[resources.Key]decoded{}
	}
	s.known[key] = decoded{&data[0], status}
	return status
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

// Cache is a Source over the controller's cache, with the clock standing still: statuses are
// those that its reconcilers wrote.
type Cache struct {
	controller.Client
	root     layout.Root
	now      time.Time
	statuses *Statuses
	access   func() map[string]mems.Access
}

// NewCache returns what the controller of the repository at root knows.
func NewCache(root layout.Root, client controller.Client, statuses *Statuses) *Cache {
	return &Cache{Client: client, root: root, now: client.Now(), statuses: statuses, access: accesses(root)}
}

// Now is the instant of the question.
func (c *Cache) Now() time.Time { return c.now }

// Derived is the status as the controller wrote it last.
func (c *Cache) Derived(key resources.Key) any {
	_, good := c.Get(key)
	return c.status(key, c.Status(key), good)
}

func (c *Cache) status(key resources.Key, data []byte, good bool) any {
	if good {
		return c.statuses.status(key, data)
	}
	status := decodeStatus(key.Kind, data)
	if common := resources.CommonOf(status); common != nil {
		common.ObservedRevision = "" // of bytes that say nothing
		return status
	}
	problem, broken := c.Problem(key)
	kind, known := resources.KindOf(key.Kind)
	if !broken || !known {
		return nil
	}
	status = kind.New().StatusPointer() // a name that no object can have has no status file
	graph.FillStatus(resources.CommonOf(status), key, nil, "", &problem)
	return status
}

// Seen is Derived, which has the times already.
func (c *Cache) Seen(key resources.Key) any { return c.seen(key, c.Derived(key)) }

func (c *Cache) seen(key resources.Key, status any) any {
	if s, ok := status.(*resources.MemStatus); ok {
		own := *s
		return withAccess(&own, key, c.access)
	}
	return status
}

// Entries are those of the controller's cache.
func (c *Cache) Entries(kinds []string, keys []resources.Key, whole bool) ([]*Entry, uint64) {
	revisions, version := c.Revisions(kinds, keys)
	entries := make([]*Entry, len(revisions))
	for i := range revisions {
		entries[i] = c.Entry(&revisions[i], whole)
	}
	return entries, version
}

// Entry is an object as of one of its revisions, which is there. Whole: with the times that are
// no part of its status file.
func (c *Cache) Entry(r *controller.Revision, whole bool) *Entry {
	e := &Entry{Key: r.Key, Object: r.Object, Problem: r.Problem, version: r.Version}
	if e.Status = c.status(r.Key, r.Status, r.Object != nil); whole {
		e.Status = c.seen(r.Key, e.Status)
	}
	return e
}

// Gate reads the cache.
func (c *Cache) Gate() hooks.Kitchen { return hooks.Kitchen{Reader: c.Client.Reader()} }

// Folder is the controller's repository.
func (c *Cache) Folder() layout.Root { return c.root }

// Stock is what the controller packs with.
func (c *Cache) Stock() *packer.Stock { return c.statuses.stock }
