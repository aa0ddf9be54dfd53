package search

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A segment is analysed documents as they are kept in a file, and read in place:
//
//	magic, 8 bytes: the version of this form and of the analysis
//	number of documents, number of terms, and where five parts begin, 4 bytes each
//	documents, sorted by ID: where its texts, its vector begin, the lengths of its ID and
//	    of its revision, its own length in weighted words, 4 bytes each; one more at the end
//	terms, sorted: where its text and its list begin, 4 bytes each; one more at the end
//	texts: IDs with revisions, terms
//	lists: of each term the documents, as differences, and the weighted count in each
//	vectors: of each document the terms, as differences, and the weighted count of each
//	CRC-32C of all that, 4 bytes
//
// Numbers of lists and vectors are uvarints. A segment that is damaged, of another
// version or missing is as good as none: it costs time, no more. One that was forged can
// rank badly; it cannot make the reader go beyond its bytes, and holds no text that is shown.
const (
	segmentMagic = "idumbsx5"
	headSize     = 8 + 7*4
	docSize      = 5 * 4
	termSize     = 2 * 4
)

var errDamaged = errors.New("the search index is damaged or of another version; it is made anew by itself")

// segment gives access to the bytes of one. Its zero value holds nothing.
type segment struct {
	data           []byte
	docs, terms    int
	docAt, termAt  int // tables
	texts          []byte
	lists, vectors []byte
}

// openSegment checks the frame of a segment. data must not change afterwards.
func openSegment(data []byte) (segment, error) {
	if len(data) < headSize+4 || string(data[:8]) != segmentMagic {
		return segment{}, errDamaged
	}
	body := data[:len(data)-4]
	if crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(data[len(body):]) {
		return segment{}, errDamaged
	}
	var head [7]int
	for i := range head {
		head[i] = int(binary.LittleEndian.Uint32(body[8+4*i:]))
	}
	s := segment{data: body, docs: head[0], terms: head[1], docAt: head[2], termAt: head[3]}
	texts, lists, vectors := head[4], head[5], head[6]
	fits := s.docs <= len(body)/docSize && s.terms <= len(body)/termSize && s.docAt == headSize && s.termAt == s.docAt+(s.docs+1)*docSize && texts == s.termAt+(s.terms+1)*termSize &&
		texts <= lists && lists <= vectors && vectors <= len(body)
	if !fits {
		return segment{}, errDamaged
	}
	s.texts, s.lists, s.vectors = body[texts:lists], body[lists:vectors], body[vectors:]
	return s, nil
}

// word reads a number of a table.
func (s *segment) word(at int) int { return int(binary.LittleEndian.Uint32(s.data[at:])) }

// between returns part[from:to], nothing where that is no part of it.
func between(part []byte, from, to int) []byte {
	if from < 0 || from > to || to > len(part) {
		return nil
	}
	return part[from:to]
}

// id and revision of a document.
func (s *segment) id(doc int) []byte {
	at := s.docAt + doc*docSize
	start := s.word(at)
	return between(s.texts, start, start+s.word(at+8))
}

func (s *segment) revision(doc int) []byte {
	at := s.docAt + doc*docSize
	start := s.word(at) + s.word(at+8)
	return between(s.texts, start, start+s.word(at+12))
}

func (s *segment) length(doc int) int64 { return int64(s.word(s.docAt + doc*docSize + 16)) }

func (s *segment) term(t int) []byte {
	at := s.termAt + t*termSize
	return between(s.texts, s.word(at), s.word(at+termSize))
}

// find returns the number of the first term that is not less than the given one, and
// whether it is that one.
func (s *segment) find(term string) (int, bool) {
	low, high := 0, s.terms
	for low < high {
		middle := int(uint(low+high) >> 1)
		if string(s.term(middle)) < term {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < s.terms && string(s.term(low)) == term
}

// list calls visit for each document that a term stands in, in their order.
func (s *segment) list(t int, visit func(doc int, count int64)) {
	at := s.termAt + t*termSize
	pairs(between(s.lists, s.word(at+4), s.word(at+termSize+4)), s.docs, visit)
}

// listed is at most how many documents list visits.
func (s *segment) listed(t int) int {
	at := s.termAt + t*termSize
	return min(s.docs, len(between(s.lists, s.word(at+4), s.word(at+termSize+4)))/2)
}

// vector calls visit for each term of a document, in their order.
func (s *segment) vector(doc int, visit func(term int, count int64)) {
	at := s.docAt + doc*docSize
	pairs(between(s.vectors, s.word(at+4), s.word(at+docSize+4)), s.terms, visit)
}

// pairs reads differences and counts; it ends where they lead out of what there is.
func pairs(data []byte, limit int, visit func(int, int64)) {
	n := -1
	for len(data) > 0 {
		step, width := binary.Uvarint(data)
		if width <= 0 || step == 0 || step > uint64(limit) {
			return
		}
		count, more := binary.Uvarint(data[width:])
		if n += int(step); more <= 0 || n >= limit || count > maxCount {
			return
		}
		data = data[width+more:]
		visit(n, int64(count))
	}
}

// maxCount is the greatest weighted count of a term in a document that is kept, and
// maxLength the greatest length: more would overflow nothing yet, and means nothing.
const (
	maxCount  = 1 << 20
	maxLength = 1 << 30
)
