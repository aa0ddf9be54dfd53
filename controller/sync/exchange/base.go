package exchange

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

// baseFile is the log of base versions.
const baseFile = "base.jsonl"

// Limits of the log: kept older base versions per object, and the minimum
// growth before it is compacted.
const (
	maxOlderBases = 6
	minGrowth     = 1 << 20
)

// Base is the log of base versions: the versions of objects that were last
// equal on both sides. It is append-only. A base version is written after both
// sides have it, so a crash can only leave the log behind. A push is logged
// before it starts, so that later local edits are merged with the pushed
// version and an unknown outcome is detected. Texts stay on disk; memory has
// their hashes.
type Base struct {
	f          *os.File // nil while not in use
	path       string
	closedInfo os.FileInfo // file info when f was closed
	size       int64
	entries    map[resources.Key]*entry
}

// record is a line of the log: a base version, a push, a local version (Ours),
// or the end of an object.
type record struct {
	Kind         string `json:"kind"`
	Name         string `json:"name"`
	Milliseconds int64  `json:"at,omitempty"`  // time of a base version, in milliseconds since 1970
	Rev          string `json:"rev,omitempty"` // engine revision of a base version
	Text         string `json:"text,omitempty"`
	Ours         string `json:"ours,omitempty"` // local version at the time of the push of Text; without Text, an unpushed local version
	Deleted      bool   `json:"gone,omitempty"`
}

// position is the position of a line in the log.
type position struct {
	offset int64
	size   int
}

// baseVersion is a base version in the log: its position, time, engine revision
// and content hash.
type baseVersion struct {
	position
	time time.Time
	rev  string
	sum  string
}

// entry is the state of one object.
type entry struct {
	bases         []baseVersion   // base versions, newest last
	lastPush      *localVersion   // last or pending push since then
	earlierPushes []*localVersion // earlier pushes with an unknown outcome, which the engine may still apply
	lastLocal     *localVersion   // last local version since then
}

// localVersion is a local version and its pushed form.
type localVersion struct {
	position
	ours, text string // hashes; text is empty if not pushed
}

// OpenBase opens the log in a directory. It ignores lines that a crash
// truncated.
func OpenBase(dir string) (*Base, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, baseFile)
	b, live, err := readBase(path)
	if err != nil || b.size <= minGrowth || b.size < 4*live {
		return b, err
	}
	return b.compacted(path)
}

// readBase opens the log at a path and reads it. live is the number of bytes of
// lines that are still in use.
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
		b.apply(line)
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

// mendEnd terminates a truncated last line, so that the next line is separate.
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

// size returns the number of bytes of the object's lines that are still in use.
func (e *entry) size() int64 {
	n := 0
	if len(e.bases) > 0 {
		n += e.bases[len(e.bases)-1].size
	}
	for _, s := range e.open() {
		n += s.size
	}
	return int64(n)
}

// open returns the versions since the last base version, oldest first.
func (e *entry) open() []*localVersion {
	return slices.DeleteFunc(append(slices.Clone(e.earlierPushes), e.lastPush, e.lastLocal), func(s *localVersion) bool { return s == nil })
}

