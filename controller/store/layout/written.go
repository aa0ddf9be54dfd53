package layout

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// WrittenLog lists the plans and tasks that a command, a tool or the controller
// wrote or removed under the rules, one per line. Other changes of the files
// were made without them.
const WrittenLog = RunDir + "/written"

// maxWritten is the size in bytes at which the log is shortened to the newest
// removals. Writes are needed for a few minutes, removals until git has them.
const maxWritten = 256 << 10

// WriteEntry is a line of the log.
type WriteEntry struct {
	Time time.Time
	Key  resources.Key
	Rev  string // empty for a removed object
}

// RecordWrites appends the plans and tasks among some writes to the log. It
// ignores errors, because a failure must not prevent writing objects.
func (r Root) RecordWrites(all []WriteEntry) {
	var b strings.Builder
	for _, w := range all {
		if store.IsPlanned(w.Key.Kind) {
			b.WriteString(strconv.FormatInt(w.Time.UnixMilli(), 10) + " " + w.Key.String() + " " + w.Rev + "\n")
		}
	}
	if b.Len() == 0 {
		return
	}
	if info, err := os.Lstat(r.Abs(WrittenLog)); err == nil && info.Size() > maxWritten {
		r.trimWrittenLog()
	}
	if d, err := r.Make(RunDir); err == nil {
		d.Close()
		_ = r.Append(WrittenLog, []byte(b.String()))
	}
}

// trimWrittenLog keeps the newest removals in the log, up to half of its
// maximum size.
func (r Root) trimWrittenLog() {
	data, _, err := r.Read(WrittenLog, MaxLog)
	if err != nil {
		_ = r.Remove(WrittenLog)
		return
	}
	var kept []string
	size := 0
	lines := strings.SplitAfter(string(data), "\n")
	for i := len(lines) - 1; i >= 0 && size < maxWritten/2; i-- {
		if strings.HasSuffix(lines[i], " \n") {
			kept, size = append(kept, lines[i]), size+len(lines[i])
		}
	}
	slices.Reverse(kept)
	_ = r.Replace(WrittenLog, []byte(strings.Join(kept, "")))
}

// WriteLog returns the entries of the log since a time, oldest first.
func (r Root) WriteLog(since time.Time) []WriteEntry {
	data, _, err := r.Read(WrittenLog, MaxLog)
	if err != nil {
		return nil
	}
	var all []WriteEntry
	for line := range strings.Lines(string(data)) {
		at, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		about, rev, found := strings.Cut(rest, " ")
		kind, name, _ := strings.Cut(about, "/")
		if ms, err := strconv.ParseInt(at, 10, 64); err == nil && found && ms >= since.UnixMilli() {
			all = append(all, WriteEntry{time.UnixMilli(ms), resources.Key{Kind: kind, Name: name}, rev})
		}
	}
	return all
}

// RemovedByCommand reports whether a command removed an object since then.
func (r Root) RemovedByCommand(key resources.Key, since time.Time) (gone bool) {
	for _, w := range r.WriteLog(since) {
		if w.Key == key {
			gone = w.Rev == ""
		}
	}
	return gone
}

// IndexMoved reports whether git's index changed since then.
func (r Root) IndexMoved(since time.Time) bool { return r.gitTouched(since, "index") }

// GitMoved reports whether HEAD moved or a stash was made since then.
func (r Root) GitMoved(since time.Time) bool { return r.gitTouched(since, "logs/HEAD", "refs/stash") }

// GitRan reports whether git wrote anything about the working tree since then.
func (r Root) GitRan(since time.Time) bool {
	return r.gitTouched(since, "logs/HEAD", "refs/stash", "index", "HEAD")
}

// gitTouched reports whether git wrote one of these files of its directories
// since a time.
func (r Root) gitTouched(since time.Time, files ...string) bool {
	dir := GitDir(string(r))
	if dir == "" {
		return false
	}
	for _, file := range files {
		for _, at := range []string{dir, CommonDir(dir)} {
			if info, err := os.Stat(filepath.Join(at, filepath.FromSlash(file))); err == nil && !info.ModTime().Before(since) {
				return true
			}
		}
	}
	return false
}
