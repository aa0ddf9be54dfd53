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

// maxIndex is how large an index of git's is read, in bytes: some 600,000 files.
const maxIndex = 64 << 20

// maxName is the longest name of a file, in bytes, that an index is believed; version 4 says names
// by what they share with the one before, so that a small index could name gigabytes.
const maxName = 1 << 12

// Indexed is what git's index says of a file: its name, from the root, and the length and time of
// what stood there when git last saw it equal to what is staged.
type Indexed struct {
	File    string
	Skipped bool   // a sparse checkout leaves it out of the working tree
	stamp   []byte // an entry's first forty bytes
	id      []byte // of the object that is staged
}

// Blob is the id of what is staged, in hex: that of the file's content, while it is as git saw it.
func (e Indexed) Blob() string { return hex.EncodeToString(e.id) }

// ModTime is when the file last changed that git saw equal to what is staged.
func (e Indexed) ModTime() time.Time {
	return time.Unix(int64(binary.BigEndian.Uint32(e.stamp[8:])), int64(binary.BigEndian.Uint32(e.stamp[12:])))
}

// Changed reports whether a file of that length and time is another one than git saw, as git itself
// tells that first.
func (e Indexed) Changed(size int64, at time.Time) bool {
	nanoseconds := binary.BigEndian.Uint32(e.stamp[12:])
	return binary.BigEndian.Uint32(e.stamp[36:]) != uint32(size) ||
		binary.BigEndian.Uint32(e.stamp[8:]) != uint32(at.Unix()) ||
		nanoseconds != 0 && nanoseconds != uint32(at.Nanosecond())
}

// Index lists what git tracks below the root, in git's order. It reads gitformat-index(5) as it
// stands and runs nothing; nil where there is none that it can read.
func (r Root) Index() []Indexed { return r.IndexIn("") }

// IndexIn is Index for the files in a folder, which is "" or ends in a slash. Of a large index it
// reads no further than they reach.
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

// Tracked lists the names of what is in Index.
func (r Root) Tracked() (files []string) {
	for _, e := range r.Index() {
		files = append(files, e.File)
	}
	return files
}

// indexed lists the entries of an index below a folder, from there, each once, that begin with a prefix; nil for an index that
// is torn, is of a version that is not known, or keeps its entries in another file.
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
		head := 40 + hash + 2 // what lstat said, the object's id, flags
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
			if name > below+prefix { // git sorts them
				return files
			}
			rest = rest[size:]
			continue
		}
		stamp, id := rest[:40], rest[40:40+hash]
		rest = rest[size:]
		if file, inside := strings.CutPrefix(name, below); inside && file != last { // one in conflict stands there three times
			files, last = append(files, Indexed{file, skipped, stamp, id}), file
		}
	}
	return files
}

// plainName is the name of an entry of the versions 2 and 3, and how long the entry is: filled
// with zeros to a multiple of eight. 0 if it is torn.
func plainName(entry []byte, head int) (string, int) {
	end := bytes.IndexByte(entry[min(head, len(entry)):], 0)
	if end < 0 {
		return "", 0
	}
	return string(entry[head : head+end]), (head + end + 8) &^ 7
}

// packedName is the name of an entry of version 4, which says how much of the one before is cut off
// and what follows instead, and how long the entry is; 0 if it is torn.
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
