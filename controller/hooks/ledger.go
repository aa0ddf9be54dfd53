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

// specsFile is the ledger of a hook on its own: every plan and task as it was last seen. What
// changed since can be told from it, and a file that is as it was need not be read again. What is
// new is added at its end; now and then it is written anew.
const specsFile = layout.RunDir + "/specs"

// seenSpec is an entry of it.
type seenSpec struct {
	text
	size int // of the entry as it was read
}

// ledger is what specsFile holds.
type ledger struct {
	specs map[resources.Key]*seenSpec
	at    time.Time // when it was begun to look at all files; the zero time: never
	size  int       // of the file, in bytes
	stale int       // how many of them another entry took the place of
}

// ledger reads what was last seen, once. One that was cut short, by whatever ended a hook, tells nothing.
func (f *files) ledger() ledger {
	if f.last == nil {
		f.last = &ledger{}
		if data, info, err := f.root.Read(specsFile, 16*layout.MaxLog); err == nil {
			*f.last = parseLedger(data, info.ModTime)
		}
	}
	return *f.last
}

func parseLedger(data []byte, at time.Time) ledger {
	all := ledger{specs: make(map[resources.Key]*seenSpec, len(data)>>10), at: at, size: len(data)}
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

// parseSpec reads an entry; nil if it is torn.
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

// appendSpec appends an entry; one without data says that the object is gone.
func appendSpec(to []byte, key resources.Key, s seenSpec) []byte {
	length := len(s.data)
	if s.data == nil {
		length = -1
	}
	entry := fmt.Appendf(nil, " %s %s %d\n%s\n", key, s.stamp, length, s.data)
	return append(append(to, sumOf(entry)...), entry...)
}

// sumOf tells an entry from one that was cut short, with the next one behind it.
func sumOf(entry []byte) string { return strconv.FormatUint(uint64(crc32.ChecksumIEEE(entry)), 16) }

// writeLedger adds to the ledger what is not as before, or writes it anew if more than half of it
// does not hold any more.
func (r *repo) writeLedger(before ledger, began time.Time) {
	anew := before.at.IsZero() || before.stale > before.size/2
	var news []byte
	for key, t := range r.specs.planned {
		now, was := seenSpec{text: *t}, before.specs[key]
		if anew || was == nil || !bytes.Equal(was.stamp, now.stamp) || !was.same(t) {
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
