package filestore

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// litterAge is how old a temporary file without a lock has to be before it
// counts as left behind.
const litterAge = time.Minute

// tempName names a temporary file after the two versions that it is about, what
// was there and what is to be there (nil: nothing), and the object's file.
func tempName(file string, old, spec []byte) string {
	unique := strings.TrimPrefix(layout.TempName(), layout.TempPrefix)[:8]
	name := fmt.Sprintf("%s%s-%s-%s-%s", layout.TempPrefix, versionTag(old), versionTag(spec), unique, file)
	return name[:min(len(name), 255)] // a name that was cut cannot be recovered, only removed
}

// noVersion stands for a file that is not there.
const noVersion = "none"

func versionTag(data []byte) string {
	if data == nil {
		return noVersion
	}
	return resources.Revision(data)[:16]
}

// litter remembers the folders in which temporary files were seen.
type litter struct {
	mu      sync.Mutex
	folders map[string]bool
}

// note looks for temporary files among the names of a folder.
func (l *litter) note(folder string, names []string) {
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

func (l *litter) take() []string {
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
func (s *Store) sweep(tx *Tx, everywhere bool) {
	folders := s.litter.take()
	if everywhere {
		folders = []string{layout.Dir}
		for _, kind := range resources.Kinds() {
			if !kind.Single {
				folders = append(folders, layout.Folder(kind.Plural), layout.ArchiveDir+"/"+kind.Plural)
			}
		}
	}
	for _, folder := range folders {
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
		if parts := strings.SplitN(rest, "-", 4); len(parts) == 4 { // made under the lock, which we hold
			recoverSave(target{folder: folder, name: parts[3], d: d}, temp, parts[0], parts[1])
			d.Remove(temp)
		} else {
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
		t.swapBack(temp, now)
	}
}

// sweepLocal removes what was left behind in the folders that are written without
// the lock: temporary files that nobody can be writing any more.
func (s *Store) sweepLocal() {
	folders := []string{layout.ContextDir, layout.ContextDir + "/sessions", layout.RunDir, layout.IndexDir}
	for _, kind := range resources.Kinds() {
		folders = append(folders, layout.StatusDir+"/"+kind.Plural, layout.QuarantineDir+"/"+kind.Plural)
	}
	for _, folder := range append(folders, layout.Dir+"/"+resources.Sessions) {
		d, err := s.root.Open(folder)
		if err != nil {
			continue
		}
		sweepOld(d)
		d.Close()
	}
}

func sweepOld(d *layout.OpenDir) {
	names, _ := d.Names()
	for _, name := range names {
		rest, ours := strings.CutPrefix(name, layout.TempPrefix)
		if ours && !strings.Contains(rest, "-") { // the others are for who holds the lock
			removeOld(d, name)
		}
	}
}

func removeOld(d *layout.OpenDir, name string) {
	if sig, _, err := lstat(d, name); err == nil && time.Since(time.Unix(0, sig.mtime)) > litterAge {
		d.Remove(name)
	}
}
