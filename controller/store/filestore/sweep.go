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

// tempAge is the age from which a temporary file that is written without the
// lock counts as abandoned.
const tempAge = time.Minute

// tempName returns the name of a temporary file. It contains tags of the old
// and the new version (nil for none) and the object's file name.
func tempName(file string, old, spec []byte) string {
	name := fmt.Sprintf("%s%s-%s-%s-%s", layout.TempPrefix, versionTag(old), versionTag(spec), unique(), file)
	return name[:min(len(name), 255)] // a truncated name cannot be recovered, only removed
}

// unique returns a random word for the name of a temporary file.
func unique() string { return strings.TrimPrefix(layout.TempName(), layout.TempPrefix)[:8] }

// unflushedTag marks the name of a temporary file that is being written under the
// lock.
const unflushedTag = "torn-"

// unflushedName returns a name for a temporary file that may be incomplete
// after a crash.
func unflushedName() string { return layout.TempPrefix + unflushedTag + unique() }

// noVersion is the tag of a missing file.
const noVersion = "none"

// versionTag returns a short tag of a version for the name of a temporary file;
// noVersion for nil.
func versionTag(data []byte) string {
	if data == nil {
		return noVersion
	}
	return resources.Revision(data)[:16]
}

// tempFiles records the directories in which temporary files were seen.
type tempFiles struct {
	mu      sync.Mutex
	folders map[string]bool
}

// note records the directory if its names include a temporary file.
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

// any reports whether there is a directory to sweep.
func (l *tempFiles) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.folders) > 0
}

// take returns the recorded directories and forgets them.
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

// sweepFolder removes the temporary files of a crashed writer in one directory
// and restores an editor's version among them.
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
		switch { // names with dashes are written under the lock, which this process holds
		case strings.HasPrefix(rest, unflushedTag):
			d.Remove(temp)
		case len(parts) == 4:
			recoverSave(target{folder: folder, name: parts[3], d: d}, temp, parts[0], parts[1])
			d.Remove(temp)
		default:
			removeOld(d, temp)
		}
	}
}

// recoverSave puts back an editor's version in a temporary file. The writer
// crashed after moving the editor's version away and before checking it.
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

// sweepAll removes abandoned temporary files anywhere below .idumb, for example
// after a power loss. Files that are written under the lock are removed
// immediately, under the lock. Other files may still be in use, so young ones
// are removed after tempAge; their names are never reused. It also removes the
// indexes of earlier versions.
func (s *Store) sweepAll(ctx context.Context) {
	if dir, err := os.OpenRoot(s.root.Abs(layout.Dir)); err == nil {
		_ = dir.RemoveAll("run/index") // remaining files are harmless
		_ = dir.RemoveAll("run/search")
		dir.Close()
	}
	young, wait := s.sweepBelow(layout.Dir)
	if s.temps.any() {
		if err := s.Update(ctx, func(store.Tx) error { return nil }); err != nil {
			return // .idumb does not exist, or the next start removes them
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
		_ = s.root.Remove(file) // the next start removes the rest
	}
}

// sweepBelow removes old temporary files in a directory and below. It records
// the directories with files that are written under the lock. It returns the
// young files and the time until the last of them is old.
func (s *Store) sweepBelow(folder string) (young []string, wait time.Duration) {
	temporary(s.root, folder, func(d *layout.OpenDir, name string, locked bool) {
		if locked {
			s.temps.note(path.Dir(d.Path("x")), []string{name})
		} else if left := removeOld(d, name); left > 0 {
			young, wait = append(young, d.Path(name)), max(wait, left)
		}
	})
	return young, wait
}

// temporary visits the temporary files in a directory and below. locked reports
// whether a file is written under the lock. Names without a dot are
// directories, except for a few files.
func temporary(root layout.Root, folder string, visit func(d *layout.OpenDir, name string, locked bool)) {
	d, err := root.Open(folder)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		switch rest, ours := strings.CutPrefix(name, layout.TempPrefix); {
		case ours:
			visit(d, name, strings.Contains(rest, "-"))
		case !strings.Contains(name, "."):
			temporary(root, folder+"/"+name, visit)
		}
	}
}

// Leftovers returns the temporary files of crashed writers below .idumb: those
// older than any write takes.
func Leftovers(root layout.Root, now time.Time) (files []string) {
	temporary(root, layout.Dir, func(d *layout.OpenDir, name string, _ bool) {
		if info, err := d.Info(name); err == nil && now.Sub(info.ModTime) >= tempAge {
			files = append(files, d.Path(name))
		}
	})
	return files
}

// Sweep removes the files of Leftovers and puts back editors' versions among
// them.
func (s *Store) Sweep(ctx context.Context) error {
	s.sweepBelow(layout.Dir)
	if !s.temps.any() {
		return nil
	}
	return s.Update(ctx, func(store.Tx) error { return nil })
}

// removeOld removes an abandoned temporary file. For a younger one it returns
// the time until it counts as abandoned.
func removeOld(d *layout.OpenDir, name string) (left time.Duration) {
	info, err := d.Info(name)
	if err != nil {
		return 0
	}
	if left = tempAge - time.Since(info.ModTime); left <= 0 {
		d.Remove(name)
		return 0
	}
	return min(left, tempAge) // its time may be in the future
}
