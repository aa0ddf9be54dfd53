package layout

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxIndex is the maximum size of git's index in bytes, which is about 600,000
// files.
const maxIndex = 64 << 20

// maxName is the maximum length of a file name in an index, in bytes. Version 4
// encodes names relative to the previous one, so a small index could encode
// gigabytes of names.
const maxName = 1 << 12

// Indexed is an entry of git's index: the file name, relative to the root, and
// the size and time of the file when it last matched the staged version.
type Indexed struct {
	File    string
	Skipped bool   // excluded from the working tree by a sparse checkout
	stamp   []byte // first forty bytes of the entry
	id      []byte // ID of the staged object
}

// Blob returns the hexadecimal ID of the staged object. It is also the ID of
// the file's content if Changed returns false.
func (e Indexed) Blob() string { return hex.EncodeToString(e.id) }

// ModTime returns the modification time of the file when it last matched the
// staged version.
func (e Indexed) ModTime() time.Time {
	return time.Unix(int64(binary.BigEndian.Uint32(e.stamp[8:])), int64(binary.BigEndian.Uint32(e.stamp[12:])))
}

// Changed reports whether a file with that size and time differs from the
// recorded version. Git applies the same test first.
func (e Indexed) Changed(size int64, at time.Time) bool {
	nanoseconds := binary.BigEndian.Uint32(e.stamp[12:])
	return binary.BigEndian.Uint32(e.stamp[36:]) != uint32(size) ||
		binary.BigEndian.Uint32(e.stamp[8:]) != uint32(at.Unix()) ||
		nanoseconds != 0 && nanoseconds != uint32(at.Nanosecond())
}

// Index returns the entries of git's index below the root, in git's order. It
// parses gitformat-index(5) and runs no program. It returns nil if there is no
// readable index.
func (r Root) Index() []Indexed { return r.IndexIn("") }

// IndexIn is Index for the files in a directory, which is "" or ends with a
// slash. It stops reading a large index after these files.
func (r Root) IndexIn(folder string) []Indexed {
	git := GitDir(string(r))
	if git == "" {
		return nil
	}
	path := filepath.Join(git, "index")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	config, _ := os.ReadFile(filepath.Join(CommonDir(git), "config"))
	hash := 20
	if bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		hash = 32
	}
	below := ""
	if rel, err := filepath.Rel(topOf(string(r)), string(r)); err == nil && rel != "." {
		below = filepath.ToSlash(rel) + "/"
	}
	return indexed(data, hash, below, folder)
}

// Tracked returns the file names in Index.
func (r Root) Tracked() (files []string) {
	for _, e := range r.Index() {
		files = append(files, e.File)
	}
	return files
}

// indexed returns the entries of an index below a directory that begin with a
// prefix, without duplicates and relative to the directory. It returns nil for
// an index that is corrupt, has an unknown version or is split.
func indexed(data []byte, hash int, below, prefix string) (files []Indexed) {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return nil
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil
	}
	rest, name, last := data[12:], "", ""
	for range count {
		head := 40 + hash + 2 // stat data, object ID, flags
		if len(rest) < head {
			return nil
		}
		skipped := false
		if version > 2 && rest[head-2]&0x40 != 0 && len(rest) > head+2 { // extended flags
			skipped = rest[head]&0x40 != 0
			head += 2
		}
		var size int
		if version == 4 {
			name, size = packedName(rest, head, name)
		} else {
			name, size = plainName(rest, head)
		}
		if size == 0 || size > len(rest) || name == "" || len(name) > maxName {
			return nil
		}
		if prefix != "" && !strings.HasPrefix(name, below+prefix) {
			if name > below+prefix { // git sorts the entries
				return files
			}
			rest = rest[size:]
			continue
		}
		stamp, id := rest[:40], rest[40:40+hash]
		rest = rest[size:]
		if file, inside := strings.CutPrefix(name, below); inside && file != last { // a file in conflict has three entries
			files, last = append(files, Indexed{file, skipped, stamp, id}), file
		}
	}
	return files
}

// plainName returns the name in an entry of version 2 or 3 and the length of
// the entry, which is padded with zeros to a multiple of eight. The length is 0
// if the entry is truncated.
func plainName(entry []byte, head int) (string, int) {
	end := bytes.IndexByte(entry[min(head, len(entry)):], 0)
	if end < 0 {
		return "", 0
	}
	return string(entry[head : head+end]), (head + end + 8) &^ 7
}

// packedName returns the name in an entry of version 4 and the length of the
// entry. The entry contains the number of bytes to cut off the previous name
// and the new end. The length is 0 if the entry is truncated.
func packedName(entry []byte, head int, before string) (string, int) {
	cut, at := 0, head
	for {
		if at >= len(entry) || cut > len(before) {
			return "", 0
		}
		b := entry[at]
		at++
		if cut = cut<<7 | int(b&0x7f); b&0x80 == 0 {
			break
		}
		cut++
	}
	end := bytes.IndexByte(entry[at:], 0)
	if end < 0 || cut > len(before) {
		return "", 0
	}
	return before[:len(before)-cut] + string(entry[at:at+end]), at + end + 1
}
