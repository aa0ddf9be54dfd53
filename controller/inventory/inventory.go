// Package inventory indexes the files of one working tree: the list of files,
// from git, and the facts of each file, by content. The index is built on first
// use and updated before each answer. It is advisory: no rule of the gate
// depends on it.
package inventory

import (
	"context"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Inventory is the index of one working tree. It is safe for concurrent use.
type Inventory struct {
	root        layout.Root
	workers     int
	lowPriority bool // workers run with the lowest priority

	mu             sync.Mutex // guards all fields below; held while the tree is read
	files          map[string]*file
	paths          []string // paths of files, sorted
	cache          *cache
	updatedAt      time.Time // time of the last update; zero if never
	ignorePatterns []string  // patterns of ignored files at the last update
	graph          *project.Graph
	removed        removedExports
	onChange       func(changed []string)
	idle           *time.Timer // clears the index, except inUse

	limit   size            // see restrict
	inUse   map[string]bool // files and directories in use
	omitted map[string]int  // reason -> number of omitted files
}

// file is the cached state of a file.
type file struct {
	info  layout.Info   // when it was read
	key   string        // key of its facts in the cache: language and blob ID; empty if unknown
	facts source.Packed // trimmed facts; empty if its language is unknown
}

// New returns an empty inventory of the working tree at root. workers is the
// number of files that are read concurrently.
func New(root layout.Root, workers int) *Inventory {
	i := &Inventory{root: root, workers: max(1, workers), limit: maxTree(), inUse: map[string]bool{}}
	i.forget()
	return i
}

// OnChange sets a function that receives the paths of changed, new and deleted
// files. It is called while the inventory is locked, so it must return quickly
// and must not call methods of the inventory.
func (i *Inventory) OnChange(tell func(changed []string)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.onChange = tell
}

// Background is New for a process that also answers requests: it uses half of
// the processors, at least two, with the lowest thread priority if the system
// supports that.
func Background(root layout.Root) *Inventory {
	i := New(root, max(2, runtime.NumCPU()/2))
	i.lowPriority = true
	return i
}

// idleTimeout is how long an unused inventory keeps its content.
const idleTimeout = 10 * time.Minute

// forget clears the index. The next question rebuilds it, mostly from the
// cache.
func (i *Inventory) forget() {
	i.files, i.paths, i.updatedAt, i.graph, i.removed = map[string]*file{}, nil, time.Time{}, nil, removedExports{}
	// The facts are stored in git's common directory, or below .idumb without git.
	folder := i.root.Abs(layout.Dir + "/run/map")
	if git := layout.GitDir(string(i.root)); git != "" {
		folder = filepath.Join(layout.CommonDir(git), filepath.FromSlash(factsFolder))
	}
	i.cache = &cache{folder: folder, facts: map[string]source.Packed{}, newFacts: map[string]source.Packed{}}
}

// asked restarts the idle timer. The caller must hold mu.
func (i *Inventory) asked() {
	if i.idle != nil {
		i.idle.Reset(idleTimeout)
		return
	}
	i.idle = time.AfterFunc(idleTimeout, func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.forget()
	})
}

// Update updates the inventory and returns the paths with changed facts, sorted.
// It returns an error if the tree cannot be listed.
func (i *Inventory) Update(ctx context.Context) ([]string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked()
	return i.update(ctx)
}

