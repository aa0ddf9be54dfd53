package filestore

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
)

// tempAge is how old a temporary file without a lock has to be before it
// counts as left behind.
const tempAge = time.Minute

// tempName names a temporary file after the two versions that it is about, what
// was there and what is to be there (nil: nothing), and the object's file.
func tempName(file string, old, spec []byte) string {
	name := fmt.Sprintf("%s%s-%s-%s-%s", layout.TempPrefix, versionTag(old), versionTag(spec), unique(), file)
	return name[:min(len(name), 255)] // a name that was cut cannot be recovered, only removed
}

func unique() string { return strings.TrimPrefix(layout.TempName(), layout.TempPrefix)[:8] }

// tornTag stands in the name of a temporary file that is being written, under the lock.
const tornTag = "torn-"

func tornName() string { return layout.TempPrefix + tornTag + unique() }

// noVersion stands for a file that is not there.
const noVersion = "none"

func versionTag(data []byte) string {
	if data == nil {
		return noVersion
	}
	return resources.Revision(data)[:16]
}

// tempFiles remembers the folders in which temporary files were seen.
type tempFiles struct {
	mu      sync.Mutex
	folders map[string]bool
}

// note looks for temporary files among the names of a folder.
func (l *tempFiles) note(folder string, names []string) {
	for _, name := range names {
		if strings.HasPrefix(name, layout.TempPrefix) {
			l.mu.Lock()
			if l.folders == nil {
				l.folders = map[string]bool{}
			}
			l.folders[folder] = true
			l.mu.Unlock()
			return
		}
	}
}

// any reports whether there is something to sweep.
func (l *tempFiles) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.folders) > 0
}

func (l *tempFiles) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var folders []string
	for f := range l.folders {
		folders = append(folders, f)
	}
	l.folders = nil
	return folders
}

// sweep removes what writers have left that died at work: in the folders where
// something was seen, or everywhere if the last holder of the lock died holding
// it. What cannot be swept stays for the next writer.
func (s *Store) sweep(everywhere bool) {
	if everywhere {
		s.sweepBelow(layout.Dir)
	}
	for _, folder := range s.temps.take() {
		if d, err := s.root.Open(folder); err == nil {
			sweepFolder(folder, d)
			d.Close()
		}
	}
}

func sweepFolder(folder string, d *layout.OpenDir) {
	names, err := d.Names()
	if err != nil {
		return
	}
	for _, temp := range names {
		rest, ours := strings.CutPrefix(temp, layout.TempPrefix)
		if !ours {
			continue
		}
		parts := strings.SplitN(rest, "-", 4)
		switch { // what has dashes was made under the lock, which we hold
		case strings.HasPrefix(rest, tornTag):
			d.Remove(temp)
		case len(parts) == 4:
			recoverSave(target{folder: folder, name: parts[3], d: d}, temp, parts[0], parts[1])
			d.Remove(temp)
		default:
			removeOld(d, temp)
		}
	}
}

// recoverSave puts back what an editor had saved, if that is what the temporary
// file holds: the writer died after it had taken the editor's version away, and
// before it had looked at it.
func recoverSave(t target, temp, old, spec string) {
	data, _, err := t.d.Read(temp, layout.MaxSpec)
	if held := versionTag(data); err != nil || held == old || held == spec {
		return
	}
	now, _, err := t.d.Read(t.name, layout.MaxSpec)
	switch {
	case spec == noVersion && isMissing(err):
		t.bringBack(temp)
	case err == nil && versionTag(now) == spec:
		_ = replace.SwapBack(t.d, t.name, temp, now)
	}
}

// sweepAll removes the temporary files that were left anywhere below .idumb, by a power
// cut, by a process that was killed, by an unlink that failed. Those that are made under
// the lock go at once, under the lock. Of the others, which somebody may be writing, the
// young ones go when they are of age: they have names that are never used again.
// So do the indexes that earlier versions kept of all objects and of mems.
func (s *Store) sweepAll(ctx context.Context) {
	if dir, err := os.OpenRoot(s.root.Abs(layout.Dir)); err == nil {
		_ = dir.RemoveAll("run/index") // what cannot be removed is in nobody's way
		_ = dir.RemoveAll("run/search")
		dir.Close()
	}
	young, wait := s.sweepBelow(layout.Dir)
	if s.temps.any() {
		if err := s.Update(ctx, func(store.Tx) error { return nil }); err != nil {
			return // .idumb is gone, or it is left for the next start
		}
	}
	if len(young) == 0 {
		return
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return
	}
	for _, file := range young {
		_ = s.root.Remove(file) // what cannot be removed is left for the next start
	}
}

// sweepBelow removes old temporary files in a folder and all below it, notes the folders
// with such as are made under the lock, and returns the young ones with the time until
// the last of them is of age.
func (s *Store) sweepBelow(folder string) (young []string, wait time.Duration) {
	temporary(s.root, folder, func(d *layout.OpenDir, name string, locked bool) {
		if locked {
			s.temps.note(folderOf(d), []string{name})
		} else if left := removeOld(d, name); left > 0 {
			young, wait = append(young, d.Path(name)), max(wait, left)
		}
	})
	return young, wait
}

func folderOf(d *layout.OpenDir) string { return path.Dir(d.Path("x")) }

// temporary visits the temporary files in a folder and all below it; locked are those that are made under
// the lock. Only folders have names without a dot, and a few files.
func temporary(root layout.Root, folder string, visit func(d *layout.OpenDir, name string, locked bool)) {
	d, err := root.Open(folder)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		rest, ours := strings.CutPrefix(name, layout.TempPrefix)
		switch {
		case ours:
			visit(d, name, strings.Contains(rest, "-"))
		case !strings.Contains(name, "."):
			temporary(root, folder+"/"+name, visit)
		}
	}
}

// Leftovers returns the temporary files below .idumb whose writers were killed: those of an age that no write
// takes.
func Leftovers(root layout.Root, now time.Time) (files []string) {
	temporary(root, layout.Dir, func(d *layout.OpenDir, name string, _ bool) {
		if info, err := d.Info(name); err == nil && now.Sub(info.ModTime) >= tempAge {
			files = append(files, d.Path(name))
		}
	})
	return files
}

// Sweep removes what Leftovers returns, and puts back what an editor saved while its writer was killed.
func (s *Store) Sweep(ctx context.Context) error {
	s.sweepBelow(layout.Dir)
	if !s.temps.any() {
		return nil
	}
	return s.Update(ctx, func(store.Tx) error { return nil })
}

// removeOld removes a temporary file that nobody can be writing any more; else it returns
// how long it takes until that is so.
func removeOld(d *layout.OpenDir, name string) (left time.Duration) {
	info, err := d.Info(name)
	if err != nil {
		return 0
	}
	if left = tempAge - time.Since(info.ModTime); left <= 0 {
		d.Remove(name)
		return 0
	}
	return min(left, tempAge) // its time may lie in the future
}
