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

// Limits on what is read.
const (
	MaxSpec  = 1 << 20  // bytes of an object, status or mark
	MaxStack = 4 << 20  // bytes of StackFile
	MaxLog   = 16 << 20 // bytes of a log; of a longer one the end is read
)

// Info is what the file system says about a file: enough to tell whether it is
// the one that was read before.
type Info struct {
	Size    int64
	ModTime time.Time
	Changed int64  // Unix nanoseconds of the last change of content or attributes, which no tool can set back; 0 where the system has none
	Inode   uint64 // 0 where the system has none
	Mode    fs.FileMode
}

// Same reports whether nothing suggests that the file changed in between.
func (i Info) Same(other Info) bool {
	return i.Size == other.Size && i.ModTime.Equal(other.ModTime) && i.Changed == other.Changed &&
		i.Inode == other.Inode && i.Mode == other.Mode
}

// Lstat says what stands at a path from the root, which may be a link.
func (r Root) Lstat(path string) (Info, error) { return lstat(r.Abs(path)) }

// Read reads one file below .idumb. ErrGone, ErrNotFound, ErrUnreadable.
func (r Root) Read(file string, limit int64) ([]byte, Info, error) {
	folder, name := path.Split(file)
	d, err := r.Open(folder)
	if err != nil {
		return nil, Info{}, err
	}
	defer d.Close()
	return d.Read(name, limit)
}

// ProjectLines are the lines of ProjectFile; none where no controller has written it yet.
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

// CodeFiles are those of CodeFile; none where no controller has written it yet.
func (r Root) CodeFiles() (files []resources.CodeFile) {
	const most = 256 << 10
	data, _, err := r.Read(CodeFile, most)
	if err != nil || json.Unmarshal(data, &files) != nil {
		return nil
	}
	return files
}

// Object is what a file below .idumb holds of an object; nil if that cannot be read.
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

// ReadSpec reads an object; for resources.CheckpointsKind the end of the task's log.
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

// Read returns the content of a regular file of at most limit bytes, and what
// it was when it was opened. ErrNotFound, ErrUnreadable.
func (d *OpenDir) Read(name string, limit int64) ([]byte, Info, error) {
	return d.read(name, limit, false)
}

// ReadLog is Read for a log: of one longer than MaxLog it returns the last whole
// lines.
func (d *OpenDir) ReadLog(name string) ([]byte, Info, error) { return d.ReadEnd(name, MaxLog) }

// ReadEnd is ReadLog for who wants fewer bytes.
func (d *OpenDir) ReadEnd(name string, limit int64) ([]byte, Info, error) {
	data, info, err := d.read(name, limit, true)
	if info.Size > limit {
		_, data, _ = bytes.Cut(data, []byte("\n")) // the first one began before what was read
	}
	return data, info, err
}

// Marks are the marks of broken objects.
func (r Root) Marks() store.Marks { return store.MarksIn(r.Scratch()) }

// LostNames names the objects of a kind of which the file is missing and the last good version
// counts, sorted. There is nearly never any, and where a file came back its mark says nothing.
func (r Root) LostNames(kind string) []string {
	if !store.Planned(kind) {
		return nil
	}
	marks, _ := r.Names(path.Join(QuarantineDir, kind))
	var lost []string
	for _, file := range marks {
		name, ok := ObjectName(file)
		if key := (resources.Key{Kind: kind, Name: name}); ok && !exists(r.Abs(Path(key))) && r.Lost(key) != nil {
			lost = append(lost, name)
		}
	}
	return lost
}

// Lost is the mark of an object whose file is missing and whose last good version counts; nil if
// it does not, for it was set aside, or nothing good is known of it.
func (r Root) Lost(key resources.Key) *store.Mark {
	mark, err := r.Marks().Get(key)
	if err != nil || !mark.Counts() || exists(r.Abs(ArchivePath(key))) {
		return nil
	}
	return &mark
}

// LastGood returns the last good version of an object whose file is broken, and
// its revision; false if none is known.
func (r Root) LastGood(key resources.Key) ([]byte, string, bool) {
	mark, err := r.Marks().Get(key)
	return mark.LastGood, mark.Revision, err == nil && mark.LastGood != nil
}