// update is Update for a caller that holds mu.
func (i *Inventory) update(ctx context.Context) ([]string, error) {
	now := time.Now()
	leave := ignoredPatterns(i.root)
	all, ignored, err := list(ctx, i.root, i.paths, leave)
	if err != nil {
		return nil, err
	}
	all, many := i.restrict(all)
	t, err := openTree(i.root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	paths := make([]string, len(all))
	var unread []*parseJob
	for n, l := range all {
		paths[n] = l.path
		if known := i.files[l.path]; known == nil || !untouched(known.info, l.info) {
			unread = append(unread, &parseJob{path: l.path, file: &file{info: l.info}})
		}
	}
	if err := i.read(ctx, t, unread); err != nil {
		return nil, err
	}
	before := i.replaceFiles(paths, unread)
	i.updatedAt, i.ignorePatterns, i.omitted = now, leave, map[string]int{ignoredFiles: ignored, manyFiles: many}
	maps.DeleteFunc(i.omitted, func(_ string, n int) bool { return n == 0 })
	i.cache.save()
	changed := slices.Sorted(maps.Keys(before))
	i.notify(changed, before)
	return changed, nil
}

// replaceFiles replaces the list of files and the state of those that were read. It
// returns the previous state of changed files; nil for a new file.
func (i *Inventory) replaceFiles(paths []string, read []*parseJob) (before map[string]*file) {
	before = map[string]*file{}
	for _, r := range read {
		if known := i.files[r.path]; known == nil || !known.equals(r.file) {
			before[r.path] = known
		}
		i.files[r.path] = r.file
	}
	if len(i.files) > len(paths) {
		for path, known := range i.files {
			if _, there := slices.BinarySearch(paths, path); !there {
				before[path] = known
				delete(i.files, path)
			}
		}
	}
	if !slices.Equal(paths, i.paths) {
		i.paths = paths
	}
	return before
}

// untouched reports whether a file is unchanged: lstat returns the same, and
// its time is old enough that a second change within one clock tick is
// impossible.
func untouched(before, now layout.Info) bool {
	const tick = 2 * time.Second
	return before.Equal(now) && time.Since(now.ModTime) > tick
}

// equals reports whether two states have the same facts. A file that is not
// read is compared by its lstat data.
func (f *file) equals(now *file) bool {
	if f.key == "" {
		return f.info.Equal(now.info)
	}
	return f.key == now.key
}

// touch updates one file, which may be new or deleted. The caller must hold mu.
func (i *Inventory) touch(path string) {
	i.recordUse(path)
	if ignores(i.ignorePatterns, path) {
		return
	}
	before := map[string]*file{path: i.files[path]}
	l, there := look(i.root, path)
	switch known := before[path]; {
	case there && known != nil && untouched(known.info, l.info), !there && known == nil:
		return
	case !there:
		delete(i.files, path)
		at, _ := slices.BinarySearch(i.paths, path)
		i.paths = slices.Delete(slices.Clone(i.paths), at, at+1)
	default:
		t, err := openTree(i.root)
		if err != nil {
			return
		}
		defer t.close()
		r := parseJob{path: path, file: &file{info: l.info}}
		r.scan(t, i.cache, "")
		if at, found := slices.BinarySearch(i.paths, path); !found {
			i.paths = slices.Insert(slices.Clone(i.paths), at, path)
		}
		i.files[path] = r.file
		if known != nil && known.equals(r.file) {
			return
		}
	}
	i.notify([]string{path}, before)
}

// Paths returns the paths of all files, sorted. See project.Files.
func (i *Inventory) Paths() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.paths
}

// Facts returns the trimmed facts of a file. They are empty if its language is
// unknown.
func (i *Inventory) Facts(path string) source.Facts {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.factsOf(path)
}

// factsOf returns the trimmed facts of a file. The caller must hold mu.
func (i *Inventory) factsOf(path string) source.Facts {
	if f := i.files[path]; f != nil && f.facts != "" {
		return f.facts.Facts()
	}
	return source.Facts{}
}

// Read returns the content of a file. See project.Files.
func (i *Inventory) Read(path string) ([]byte, error) { return readIn(i.root, path) }

// readIn returns the content of one file of a working tree.
func readIn(root layout.Root, path string) ([]byte, error) {
	t, err := openTree(root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.read(path)
}

// FullFacts reads a file and returns all of its facts: with signatures, docs,
// comments and hashes.
func (i *Inventory) FullFacts(path string) (source.Facts, error) {
	data, err := i.Read(path)
	if err != nil {
		return source.Facts{}, err
	}
	return source.Scan(path, data), nil
}

// Scope describes the basis of an answer: its time, the number of files, and
// the omissions.
type Scope struct {
	Level   time.Time      `json:"level"` // time of the last update
	Files   int            `json:"files"`
	Code    int            `json:"code"`              // files in supported languages
	Partial map[string]int `json:"partial,omitempty"` // reason -> number of source files with missing facts
	Omitted map[string]int `json:"out,omitempty"`     // reason -> number of omitted files, not included in Files
}

// scope returns the current scope. The caller must hold mu.
func (i *Inventory) scope() Scope {
	s := Scope{Level: i.updatedAt, Files: len(i.files), Omitted: i.omitted}
	for _, f := range i.files {
		if f.facts == "" {
			continue
		}
		s.Code++
		if why := f.facts.Partial(); why != "" {
			if s.Partial == nil {
				s.Partial = map[string]int{}
			}
			s.Partial[why]++
		}
	}
	return s
}

// Working lists the files of a working tree once, for callers that need only
// names and a few contents. It reads no facts and caches nothing. It implements
// project.Files and is safe for concurrent use.
type Working struct {
	root  layout.Root
	paths []string
}

// List lists the files of the working tree at root. It returns an error if git
// cannot list them.
func List(ctx context.Context, root layout.Root) (Working, error) {
	all, _, err := list(ctx, root, nil, ignoredPatterns(root))
	w := Working{root: root, paths: make([]string, len(all))}
	for i, l := range all {
		w.paths[i] = l.path
	}
	return w, err
}

// Paths returns the paths of all files, sorted. The caller must not modify the
// slice.
func (w Working) Paths() []string { return w.paths }

// Read returns the content of a file. See project.Files.
func (w Working) Read(path string) ([]byte, error) { return readIn(w.root, path) }
