package plans

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// baseFile is the log of what both sides were last seen to agree on.
const baseFile = "base.jsonl"

// How the log is kept: how many older agreements of an object, and when it is written anew.
const (
	olderKept  = 6
	roomToGrow = 1 << 20
)

// Base is what both sides were last seen to agree on, object by object. It is appended to, so a
// crash leaves it behind what is true and never before it: an agreement is written once both sides
// hold it. What is sent is noted before, so that what is edited meanwhile is merged with that, and
// an outcome that is not known shows itself. Texts stay on disk, hashes in memory.
type Base struct {
	f       *os.File // nil while nobody uses it
	path    string
	left    os.FileInfo // the file as it was then
	size    int64
	entries map[resources.Key]*entry
}

// record is a line of the log: an agreement, what was sent or seen here (Ours), or that all is over.
type record struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	At   int64  `json:"at,omitempty"`  // milliseconds
	Rev  string `json:"rev,omitempty"` // the engine's, of an agreement
	Text string `json:"text,omitempty"`
	Ours string `json:"ours,omitempty"` // what stood here when Text was sent; alone: what was seen here since
	Gone bool   `json:"gone,omitempty"`
}

// place is where a line of the log stands.
type place struct {
	at   int64
	size int
}

type agreement struct {
	place
	when time.Time
	rev  string
	sum  string
}

// entry is what is known of one object.
type entry struct {
	agreed []agreement // the newest last
	sent   *sent       // what went up since, or is about to
	tried  []*sent     // what did before that: an engine may make it late, though it was not heard of
	seen   *sent       // what was seen here since then
}

// sent is a version that stood here, and what it went up as.
type sent struct {
	place
	ours, text string // hashes; text "" if it did not go up
}

// OpenBase reads the log in a folder; a line that was torn by a crash says nothing.
func OpenBase(dir string) (*Base, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, baseFile)
	b, live, err := readBase(path)
	if err != nil || b.size <= roomToGrow || b.size < 4*live {
		return b, err
	}
	return b.compacted(path)
}

func readBase(path string) (b *Base, live int64, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("what this clone and its team agree on cannot be read: %w", err)
	}
	b = &Base{f: f, entries: map[resources.Key]*entry{}}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, errors.Join(err, f.Close())
		}
		b.learn(line)
		b.size += int64(len(line))
		if err != nil {
			break
		}
	}
	if err := b.mendEnd(); err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	for _, e := range b.entries {
		live += e.size()
	}
	return b, live, nil
}

// mendEnd ends a line that was torn, so that the next one is its own.
func (b *Base) mendEnd() error {
	var last [1]byte
	if b.size == 0 {
		return nil
	}
	if _, err := b.f.ReadAt(last[:], b.size-1); err != nil || last[0] == '\n' {
		return err
	}
	n, err := b.f.Write([]byte{'\n'})
	b.size += int64(n)
	return err
}

func (e *entry) size() int64 {
	n := 0
	if len(e.agreed) > 0 {
		n += e.agreed[len(e.agreed)-1].size
	}
	for _, s := range e.open() {
		n += s.size
	}
	return int64(n)
}

// open is what was written down since the last agreement and counts, the oldest first.
func (e *entry) open() []*sent {
	return slices.DeleteFunc(append(slices.Clone(e.tried), e.sent, e.seen), func(s *sent) bool { return s == nil })
}

// wentUp is the last version that went up as a text; nil for none.
func (e *entry) wentUp(text string) *sent {
	if e == nil || text == "" {
		return nil
	}
	for _, s := range slices.Backward(e.open()) {
		if s.text == text {
			return s
		}
	}
	return nil
}

// learn takes in the line that stands at the end of what was read.
func (b *Base) learn(line []byte) {
	var r record
	if !bytes.HasSuffix(line, []byte{'\n'}) || json.Unmarshal(line, &r) != nil || !shared(r.Kind) || resources.CheckName(r.Name) != nil {
		return
	}
	key, at := resources.Key{Kind: r.Kind, Name: r.Name}, place{b.size, len(line)}
	e := b.entries[key]
	if e == nil {
		e = &entry{}
		b.entries[key] = e
	}
	switch {
	case r.Gone:
		delete(b.entries, key)
	case r.Ours != "" && r.Text != "":
		if e.sent != nil {
			e.tried = append(e.tried[max(0, len(e.tried)-olderKept+1):], e.sent)
		}
		e.sent, e.seen = &sent{at, sumOf(r.Ours), sumOf(r.Text)}, nil
	case r.Ours != "":
		e.seen = &sent{place: at, ours: sumOf(r.Ours)}
	default:
		e.agreed = append(e.agreed, agreement{at, time.UnixMilli(r.At), r.Rev, sumOf(r.Text)})
		if len(e.agreed) > olderKept+1 {
			e.agreed = slices.Delete(e.agreed, 0, 1)
		}
		e.sent, e.tried, e.seen = nil, nil, nil
	}
}

// sumOf is the hash of a version, "" for none.
func sumOf(text string) string {
	if text == "" {
		return ""
	}
	return resources.Revision([]byte(text))
}

