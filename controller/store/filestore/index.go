package filestore

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"os"
	"path"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// The index of a kind, .idumb/run/index/<kind>, is what Load found in the files of
// that kind when it last read them, so that it need not decode them again:
//
//	magic, 8 bytes: the version of this form, of the types and of the program
//	length of the texts
//	number of entries
//	per entry: file name, its place among all of them by name, signature, flags,
//	revision, length and bytes of content, length of its texts
//	the texts: of each entry the strings that are long
//	CRC-32C of all that, 4 bytes
//
// An index that is damaged, of another version or missing is as good as none.

const (
	indexMagic = "idumbix3"
	maxIndex   = 1 << 30
	minEntry   = 23 // bytes: two fixed numbers and seven that take one byte at least
)

// Flags of an entry.
const (
	flagRacy   = 1 << iota // the file had changed so recently that its signature proves nothing
	flagBroken             // content is a resources.Problem
)

// entry is what is known of one file.
type entry struct {
	name    string
	rank    int // its place in the index by the object's name; entries stand in the order of the folder
	sig     signature
	flags   byte
	rev     string
	content packed // an object, Sightings or a Problem, by flags and kind
}

// index is the entries of a kind, looked up in the order of the folder: most
// often it is the same as last time.
type index struct {
	entries []entry
	next    int
	byName  map[string]int // made when the order turns out to be another
}

// find returns the entry of a file.
func (x *index) find(name string) (*entry, bool) {
	if x.next < len(x.entries) && x.entries[x.next].name == name {
		x.next++
		return &x.entries[x.next-1], true
	}
	if x.byName == nil {
		x.byName = make(map[string]int, len(x.entries))
		for i := range x.entries {
			x.byName[x.entries[i].name] = i
		}
	}
	i, ok := x.byName[name]
	if !ok {
		return nil, false
	}
	x.next = i + 1
	return &x.entries[i], true
}

// form is how the contents of a kind's entries are written.
type form struct {
	kind    string
	version uint64
	head    *codec // resources.Header
	body    *codec // the spec; for checkpoint logs resources.Sightings
	problem *codec
	room    []resources.Object // empty ones for decodeObject
}

func newForm(kind string) *form {
	c := newCodecs()
	f := &form{kind: kind, problem: c.of(reflect.TypeFor[resources.Problem]())}
	if k, ok := resources.KindOf(kind); ok {
		f.head = c.of(reflect.TypeFor[resources.Header]())
		f.body = c.of(reflect.TypeOf(k.New().SpecPointer()).Elem())
	} else {
		f.body = c.of(reflect.TypeFor[resources.Sightings]())
	}
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, c.hash()))
	h.Write([]byte(program()))
	f.version = h.Sum64()
	return f
}

// program names this version of iDumb: another one may judge the same file
// differently.
func program() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return info.Main.Version + setting.Value
		}
	}
	return info.Main.Version
}

func (f *form) encodeObject(o resources.Object) packed {
	var w writer
	f.head.write(&w, unsafe.Pointer(o.Head()))
	f.body.write(&w, reflect.ValueOf(o.SpecPointer()).UnsafePointer())
	return packed(w)
}

// decodeObject returns the object of an entry; false if the entry is damaged.
func (f *form) decodeObject(r *reader, e *entry) (resources.Object, bool) {
	o := f.empty()
	r.open(e.content)
	f.head.read(r, unsafe.Pointer(o.Head()))
	f.body.read(r, reflect.ValueOf(o.SpecPointer()).UnsafePointer())
	*o.Source() = resources.Origin{Revision: e.rev, ModTime: e.sig.modTime()}
	return o, r.err == nil
}

// empty returns an object to decode into. They are made many at a time: each by
// itself takes as long as decoding it.
func (f *form) empty() resources.Object {
	const many = 256
	if len(f.room) == 0 {
		kind, _ := resources.KindOf(f.kind)
		f.room = kind.NewMany(many)
	}
	o := f.room[0]
	f.room = f.room[1:]
	return o
}

func (f *form) encodeSightings(s *resources.Sightings) packed {
	var w writer
	f.body.write(&w, unsafe.Pointer(s))
	return packed(w)
}

func (f *form) decodeSightings(r *reader, e *entry) (*resources.Sightings, bool) {
	s := &resources.Sightings{}
	r.open(e.content)
	f.body.read(r, unsafe.Pointer(s))
	return s, r.err == nil
}

func (f *form) encodeProblem(p resources.Problem) packed {
	var w writer
	f.problem.write(&w, unsafe.Pointer(&p))
	return packed(w)
}

