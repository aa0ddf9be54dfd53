package filestore

import (
	"encoding/binary"
	"unsafe"
)

// A record of an index, in little endian:
//
//	 0  the file's size, its time of last change, when that was done, its inode, 8 bytes each
//	32  where its name and revision begin, and how long both are, 4 bytes each
//	44  its place by the object's name
//	48  where its contents begin, how many they are, where its texts begin, how many
//	64  where its tail begins, and how long that is
//	72  flags, 2 bytes; what a sketch says in numbers (see sketch.go)
const (
	recordSize = 128
	recordName = 32
	recordRank = 44
	recordData = 48
	recordTail = 64
	recordFlag = 72
)

func (x *index) word(i, at int) int {
	return int(binary.LittleEndian.Uint32(x.records[i*recordSize+at:]))
}

func (x *index) long(i, at int) uint64 {
	return binary.LittleEndian.Uint64(x.records[i*recordSize+at:])
}

// cut is part[from : from+length]; nothing where that is no part of it.
func cut(part []byte, from, length int) []byte {
	if from > len(part) || length > len(part)-from {
		return nil
	}
	return part[from : from+length : from+length]
}

// text is cut as a string that shares the bytes.
func text(part []byte, from, length int) string {
	b := cut(part, from, length)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// name is the name of an entry's file.
func (x *index) name(i int) string {
	return text(x.names, x.word(i, recordName), x.word(i, recordName+4))
}

func (x *index) rev(i int) string {
	return text(x.names, x.word(i, recordName)+x.word(i, recordName+4), x.word(i, recordName+8))
}

func (x *index) flags(i int) byte { return x.records[i*recordSize+recordFlag] }

func (x *index) sig(i int) signature {
	return signature{size: int64(x.long(i, 0)), mtime: int64(x.long(i, 8)), changed: int64(x.long(i, 16)), inode: x.long(i, 24)}
}

func (x *index) content(i int) packed {
	return packed{
		data:  cut(x.datas, x.word(i, recordData), x.word(i, recordData+4)),
		texts: cut(x.texts, x.word(i, recordData+8), x.word(i, recordData+12)),
	}
}

// entry is all that is known of a file.
func (x *index) entry(i int) entry {
	return entry{name: x.name(i), rank: x.word(i, recordRank), sig: x.sig(i), flags: x.flags(i), rev: x.rev(i), content: x.content(i), sketch: x.sketch(i)}
}

// place is the number of the record that is the n-th by its object's name; -1 if there is none.
func (x *index) place(n int) int {
	if i := int(binary.LittleEndian.Uint32(x.places[4*n:])); i < x.count {
		return i
	}
	return -1
}

// appendRecords writes the records of entries that stand in those places by name.
func appendRecords(data []byte, entries []entry, places []int) []byte {
	ranks := make([]int, len(entries))
	for rank, i := range places {
		ranks[i] = rank
	}
	var names, datas, texts, tails int
	for i := range entries {
		e := &entries[i]
		data = appendLongs(data, uint64(e.sig.size), uint64(e.sig.mtime), uint64(e.sig.changed), e.sig.inode)
		data = appendWords(data, names, len(e.name), len(e.rev), ranks[i], datas, len(e.content.data), texts, len(e.content.texts), tails, len(e.sketch.tail))
		data = append(data, e.flags, 0)
		data = append(data, e.sketch.numbers[:]...)
		names, tails = names+len(e.name)+len(e.rev), tails+len(e.sketch.tail)
		datas, texts = datas+len(e.content.data), texts+len(e.content.texts)
	}
	return data
}

func appendLongs(data []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	return data
}

func appendWords(data []byte, numbers ...int) []byte {
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint32(data, uint32(n))
	}
	return data
}
