package hook

import (
	"bytes"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Where no controller says which tasks are active, the hook looks into every task's file for
// the word. Most are idle: planned, or long done. Those it writes down, each with what the file
// system says of it, so that the next call only asks whether the file is still that one.

// idleFile lists the idle tasks' files, a line each, sorted. It may be deleted at any time.
const idleFile = layout.IndexDir + "/idle-tasks"

const (
	// settledAfter is how old the last change of a file has to be for the file to be written
	// down: a file system whose clock ticks slowly shows no second change within one tick.
	settledAfter = 2 * time.Second
	// worthKeeping is how many files have to be news: to read fewer again is cheaper than to write.
	worthKeeping = 8
)

// idleTasks is that list, as it is gone through in its order.
type idleTasks struct {
	folder *layout.OpenDir // of the tasks, while they are looked through; nil if it cannot be opened
	rest   []byte          // lines not gone past yet
	found  []byte          // the list as it should be
	news   int             // lines of found that the list did not have
	line   []byte          // memory for one line
}

// openIdle reads the list.
func (r *repo) openIdle() *idleTasks {
	t := &idleTasks{}
	data, _, err := r.files.Read(idleFile, layout.MaxLog)
	if err == nil {
		t.rest, t.found = bytes.Clone(data), make([]byte, 0, len(data))
	}
	if folder, err := r.root.Open(layout.Folder(resources.Tasks)); err == nil {
		t.folder = folder
	}
	return t
}

func (t *idleTasks) close() {
	if t.folder != nil {
		t.folder.Close()
	}
	t.folder = nil
}

// has reports whether a file stands in the list as it is now. Files are asked about in the
// order of their names. What follows a name in its line begins with a byte that is less than
// all those of names, so that lines are in that order too.
func (t *idleTasks) has(file string) bool {
	if t.folder == nil || len(t.rest) == 0 {
		return false
	}
	info, err := t.folder.Info(file)
	if err != nil {
		return false
	}
	t.line = appendIdle(t.line[:0], file, info)
	for len(t.rest) > 0 {
		end := bytes.IndexByte(t.rest, '\n') + 1
		if end == 0 {
			end = len(t.rest) // torn: equal to no line
		}
		switch bytes.Compare(t.rest[:end], t.line) {
		case 1:
			return false
		case 0:
			t.found = append(t.found, t.line...)
			t.rest = t.rest[end:]
			return true
		}
		t.rest = t.rest[end:]
	}
	return false
}

// add writes down that the word does not stand in a file as it was read, if any later change
// of it would show.
func (t *idleTasks) add(file string, info layout.Info, now time.Time) {
	settled := now.Add(-settledAfter)
	if info.Changed == 0 || info.Changed > settled.UnixNano() || info.ModTime.After(settled) {
		return
	}
	t.found = appendIdle(t.found, file, info)
	t.news++
}

// appendIdle appends the line of a file: its name and all that changes with its content.
func appendIdle(b []byte, file string, info layout.Info) []byte {
	b = append(append(b, file...), ' ')
	b = strconv.AppendUint(b, info.Inode, 36)
	for _, n := range [...]int64{info.Size, info.Changed, info.ModTime.UnixNano(), int64(info.Mode)} {
		b = strconv.AppendInt(append(b, ' '), n, 36)
	}
	return append(b, '\n')
}

// maybeActive lists the tasks whose files hold the word "active".
func (r *repo) maybeActive() []string {
	if r.idle == nil {
		r.idle = r.openIdle()
		defer r.idle.close()
	}
	return r.lookFor([]string{resources.TaskActive}, resources.Tasks, r.idle)
}

// keepIdle keeps the list for the next call, where that pays.
func (r *repo) keepIdle() {
	if r.idle != nil && r.idle.news >= worthKeeping {
		_ = r.root.Replace(idleFile, r.idle.found)
	}
}
