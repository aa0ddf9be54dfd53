package filestore

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"unsafe"
)

// errDamaged: the bytes are not what a writer wrote.
var errDamaged = errors.New("damaged")

func trailingZeros(set uint64) int { return bits.TrailingZeros64(set) }

// writer appends values to a buffer.
type writer struct{ data []byte }

func (w *writer) byte(b byte)      { w.data = append(w.data, b) }
func (w *writer) varint(v int64)   { w.data = binary.AppendVarint(w.data, v) }
func (w *writer) uvarint(v uint64) { w.data = binary.AppendUvarint(w.data, v) }
func (w *writer) length(n int)     { w.uvarint(uint64(n)) }
func (w *writer) fixed(v uint64)   { w.data = binary.LittleEndian.AppendUint64(w.data, v) }
func (w *writer) string(s string)  { w.length(len(s)); w.data = append(w.data, s...) }
func (w *writer) bytes(b []byte)   { w.length(len(b)); w.data = append(w.data, b...) }

// reader takes values from a buffer. After a value that is not there, err is set
// and everything is zero. Strings share the buffer, which must not change.
type reader struct {
	data []byte
	at   int
	err  error

	slab []string // what takeStrings takes from
}

func (r *reader) fail() {
	r.err = errDamaged
	r.at = len(r.data)
}

func (r *reader) byte() byte {
	if r.at >= len(r.data) {
		r.fail()
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *reader) uvarint() uint64 {
	if r.at < len(r.data) && r.data[r.at] < 0x80 { // most are
		r.at++
		return uint64(r.data[r.at-1])
	}
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 {
		r.fail()
		return 0
	}
	r.at += n
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.data[r.at:])
	if n <= 0 {
		r.fail()
		return 0
	}
	r.at += n
	return v
}

func (r *reader) fixed() uint64 {
	if len(r.data)-r.at < 8 {
		r.fail()
		return 0
	}
	r.at += 8
	return binary.LittleEndian.Uint64(r.data[r.at-8:])
}

// length reads a number of things that take a byte each at least, so that damage
// cannot ask for more memory than there are bytes.
func (r *reader) length() int {
	n := r.uvarint()
	if n > uint64(len(r.data)-r.at) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) bytes() []byte {
	n := r.length()
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *reader) string() string {
	b := r.bytes()
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(&b[0], len(b))
}

// takeStrings returns n strings out of a slab: most lists are short, and there are
// many of them.
func (r *reader) takeStrings(n int) []string {
	const slab = 512
	if n > slab/4 {
		return make([]string, n)
	}
	if len(r.slab) < n {
		r.slab = make([]string, slab)
	}
	list := r.slab[:n:n]
	r.slab = r.slab[n:]
	return list
}
