// Package inventory knows the files of one working tree and what they say: which there are, by
// git's list, and the facts of each, by its content. It is built when it is first asked, brought up
// to date before each answer, and advises only: nothing that gates depends on it.
package inventory

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Inventory is that of one working tree. Its methods may be called by any number of goroutines.
type Inventory struct {
	root    layout.Root
	workers int
	yields  bool // its workers take what processors have left

	mu    sync.Mutex // of all below; held while the tree is read
	files map[string]*file
	paths []string // of files, sorted
	cache *cache
	level time.Time // when it last was level with the tree; zero: never
	leave []string  // patterns of files that the settings leave out, as they were then
	graph *project.Graph
	lost  lost
	told  func(changed []string)
	idle  *time.Timer // forgets all of it, but for what was noted

	most  size            // see within
	noted map[string]bool // files and folders that somebody named
	out   map[string]int  // files that were left out, by why
}

// file is what is known of one.
type file struct {
	info  layout.Info   // as it was when it was read
	key   string        // of its facts in the cache: its language and git's id of its content; "" if it is not known
	facts source.Packed // its outline; "" where its language is not known
}

// New returns the inventory of the working tree at root, which knows nothing yet. So many files are
// read at once.
func New(root layout.Root, workers int) *Inventory {
	i := &Inventory{root: root, workers: max(1, workers), most: most(), noted: map[string]bool{}}
	i.forget()
	return i
}

// Follow has somebody told of the paths whose content changed since they were last looked at, or that came
// or went. It is called while nobody else is answered, so it must be quick, and may not ask.
func (i *Inventory) Follow(tell func(changed []string)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.told = tell
}

// Background is New for a process that has others to answer: half of the processors read, and two
// at least, on threads of the lowest priority where the system has such.
func Background(root layout.Root) *Inventory {
	i := New(root, max(2, runtime.NumCPU()/2))
	i.yields = true
	return i
}

// idleFor is how long an inventory that nobody asks keeps what it knows.
const idleFor = 10 * time.Minute

// forget drops all that is known. The next question finds it again, most of it in the cache.
func (i *Inventory) forget() {
	i.files, i.paths, i.level, i.graph, i.lost = map[string]*file{}, nil, time.Time{}, nil, lost{}
	i.cache = newCache(i.root)
}

// asked puts off that everything is forgotten. Whoever calls it holds mu.
func (i *Inventory) asked() {
	if i.idle != nil {
		i.idle.Reset(idleFor)
		return
	}
	i.idle = time.AfterFunc(idleFor, func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.forget()
	})
}

// Level brings the inventory up to date with the tree. What it returns are the paths whose facts
// changed, sorted. It fails where the tree cannot be listed.
func (i *Inventory) Level(ctx context.Context) ([]string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked()
	return i.bring(ctx)
}

// bring is Level for who holds mu.
func (i *Inventory) bring(ctx context.Context) ([]string, error) {
	now := time.Now()
	leave := ignored(i.root)
	all, ignored, err := list(ctx, i.root, i.paths, leave)
	if err != nil {
		return nil, err
	}
	all, many := i.within(all)
	t, err := openTree(i.root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	paths := make([]string, len(all))
	var unread []*reading
	for n, l := range all {
		paths[n] = l.path
		if known := i.files[l.path]; known == nil || !untouched(known.info, l.info) {
			unread = append(unread, &reading{path: l.path, file: &file{info: l.info}})
		}
	}
	if err := i.read(ctx, t, unread); err != nil {
		return nil, err
	}
	before := i.take(paths, unread)
	i.level, i.leave, i.out = now, leave, map[string]int{ignoredFiles: ignored, manyFiles: many}
	maps.DeleteFunc(i.out, func(_ string, n int) bool { return n == 0 })
	i.cache.keep()
	changed := slices.Sorted(maps.Keys(before))
	i.follow(changed, before)
	return changed, nil
}

// take makes these the files that there are, some of which were read again. It returns what was
// known before of those that say something else now, or are new (nil) or gone.
func (i *Inventory) take(paths []string, read []*reading) (before map[string]*file) {
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

// untouched reports whether lstat says the same of a file as before, and long enough after it
// changed: one tick of the clock of a file system may hold two changes.
func untouched(before, now layout.Info) bool {
	const tick = 2 * time.Second
	return before.Same(now) && time.Since(now.ModTime) > tick
}

// equals reports whether a file says the same as before: of one that is not read, as lstat has it.
func (f *file) equals(now *file) bool {
	if f.key == "" {
		return f.info.Same(now.info)
	}
	return f.key == now.key
}

// touch looks at one file again, which may be new or gone. Whoever calls it holds mu.
func (i *Inventory) touch(path string) {
	i.note(path)
	if ignores(i.leave, path) {
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
		r := reading{path: path, file: &file{info: l.info}}
		r.scan(t, i.cache, "")
		if at, found := slices.BinarySearch(i.paths, path); !found {
			i.paths = slices.Insert(slices.Clone(i.paths), at, path)
		}
		i.files[path] = r.file
		if known != nil && known.equals(r.file) {
			return
		}
	}
	i.follow([]string{path}, before)
}

// Paths are those of all files, sorted. See project.Files.
func (i *Inventory) Paths() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.paths
}

// Facts is what a file says, trimmed; none where its language is not known.
func (i *Inventory) Facts(path string) source.Facts {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.factsOf(path)
}

func (i *Inventory) factsOf(path string) source.Facts {
	if f := i.files[path]; f != nil && f.facts != "" {
		return f.facts.Facts()
	}
	return source.Facts{}
}

// Read returns the content of a file. See project.Files.
func (i *Inventory) Read(path string) ([]byte, error) { return readIn(i.root, path) }

func readIn(root layout.Root, path string) ([]byte, error) {
	t, err := openTree(root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.read(path)
}

// Whole is all that a file says, read at this moment: with signatures, docs, comments and sums.
func (i *Inventory) Whole(path string) (source.Facts, error) {
	data, err := i.Read(path)
	if err != nil {
		return source.Facts{}, err
	}
	return source.Scan(path, data), nil
}