func (f *form) decodeProblem(r *reader, e *entry) (resources.Problem, bool) {
	var p resources.Problem
	r.open(e.content)
	f.problem.read(r, unsafe.Pointer(&p))
	return p, r.err == nil
}

// hasIndex reports whether there may be an index of a kind.
func (s *Store) hasIndex(kind string) bool {
	_, err := os.Lstat(s.root.Abs(path.Join(layout.IndexDir, kind)))
	return err == nil
}

// readIndex returns the index of a kind; an empty one if there is none to be had.
func (s *Store) readIndex(f *form) *index {
	data, err := s.indexBytes(f.kind)
	if err != nil {
		return &index{}
	}
	entries, err := f.parse(data)
	if err != nil {
		return &index{}
	}
	return &index{entries: entries}
}

// indexBytes is the file of an index. It is only ever replaced as a whole.
func (s *Store) indexBytes(kind string) ([]byte, error) {
	if !s.brief {
		data, _, err := s.root.Read(path.Join(layout.IndexDir, kind), maxIndex)
		return data, err
	}
	d, err := s.root.Open(layout.IndexDir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Map(kind, maxIndex)
}

func (f *form) parse(data []byte) ([]entry, error) {
	if len(data) < len(indexMagic)+4 || string(data[:len(indexMagic)]) != indexMagic {
		return nil, errDamaged
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) != sum {
		return nil, errDamaged
	}
	return f.entries(body[len(indexMagic):])
}

// entries reads what stands between the magic and the checksum.
func (f *form) entries(data []byte) ([]entry, error) {
	r := &reader{data: data}
	version, texts := r.fixed(), r.fixed()
	if version != f.version || texts > uint64(len(data)-r.at) {
		return nil, errDamaged
	}
	r.data, r.texts = data[:len(data)-int(texts)], data[len(data)-int(texts):]
	n := r.length()
	if n > len(data)/minEntry {
		return nil, errDamaged
	}
	entries := make([]entry, n)
	for i := range entries {
		entries[i] = readEntry(r)
	}
	return entries, r.err
}

func readEntry(r *reader) entry {
	return entry{
		name:    r.string(),
		rank:    int(r.uvarint()),
		sig:     signature{size: int64(r.uvarint()), mtime: int64(r.fixed()), changed: int64(r.fixed()), inode: r.uvarint()},
		flags:   r.byte(),
		rev:     r.string(),
		content: r.packed(),
	}
}

func (f *form) format(entries []entry) []byte {
	size, texts := 64, 0
	for _, e := range entries {
		size += len(e.name) + len(e.content.data) + 96
		texts += len(e.content.texts)
	}
	w := &writer{data: append(make([]byte, 0, size+texts), indexMagic...), texts: make([]byte, 0, texts)}
	w.fixed(f.version)
	w.fixed(0) // the length of the texts: it is not known yet
	w.length(len(entries))
	ranks := f.ranks(entries)
	for i := range entries {
		writeEntry(w, &entries[i], ranks[i])
	}
	binary.LittleEndian.PutUint64(w.data[len(indexMagic)+8:], uint64(len(w.texts)))
	data := append(w.data, w.texts...)
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return binary.LittleEndian.AppendUint32(data, sum)
}

func writeEntry(w *writer, e *entry, rank int) {
	w.string(e.name)
	w.length(rank)
	w.uvarint(uint64(e.sig.size))
	w.fixed(uint64(e.sig.mtime))
	w.fixed(uint64(e.sig.changed))
	w.uvarint(e.sig.inode)
	w.byte(e.flags)
	w.string(e.rev)
	w.packed(e.content)
}

// ranks are the entries' places in the order of their objects' names.
func (f *form) ranks(entries []entry) []int {
	order, ranks := make([]int, len(entries)), make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, _ := objectFile(f.kind, entries[a].name)
		y, _ := objectFile(f.kind, entries[b].name)
		return strings.Compare(x, y)
	})
	for rank, i := range order {
		ranks[i] = rank
	}
	return ranks
}

// writeIndex replaces the index of a kind. That it cannot be written (a disk that
// is full or read-only) costs time, no more.
func (s *Store) writeIndex(f *form, entries []entry) {
	d, err := s.root.Make(layout.IndexDir)
	if err != nil {
		return
	}
	defer d.Close()
	temp := layout.TempName()
	if err := d.Write(temp, f.format(entries), 0o600); err != nil {
		return
	}
	if err := d.Rename(temp, d, f.kind); err != nil {
		d.Remove(temp)
	}
}
