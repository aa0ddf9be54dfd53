package layout

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Size limits for reading.
const (
	MaxSpec  = 1 << 20  // bytes of an object, status or mark
	MaxStack = 4 << 20  // bytes of StackFile
	MaxLog   = 16 << 20 // bytes of a log; only the end of a longer one is read
)

// Info is the file system's information about a file. It is sufficient to
// detect whether the file is still the same version.
type Info struct {
	Size    int64
	ModTime time.Time
	Changed int64  // change time of content or attributes in Unix nanoseconds, which no program can set; 0 if the system has none
	Inode   uint64 // 0 if the system has none
	Mode    fs.FileMode
}

// Equal reports whether the file is apparently unchanged.
func (i Info) Equal(other Info) bool {
	return i.Size == other.Size && i.ModTime.Equal(other.ModTime) && i.Changed == other.Changed &&
		i.Inode == other.Inode && i.Mode == other.Mode
}

// Lstat returns the state of a file at a path relative to the root. It does not
// follow a link.
func (r Root) Lstat(path string) (Info, error) { return lstat(r.Abs(path)) }

// Read reads one file below .idumb. It returns ErrGone, ErrNotFound or
// ErrUnreadable.
func (r Root) Read(file string, limit int64) ([]byte, Info, error) {
	folder, name := path.Split(file)
	d, err := r.Open(folder)
	if err != nil {
		return nil, Info{}, err
	}
	defer d.Close()
	return d.Read(name, limit)
}

// ProjectLines returns the lines of ProjectFile. It returns nil before a
// controller wrote the file.
func (r Root) ProjectLines() (lines []string) {
	const most = 8 << 10
	data, _, err := r.Read(ProjectFile, most)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// CodeFiles returns the content of CodeFile. It returns nil before a controller
// wrote the file.
func (r Root) CodeFiles() (files []resources.CodeFile) {
	const most = 256 << 10
	if data, _, err := r.Read(CodeFile, most); err != nil || json.Unmarshal(data, &files) != nil {
		return nil
	}
	return files
}

// Object returns the object in a file below .idumb, or nil if it is unreadable.
func (r Root) Object(key resources.Key, file string) resources.Object {
	data, _, err := r.Read(file, MaxSpec)
	if err != nil {
		return nil
	}
	o, _, err := resources.Read(key, data)
	if err != nil {
		return nil
	}
	return o
}

// ReadSpec reads an object, or the end of a task's log for
// resources.CheckpointsKind.
func (r Root) ReadSpec(key resources.Key) ([]byte, Info, error) {
	if key.Kind != resources.CheckpointsKind {
		return r.Read(r.Locate(key), MaxSpec)
	}
	d, err := r.Open(CheckpointsDir)
	if err != nil {
		return nil, Info{}, err
	}
	defer d.Close()
	return d.ReadLog(path.Base(Path(key)))
}

// Read returns the content of a regular file of at most limit bytes, and its
// state when it was opened. It returns ErrNotFound or ErrUnreadable.
func (d *OpenDir) Read(name string, limit int64) ([]byte, Info, error) {
	return d.read(name, 0, limit, false)
}

// ReadLog is like Read for a log. If the log is longer than MaxLog, it returns
// the last whole lines.
func (d *OpenDir) ReadLog(name string) ([]byte, Info, error) { return d.ReadEnd(name, MaxLog) }

// ReadLogFrom is like ReadLog from an offset. If the log is longer than MaxLog,
// it returns the last MaxLog bytes.
func (d *OpenDir) ReadLogFrom(name string, offset int64) ([]byte, Info, error) {
	return d.read(name, offset, MaxLog, true)
}

// ReadEnd is like ReadLog with another limit.
func (d *OpenDir) ReadEnd(name string, limit int64) ([]byte, Info, error) {
	data, info, err := d.read(name, 0, limit, true)
	if info.Size > limit {
		_, data, _ = bytes.Cut(data, []byte("\n")) // the first line is incomplete
	}
	return data, info, err
}

// Marks returns the marks of broken objects.
func (r Root) Marks() store.Marks { return store.MarksIn(r.Scratch()) }

// LostNames returns the names of a kind's objects whose file is missing and
// whose last good version is in effect, sorted. It is usually empty. The mark
// of a file that came back is ignored.
func (r Root) LostNames(kind string) []string {
	if !store.IsPlanned(kind) {
		return nil
	}
	marks, _ := r.Names(path.Join(QuarantineDir, kind))
	var lost []string
	for _, file := range marks {
		name, ok := ObjectName(file)
		if key := (resources.Key{Kind: kind, Name: name}); ok && !exists(r.Abs(Path(key))) && r.MarkOf(key) != nil {
			lost = append(lost, name)
		}
	}
	return lost
}

// MarkOf returns the mark of an object whose file is missing and whose last good
// version is in effect. It returns nil if the object was archived or no good
// version is known.
func (r Root) MarkOf(key resources.Key) *store.Mark {
	mark, err := r.Marks().Get(key)
	if err != nil || !mark.InEffect() || exists(r.Abs(ArchivePath(key))) {
		return nil
	}
	return &mark
}

// LastGood returns the last good version of an object with a broken file, and
// its revision. It returns false if none is known.
func (r Root) LastGood(key resources.Key) ([]byte, string, bool) {
	mark, err := r.Marks().Get(key)
	return mark.LastGood, mark.Revision, err == nil && mark.LastGood != nil
}