// pushOf returns the last push with that text hash, or nil.
func (e *entry) pushOf(text string) *localVersion {
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

// apply processes the line at the current end of the read log. It ignores a line
// that is truncated or not understood.
func (b *Base) apply(line []byte) {
	var r record
	if !bytes.HasSuffix(line, []byte{'\n'}) || json.Unmarshal(line, &r) != nil || !shared(r.Kind) || resources.CheckName(r.Name) != nil {
		return
	}
	key, at := resources.Key{Kind: r.Kind, Name: r.Name}, position{b.size, len(line)}
	e := b.entries[key]
	if e == nil {
		e = &entry{}
		b.entries[key] = e
	}
	switch {
	case r.Deleted:
		delete(b.entries, key)
	case r.Ours != "" && r.Text != "":
		if e.lastPush != nil {
			e.earlierPushes = append(e.earlierPushes[max(0, len(e.earlierPushes)-maxOlderBases+1):], e.lastPush)
		}
		e.lastPush, e.lastLocal = &localVersion{at, hashOf(r.Ours), hashOf(r.Text)}, nil
	case r.Ours != "":
		e.lastLocal = &localVersion{position: at, ours: hashOf(r.Ours)}
	default:
		e.bases = append(e.bases, baseVersion{at, time.UnixMilli(r.Milliseconds), r.Rev, hashOf(r.Text)})
		if len(e.bases) > maxOlderBases+1 {
			e.bases = slices.Delete(e.bases, 0, 1)
		}
		e.lastPush, e.earlierPushes, e.lastLocal = nil, nil, nil
	}
}

// hashOf returns the hash of a version, or "" for an empty one.
func hashOf(text string) string {
	if text == "" {
		return ""
	}
	return resources.Revision([]byte(text))
}

// compacted rewrites the log with the current entries only. It returns the new
// log and closes b. If the new log cannot be written, it returns b.
func (b *Base) compacted(path string) (*Base, error) {
	temp, err := os.CreateTemp(filepath.Dir(path), ".base-*")
	if err != nil {
		return b, nil // keep the long log
	}
	defer os.Remove(temp.Name())
	w := bufio.NewWriter(temp)
	for _, key := range b.Keys() {
		e := b.entries[key]
		if n := len(e.bases); n > 0 {
			err = errors.Join(err, b.copyLine(w, e.bases[n-1].position))
		}
		for _, s := range e.open() {
			err = errors.Join(err, b.copyLine(w, s.position))
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

// copyLine copies a line of the log to w.
func (b *Base) copyLine(w io.Writer, p position) error {
	_, err := io.Copy(w, io.NewSectionReader(b.f, p.offset, int64(p.size)))
	return err
}

// Close closes the log.
func (b *Base) Close() error {
	if b.f == nil {
		return nil
	}
	return b.f.Close()
}

// resume reopens the log. It returns false if the log changed in the meantime.
func (b *Base) resume() bool {
	f, err := os.OpenFile(b.path, os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return false
	}
	b.f = f
	now, err := f.Stat()
	return err == nil && os.SameFile(now, b.closedInfo) && now.Size() == b.size && now.ModTime().Equal(b.closedInfo.ModTime())
}

// Keys returns the objects with entries, sorted.
func (b *Base) Keys() []resources.Key {
	keys := make([]resources.Key, 0, len(b.entries))
	for key := range b.entries {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys
}

// add appends a record to the log.
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
	b.apply(line)
	b.size += int64(n)
	return nil
}

// RecordBase records a base version: both sides have the text, with the engine's
// revision rev.
func (b *Base) RecordBase(key resources.Key, rev string, text []byte, now time.Time) error {
	if e := b.entries[key]; e != nil && e.lastPush == nil && e.lastLocal == nil && len(e.bases) > 0 {
		if last := e.bases[len(e.bases)-1]; last.rev == rev && last.sum == hashOf(string(text)) {
			return nil
		}
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Milliseconds: now.UnixMilli(), Rev: rev, Text: string(text)})
}

// RecordPush records a version that is about to be pushed and the local version at
// that time.
func (b *Base) RecordPush(key resources.Key, ours, text []byte) error {
	if e := b.entries[key]; e != nil && e.lastLocal == nil && e.lastPush != nil && e.lastPush.ours == hashOf(string(ours)) && e.lastPush.text == hashOf(string(text)) {
		return nil
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Ours: string(ours), Text: string(text)})
}

// RecordLocal records a local version that has not been pushed yet, so that it can still be pushed if its file is lost.
// See entry.pending.
func (b *Base) RecordLocal(key resources.Key, ours []byte) error {
	sum := hashOf(string(ours))
	if e := b.entries[key]; e != nil && (e.lastLocal != nil && e.lastLocal.ours == sum || e.lastLocal == nil && e.lastPush != nil && e.lastPush.ours == sum) {
		return nil
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Ours: string(ours)})
}

// pending returns the last local version that may be missing remotely, or nil.
// base and team are the hashes of the base and the remote version.
func (e *entry) pending(base, team string) *localVersion {
	if e == nil {
		return nil
	}
	last := e.lastLocal
	if last == nil && e.lastPush != nil && e.lastPush.text != team {
		last = e.lastPush
	}
	if last == nil || last.ours == base || last.ours == team {
		return nil
	}
	return last
}

// Forget records that the object exists on neither side.
func (b *Base) Forget(key resources.Key) error {
	if b.entries[key] == nil {
		return nil
	}
	return b.add(record{Kind: key.Kind, Name: key.Name, Deleted: true})
}

// last returns the newest base version of an object, or nil.
func (b *Base) last(key resources.Key) *baseVersion {
	if e := b.entries[key]; e != nil && len(e.bases) > 0 {
		return &e.bases[len(e.bases)-1]
	}
	return nil
}

// older returns the earlier base versions, if the newest one was made after
// since. A program may have read one of them and saved later.
func (b *Base) older(key resources.Key, since time.Time) []baseVersion {
	e := b.entries[key]
	if e == nil || len(e.bases) < 2 || e.bases[len(e.bases)-1].time.Before(since) {
		return nil
	}
	return e.bases[:len(e.bases)-1]
}

// text returns the version with that hash from the log, or nil.
func (b *Base) text(key resources.Key, sum string) ([]byte, error) {
	e := b.entries[key]
	if e == nil {
		return nil, nil
	}
	for _, a := range slices.Backward(e.bases) {
		if a.sum == sum {
			r, err := b.read(a.position)
			return []byte(r.Text), err
		}
	}
	if s := e.pushOf(sum); s != nil {
		r, err := b.read(s.position)
		return []byte(r.Text), err
	}
	return nil, nil
}

// read reads the record at a position of the log.
func (b *Base) read(p position) (r record, err error) {
	line := make([]byte, p.size)
	if _, err = b.f.ReadAt(line, p.offset); err == nil {
		err = json.Unmarshal([]byte(strings.TrimSpace(string(line))), &r)
	}
	if err != nil {
		err = fmt.Errorf("what this clone and its team agree on cannot be read: %w", err)
	}
	return r, err
}
