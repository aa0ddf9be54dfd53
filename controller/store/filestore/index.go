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
//	magic, 8 bytes: the version of this form
//	version of the types and of the program, 8 bytes
//	number of entries, lengths of names, tails, contents and texts, 4 bytes each
//	records, one for each entry, in the order of the folder (see record.go)
//	places: the numbers of the records in the order of the objects' names, 4 bytes each
//	names: of each entry its file's and its revision
//	tails: of mems what varies in length of their sketches
//	contents, texts: the objects; strings that are long stand among the texts
//	CRC-32C of all that, 4 bytes
//
// Records are read in place: an entry that nobody asks for costs next to nothing. An index
// that is damaged, of another version or missing is as good as none.

const (
	indexMagic = "idumbix6"
	indexHead  = 8 + 8 + 5*4
	maxIndex   = 1 << 30
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
	sketch  sketch // of a mem
}

// index is the entries of a kind, looked up in the order of the folder: most
// often it is the same as last time.
type index struct {
	count                                       int
	records, places, names, tails, datas, texts []byte
	sum                                         uint32 // names the file

	next   int
	byName map[string]int // made when the order turns out to be another
}

// find returns the number of a file's entry.
func (x *index) find(name string) (int, bool) {
	if x.next < x.count && x.name(x.next) == name {
		x.next++
		return x.next - 1, true
	}
	if x.byName == nil {
		x.byName = make(map[string]int, x.count)
		for i := range x.count {
			x.byName[x.name(i)] = i
		}
	}
	i, ok := x.byName[name]
	if ok {
		x.next = i + 1
	}
	return i, ok
}

// form is how the contents of a kind's entries are written.
type form struct {
	kind    string
	version uint64
	head    *codec // resources.Header
	body    *codec // the spec; for checkpoint logs resources.Sightings
	problem *codec
	room    []resources.Object // empty ones for decodeObject
	many    int                // how many of them were made at once last
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

// empty returns an object to decode into. They are made many at a time, the more the more
// are asked for: each by itself takes as long as decoding it.
func (f *form) empty() resources.Object {
	const most = 256
	if len(f.room) == 0 {
		f.many = min(max(2*f.many, 4), most)
		kind, _ := resources.KindOf(f.kind)
		f.room = kind.NewMany(f.many)
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
	x, err := f.parse(data)
	if err != nil {
		return &index{}
	}
	return x
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

// parse checks an index, and says where its parts are. data must not change any more.
func (f *form) parse(data []byte) (*index, error) {
	if len(data) < indexHead+4 || string(data[:len(indexMagic)]) != indexMagic {
		return nil, errDamaged
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) != sum {
		return nil, errDamaged
	}
	return f.parts(body, sum)
}

// parts is parse of an index whose sum is right.
func (f *form) parts(body []byte, sum uint32) (*index, error) {
	if len(body) < indexHead || binary.LittleEndian.Uint64(body[8:]) != f.version {
		return nil, errDamaged
	}
	var lengths [5]int
	for i := range lengths {
		lengths[i] = int(binary.LittleEndian.Uint32(body[16+4*i:]))
	}
	x, rest := &index{count: lengths[0], sum: sum}, body[indexHead:]
	if x.count > len(rest)/(recordSize+4) {
		return nil, errDamaged
	}
	for _, part := range []struct {
		bytes *[]byte
		size  int
	}{{&x.records, x.count * recordSize}, {&x.places, x.count * 4}, {&x.names, lengths[1]}, {&x.tails, lengths[2]}, {&x.datas, lengths[3]}, {&x.texts, lengths[4]}} {
		if part.size > len(rest) {
			return nil, errDamaged
		}
		*part.bytes, rest = rest[:part.size:part.size], rest[part.size:]
	}
	if len(rest) > 0 {
		return nil, errDamaged
	}
	return x, nil
}

// format writes an index.
func (f *form) format(entries []entry) []byte {
	var size, names, tails, datas, texts int
	for i := range entries {
		e := &entries[i]
		names, tails = names+len(e.name)+len(e.rev), tails+len(e.sketch.tail)
		datas, texts = datas+len(e.content.data), texts+len(e.content.texts)
	}
	size = indexHead + len(entries)*(recordSize+4) + names + tails + datas + texts + 4
	data := append(make([]byte, 0, size), indexMagic...)
	data = binary.LittleEndian.AppendUint64(data, f.version)
	for _, n := range []int{len(entries), names, tails, datas, texts} {
		data = binary.LittleEndian.AppendUint32(data, uint32(n))
	}
	places := f.places(entries)
	data = appendRecords(data, entries, places)
	for _, i := range places {
		data = binary.LittleEndian.AppendUint32(data, uint32(i))
	}
	for i := range entries {
		data = append(append(data, entries[i].name...), entries[i].rev...)
	}
	for i := range entries {
		data = append(data, entries[i].sketch.tail...)
	}
	for i := range entries {
		data = append(data, entries[i].content.data...)
	}
	for i := range entries {
		data = append(data, entries[i].content.texts...)
	}
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return binary.LittleEndian.AppendUint32(data, sum)
}

// places are the entries' numbers in the order of their objects' names.
func (f *form) places(entries []entry) []int {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, _ := objectFile(f.kind, entries[a].name)
		y, _ := objectFile(f.kind, entries[b].name)
		return strings.Compare(x, y)
	})
	return order
}

// writeIndex replaces the index of a kind. That it cannot be written (a disk that
// is full or read-only) costs time, no more.
func (s *Store) writeIndex(f *form, entries []entry) {
	data := f.format(entries)
	if len(data) > maxIndex {
		return
	}
	s.keep(f.kind, data)
}

// keep replaces a file of the index.
func (s *Store) keep(name string, data []byte) {
	d, err := s.root.Make(layout.IndexDir)
	if err != nil {
		return
	}
	defer d.Close()
	temp := layout.TempName()
	if err := d.Write(temp, data, 0o600); err != nil {
		return
	}
	if err := d.Rename(temp, d, name); err != nil {
		d.Remove(temp)
	}
}