// compacted writes the log anew with what still counts.
func (b *Base) compacted(path string) (*Base, error) {
	temp, err := os.CreateTemp(filepath.Dir(path), ".base-*")
	if err != nil {
		return b, nil // it stays long
	}
	defer os.Remove(temp.Name())
	w := bufio.NewWriter(temp)
	for _, key := range b.Keys() {
		e := b.entries[key]
		if n := len(e.agreed); n > 0 {
			err = errors.Join(err, b.copyLine(w, e.agreed[n-1].place))
		}
		for _, s := range e.open() {
			err = errors.Join(err, b.copyLine(w, s.place))
		}
	}
	err = errors.Join(err, w.Flush(), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return b, nil
	}
	next, _, err := readBase(path)
	if err != nil {
		return b, nil
	}
	return next, b.Close()
}

func (b *Base) copyLine(w io.Writer, p place) error {
	_, err := io.Copy(w, io.NewSectionReader(b.f, p.at, int64(p.size)))
	return err
}

// Close closes the log.
func (b *Base) Close() error {
	if b.f == nil {
		return nil
	}
	return b.f.Close()
}

// rest closes the log until resume, so that other processes may do with it what they like.
func (b *Base) rest() (err error) {
	if b.left, err = b.f.Stat(); err == nil {
		err = b.f.Close()
	}
	b.path, b.f = b.f.Name(), nil
	return err
}

// resume opens the log again; false if it is not what it was.
func (b *Base) resume() bool {
	f, err := os.OpenFile(b.path, os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return false
	}
	b.f = f
	now, err := f.Stat()
	return err == nil && os.SameFile(now, b.left) && now.Size() == b.size && now.ModTime().Equal(b.left.ModTime())
}

// Keys are the objects of which something is known, sorted.
func (b *Base) Keys() []resources.Key {
	keys := make([]resources.Key, 0, len(b.entries))
	for key := range b.entries {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys
}

// add appends a line.
func (b *Base) add(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	n, err := b.f.Write(line)
	if err != nil {
		b.size += int64(n)
		return fmt.Errorf("what this clone and its team agree on cannot be written down: %w", err)
	}
	b.learn(line)
	b.size += int64(n)
	return nil
}

// Agree notes that both sides hold a text, which is an engine's revision.
func (b *Base) Agree(key resources.Key, rev string, text []byte, now time.Time) error {
	if e := b.entries[key]; e != nil && e.sent == nil && e.seen == nil && len(e.agreed) > 0 {
		if last := e.agreed[len(e.agreed)-1]; last.rev == rev && last.sum == sumOf(string(text)) {
			return nil
		}
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, At: now.UnixMilli(), Rev: rev, Text: string(text)})
}

// Send writes down what is about to go up, and what stands here meanwhile.
func (b *Base) Send(key resources.Key, ours, text []byte) error {
	if e := b.entries[key]; e != nil && e.seen == nil && e.sent != nil && e.sent.ours == sumOf(string(ours)) && e.sent.text == sumOf(string(text)) {
		return nil
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Ours: string(ours), Text: string(text)})
}

// See writes down what stands here, and the team does not have.
func (b *Base) See(key resources.Key, ours []byte) error {
	sum := sumOf(string(ours))
	if e := b.entries[key]; e != nil && (e.seen != nil && e.seen.ours == sum || e.seen == nil && e.sent != nil && e.sent.ours == sum) {
		return nil
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Ours: string(ours)})
}

// pending is what stood here last and may not be with the team, given what that has and what both
// agreed on; nil for none.
func (e *entry) pending(base, team string) *sent {
	if e == nil {
		return nil
	}
	last := e.seen
	if last == nil && e.sent != nil && e.sent.text != team {
		last = e.sent
	}
	if last == nil || last.ours == base || last.ours == team {
		return nil
	}
	return last
}

// Forget says that nobody has an object any more.
func (b *Base) Forget(key resources.Key) error {
	if b.entries[key] == nil {
		return nil
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Gone: true})
}

// last is the newest agreement about an object; nil for none.
func (b *Base) last(key resources.Key) *agreement {
	if e := b.entries[key]; e != nil && len(e.agreed) > 0 {
		return &e.agreed[len(e.agreed)-1]
	}
	return nil
}

// older are the agreements before the newest one if that was made since then: a program may have
// read one of them, and saved after.
func (b *Base) older(key resources.Key, since time.Time) []agreement {
	e := b.entries[key]
	if e == nil || len(e.agreed) < 2 || e.agreed[len(e.agreed)-1].when.Before(since) {
		return nil
	}
	return e.agreed[:len(e.agreed)-1]
}

// text is a version of an object that the log holds, by its hash; nil for none.
func (b *Base) text(key resources.Key, sum string) ([]byte, error) {
	e := b.entries[key]
	if e == nil {
		return nil, nil
	}
	for _, a := range slices.Backward(e.agreed) {
		if a.sum == sum {
			r, err := b.read(a.place)
			return []byte(r.Text), err
		}
	}
	if s := e.wentUp(sum); s != nil {
		r, err := b.read(s.place)
		return []byte(r.Text), err
	}
	return nil, nil
}

// read reads a line again.
func (b *Base) read(p place) (r record, err error) {
	line := make([]byte, p.size)
	if _, err = b.f.ReadAt(line, p.at); err == nil {
		err = json.Unmarshal([]byte(strings.TrimSpace(string(line))), &r)
	}
	if err != nil {
		err = fmt.Errorf("what this clone and its team agree on cannot be read: %w", err)
	}
	return r, err
}
