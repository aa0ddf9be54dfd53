package controller

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// maxSourceSize bounds what is hashed of an anchor's source file: 16 MiB. A larger
// file counts by its time of last change alone.
const maxSourceSize = 16 << 20

// sources looks at the files of the repository that anchors are about. It
// answers from what it saw last, and looks again when the store hints that the file
// changed.
type sources struct {
	root    string            // of the repository; "": there is none, no file exists
	watcher store.FileWatcher // nil: files are looked at when history is lost

	mu    sync.Mutex
	files map[string]sourceFile
	parts map[sourcePart]partSum
}

// sourcePart names a part of a file, as resources.Section finds it.
type sourcePart struct{ file, section string }

// partSum is what is known of a part, of a file that had that identity.
type partSum struct {
	of     fileIdentity
	sha256 string
	exists bool
}

// sourceFile is what is known of one file. It is hashed again when its identity
// changes.
type sourceFile struct {
	identity fileIdentity
	sha256   string
	exists   bool
}

// fileIdentity is what git, too, takes for proof that a file was not touched.
type fileIdentity struct {
	size    int64
	modTime time.Time
	info    fs.FileInfo
}

func (i fileIdentity) same(other fileIdentity) bool {
	return i.size == other.size && i.modTime.Equal(other.modTime) &&
		(i.info == nil) == (other.info == nil) && (i.info == nil || os.SameFile(i.info, other.info))
}

// get returns the file's time of last change and sha256 in hex, and whether it
// exists as a regular file of the repository. It is watched from then on.
func (s *sources) get(name string) (time.Time, string, bool) {
	s.mu.Lock()
	file, known := s.files[name]
	s.mu.Unlock()
	if !known {
		if s.watcher != nil {
			s.watcher.WatchFile(name) // before looking, or a change in between is missed
		}
		file = s.look(name, sourceFile{})
		s.keep(name, file)
	}
	return file.identity.modTime, file.sha256, file.exists
}

// section returns the sha256 of a part of a file in hex, and whether there is such a part.
// It is computed again when the file's identity changes.
func (s *sources) section(name, section string) (sha256 string, exists bool) {
	if _, _, exists := s.get(name); !exists {
		return "", false
	}
	key := sourcePart{name, section}
	s.mu.Lock()
	file, part := s.files[name], s.parts[key]
	s.mu.Unlock()
	if part.of.info != nil && part.of.same(file.identity) {
		return part.sha256, part.exists
	}
	part = partSum{of: file.identity}
	part.sha256, part.exists = layout.Root(s.root).SourceSection(name, section)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts == nil {
		s.parts = map[sourcePart]partSum{}
	}
	s.parts[key] = part
	return part.sha256, part.exists
}

// refresh looks at the file again and reports whether anything about it changed.
// A file that nobody asked for is none of our business.
func (s *sources) refresh(name string) bool {
	s.mu.Lock()
	before, known := s.files[name]
	s.mu.Unlock()
	if !known {
		return false
	}
	after := s.look(name, before)
	s.keep(name, after)
	return before.exists != after.exists || before.sha256 != after.sha256 || !before.identity.modTime.Equal(after.identity.modTime)
}

func (s *sources) keep(name string, file sourceFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]sourceFile{}
	}
	s.files[name] = file
}

// each calls do with every file that was asked for.
func (s *sources) each(do func(name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.files {
		do(name)
	}
}

// look reads the file, or returns before if it is the same still. A name that
// leads out of the repository, by ".." or by a symlink, is no file.
func (s *sources) look(name string, before sourceFile) sourceFile {
	if s.root == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return sourceFile{}
	}
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return sourceFile{}
	}
	defer root.Close()
	name = filepath.FromSlash(path.Clean(name))
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return sourceFile{}
	}
	now := fileIdentity{info.Size(), info.ModTime(), info}
	if before.exists && before.identity.same(now) && time.Since(now.modTime) > racyWindow {
		return before
	}
	return sourceFile{now, hashOf(root, name), true}
}

// racyWindow: a file changed so recently may have changed again within one tick of
// its clock, so its identity proves nothing yet (git's "racily clean").
const racyWindow = 2 * time.Second

// hashOf returns the sha256 of a regular file in hex, "" if it cannot be had.
// O_NONBLOCK: the name may have become a FIFO since the lstat.
func hashOf(root *os.Root, name string) string {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSourceSize {
		return ""
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxSourceSize+1))
	if cmp.Or(err != nil, n > maxSourceSize) {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
