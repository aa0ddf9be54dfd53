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

// longText is the length from which on a string does not stand among the values
// but among the texts, so that what is looked at in every object stands close
// together. Few texts are looked at, and most of the bytes are theirs.
const longText = 48

// packed is what a writer wrote.
type packed struct{ data, texts []byte }

// writer appends values to a buffer.
type writer packed

func (w *writer) byte(b byte)      { w.data = append(w.data, b) }
func (w *writer) varint(v int64)   { w.data = binary.AppendVarint(w.data, v) }
func (w *writer) uvarint(v uint64) { w.data = binary.AppendUvarint(w.data, v) }
func (w *writer) length(n int)     { w.uvarint(uint64(n)) }
func (w *writer) bytes(b []byte)   { w.length(len(b)); w.data = append(w.data, b...) }

func (w *writer) string(s string) {
	w.length(len(s))
	if len(s) < longText {
		w.data = append(w.data, s...)
	} else {
		w.texts = append(w.texts, s...)
	}
}

// reader takes values from a buffer. After a value that is not there, err is set
// and everything is zero. Strings share the buffer, which must not change.
type reader struct {
	data  []byte
	at    int
	texts []byte // what is left of them
	err   error

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

// open starts to read what a writer wrote.
func (r *reader) open(p packed) { r.data, r.at, r.texts, r.err = p.data, 0, p.texts, nil }

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
	n := r.uvarint()
	if n >= longText {
		b := r.text(n)
		return unsafe.String(unsafe.SliceData(b), len(b))
	}
	if n == 0 || n > uint64(len(r.data)-r.at) {
		if n > 0 {
			r.fail()
		}
		return ""
	}
	r.at += int(n)
	return unsafe.String(&r.data[r.at-int(n)], int(n))
}

// text takes the next n bytes of the texts.
func (r *reader) text(n uint64) []byte {
	if n > uint64(len(r.texts)) {
		r.fail()
		return nil
	}
	b := r.texts[:n:n]
	r.texts = r.texts[n:]
	return b
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
