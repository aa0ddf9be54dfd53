package filestore

import (
	"encoding/binary"
	"unsafe"

	"github.com/idumb-dev/idumb/resources"
)

// sketch is a resources.MemSketch as it stands in an index: numbers in the record, and what
// varies in length in the tail, which most mems have none of.
//
//	numbers: flags, 2 bytes; confirmations, 4; confidence, 8; created, since, latest, 8 each;
//	  of resources.MemSays the words and the topic, 8 each
//	tail: of what the flags tell, supersedes, days, origin, parent, source, related, evidence
//
// Name and revision are those of the record.
type sketch struct {
	numbers [recordSize - recordFlag - 2]byte
	tail    []byte
}

// sketchSays is where the numbers of resources.MemSays stand among the numbers.
const sketchSays = 38

// setSays keeps the numbers of resources.MemSays.
func (s *sketch) setSays(words, topic uint64) {
	binary.LittleEndian.PutUint64(s.numbers[sketchSays:], words)
	binary.LittleEndian.PutUint64(s.numbers[sketchSays+8:], topic)
}

// says is what setSays kept for an entry.
func (x *index) says(i int) (words, topic uint64) {
	at := recordFlag + 2 + sketchSays
	return x.long(i, at), x.long(i, at+8)
}

// Flags of a sketch.
const (
	sketchFalsePath = 1 << iota
	sketchPinned
	sketchCritical
	sketchSpecial
	sketchSupersedes
	sketchDays
	sketchOrigin
	sketchParent
	sketchSource
	sketchRelated
	sketchEvidence
)

// sketch is that of an entry.
func (x *index) sketch(i int) sketch {
	s := sketch{tail: cut(x.tails, x.word(i, recordTail), x.word(i, recordTail+4))}
	copy(s.numbers[:], x.records[i*recordSize+recordFlag+2:])
	return s
}

// sketchOf writes the sketch of a mem.
func sketchOf(m *resources.MemSketch) sketch {
	var flags uint16
	var w writer
	set := func(flag uint16, is bool) bool {
		if is {
			flags |= flag
		}
		return is
	}
	set(sketchFalsePath, m.FalsePath)
	set(sketchPinned, m.Pinned)
	set(sketchCritical, m.Critical)
	set(sketchSpecial, m.Special)
	if set(sketchSupersedes, m.Supersedes != "") {
		w.bytes([]byte(m.Supersedes))
	}
	if set(sketchDays, len(m.Days) > 0) {
		w.length(len(m.Days))
		for _, day := range m.Days {
			w.varint(int64(day))
		}
	}
	for i, text := range []string{m.Origin, m.Parent, m.Source} {
		if set(sketchOrigin<<i, text != "") {
			w.bytes([]byte(text))
		}
	}
	if set(sketchRelated, len(m.RelatedTo) > 0) {
		w.texted(m.RelatedTo)
	}
	if set(sketchEvidence, len(m.Evidence) > 0) {
		w.length(len(m.Evidence))
		for _, e := range m.Evidence {
			w.bytes([]byte(e.Path))
			w.bytes([]byte(e.Section))
			w.bytes([]byte(e.SHA256))
		}
	}
	s := sketch{tail: w.data}
	binary.LittleEndian.PutUint16(s.numbers[0:], flags)
	binary.LittleEndian.PutUint32(s.numbers[2:], uint32(m.Confirmations))
	for i, n := range []int64{int64(m.Confidence), m.Created, m.Since, m.Latest} {
		binary.LittleEndian.PutUint64(s.numbers[6+8*i:], uint64(n))
	}
	return s
}

// texted writes strings, each among the values, however long.
func (w *writer) texted(list []string) {
	w.length(len(list))
	for _, text := range list {
		w.bytes([]byte(text))
	}
}

// readSketch reads a sketch; name and revision are those of its record. false if it is
// damaged.
func (x *index) readSketch(i int, name string, m *resources.MemSketch) bool {
	at := i*recordSize + recordFlag + 2
	numbers := x.records[at : at+recordSize-recordFlag-2]
	number := func(i int) int64 { return int64(binary.LittleEndian.Uint64(numbers[6+8*i:])) }
	flags := binary.LittleEndian.Uint16(numbers)
	*m = resources.MemSketch{
		Name: name, Revision: x.rev(i),
		FalsePath: flags&sketchFalsePath != 0, Pinned: flags&sketchPinned != 0, Critical: flags&sketchCritical != 0, Special: flags&sketchSpecial != 0,
		Confirmations: int(binary.LittleEndian.Uint32(numbers[2:])), Confidence: int(number(0)), Created: number(1), Since: number(2), Latest: number(3),
	}
	if flags < sketchSupersedes {
		return true
	}
	r := reader{data: cut(x.tails, x.word(i, recordTail), x.word(i, recordTail+4))}
	return r.tail(flags, m)
}

// glance reads what every mem is asked for first.
func (x *index) glance(i int) (created int64, supersedes string, days []int, ok bool) {
	numbers := x.records[i*recordSize+recordFlag+2:]
	created = int64(binary.LittleEndian.Uint64(numbers[6+8:]))
	flags := binary.LittleEndian.Uint16(numbers)
	if flags&(sketchSupersedes|sketchDays) == 0 {
		return created, "", nil, true
	}
	r := reader{data: cut(x.tails, x.word(i, recordTail), x.word(i, recordTail+4))}
	supersedes, days = r.head(flags)
	return created, supersedes, days, r.err == nil
}

// head reads the first of what varies in length.
func (r *reader) head(flags uint16) (supersedes string, days []int) {
	if flags&sketchSupersedes != 0 {
		supersedes = r.short()
	}
	if flags&sketchDays != 0 {
		days = make([]int, r.length())
		for i := range days {
			days[i] = int(r.varint())
		}
	}
	return supersedes, days
}

// tail reads what varies in length.
func (r *reader) tail(flags uint16, m *resources.MemSketch) bool {
	m.Supersedes, m.Days = r.head(flags)
	for i, to := range [...]*string{&m.Origin, &m.Parent, &m.Source} {
		if flags&(sketchOrigin<<i) != 0 {
			*to = r.short()
		}
	}
	if flags&sketchRelated != 0 {
		m.RelatedTo = make([]string, r.length())
		for i := range m.RelatedTo {
			m.RelatedTo[i] = r.short()
		}
	}
	if flags&sketchEvidence != 0 {
		m.Evidence = make([]resources.MemEvidence, r.length())
		for i := range m.Evidence {
			m.Evidence[i] = resources.MemEvidence{Path: r.short(), Section: r.short(), SHA256: r.short()}
		}
	}
	return r.err == nil
}

// short is a string that stands among the values, however long it is.
func (r *reader) short() string {
	b := r.bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}
