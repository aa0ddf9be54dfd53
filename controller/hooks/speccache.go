package hooks

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// specsFile is the ledger of hooks that run without a controller. It holds the
// last seen version of every plan and task. With it a hook finds changes, and
// does not read unchanged files again. New entries are appended, and the file
// is rewritten from time to time.
const specsFile = layout.RunDir + "/specs"

// seenSpec is an entry of the ledger.
type seenSpec struct {
	text
	size int // size of the entry in the file
}

// ledger is the content of specsFile.
type ledger struct {
	specs   map[resources.Key]*seenSpec
	scanned time.Time // when the last scan of all files began; zero for never
	size    int       // size of the file, in bytes
	stale   int       // bytes of entries that later entries replace
}

// ledger reads the ledger once. It ignores an entry that was cut off when a
// hook ended.
func (f *files) ledger() ledger {
	if f.last == nil {
		f.last = &ledger{}
		if data, info, err := f.root.Read(specsFile, 16*layout.MaxLog); err == nil {
			*f.last = parseLedger(data, info.ModTime)
		}
	}
	return *f.last
}

// parseLedger parses a ledger that was written at a time. It returns an empty ledger if an entry
// is invalid.
func parseLedger(data []byte, at time.Time) ledger {
	all := ledger{specs: make(map[resources.Key]*seenSpec, len(data)>>10), scanned: at, size: len(data)}
	for len(data) > 0 {
		key, s := parseSpec(data)
		if s == nil {
			return ledger{}
		}
		if was := all.specs[key]; was != nil {
			all.stale += was.size
		}
		if all.specs[key] = s; s.data == nil {
			all.stale += s.size
			delete(all.specs, key)
		}
		data = data[s.size:]
	}
	return all
}

// parseSpec reads an entry; nil if it is incomplete.
func parseSpec(data []byte) (key resources.Key, s *seenSpec) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	sum, words, _ := bytes.Cut(head, []byte(" "))
	name, words, _ := bytes.Cut(words, []byte(" "))
	stamp, words, _ := bytes.Cut(words, []byte(" "))
	length, err := strconv.Atoi(string(words))
	if err != nil || max(length, 0) >= len(rest) {
		return key, nil
	}
	size := len(head) + 1 + max(length, 0) + 1
	if string(sum) != sumOf(data[len(sum):size]) {
		return key, nil
	}
	key.Kind, key.Name, _ = strings.Cut(string(name), "/")
	s = &seenSpec{text{stamp: stamp}, size}
	if length >= 0 {
		s.data = rest[:length:length]
	}
	return key, s
}

// appendSpec appends an entry. An entry without data means that the object was
// removed.
func appendSpec(to []byte, key resources.Key, s seenSpec) []byte {
	length := len(s.data)
	if s.data == nil {
		length = -1
	}
	entry := fmt.Appendf(nil, " %s %s %d\n%s\n", key, s.stamp, length, s.data)
	return append(append(to, sumOf(entry)...), entry...)
}

// sumOf returns the checksum of an entry. It detects an entry that was cut off
// and is followed by another.
func sumOf(entry []byte) string { return strconv.FormatUint(uint64(crc32.ChecksumIEEE(entry)), 16) }

// writeLedger appends the changes to the ledger. It rewrites the ledger if more
// than half of it is obsolete.
func (r *repo) writeLedger(before ledger, began time.Time) {
	anew := before.scanned.IsZero() || before.stale > before.size/2
	var news []byte
	for key, t := range r.specs.planned {
		now, was := seenSpec{text: *t}, before.specs[key]
		if anew || was == nil || !bytes.Equal(was.stamp, now.stamp) || !was.equal(t) {
			news = appendSpec(news, key, now)
		}
	}
	for key := range before.specs {
		if !anew && r.specs.text(key) == nil {
			news = appendSpec(news, key, seenSpec{})
		}
	}
	if anew {
		_ = r.Replace(specsFile, news)
	} else if len(news) > 0 {
		_ = r.Append(specsFile, news)
	}
	r.lookedAt(specsFile, began)
}
