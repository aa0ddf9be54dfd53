package hooks

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// maxIndex is the largest index of git's that is looked at; of a file in a larger one, changes
// are assumed.
const maxIndex = 64 << 20

// uncommitted answers which files of the working tree differ from git's index, as git itself
// tells it: by size and time. It starts no git, which a hook has no time for; what was staged and
// not committed does not show. Where it cannot be told, the answer is that they differ.
func (h *handler) uncommitted() func(path string) bool {
	root := string(h.repo.Root)
	return func(path string) bool {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			return false // what is not there cannot be overwritten
		}
		if info.IsDir() {
			return true
		}
		entry, known := indexEntry(root, h.repo.fromTop(path))
		if !known || len(entry) == 0 {
			return true
		}
		at := info.ModTime()
		return binary.BigEndian.Uint32(entry[36:]) != uint32(info.Size()) ||
			binary.BigEndian.Uint32(entry[8:]) != uint32(at.Unix()) ||
			binary.BigEndian.Uint32(entry[12:]) != 0 && binary.BigEndian.Uint32(entry[12:]) != uint32(at.Nanosecond())
	}
}

// fromTop is the name of a file of the repository from the top of git's working tree, which may
// stand above it.
func (r *repo) fromTop(path string) string {
	top := string(r.Root)
	for top != filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			break
		}
		top = filepath.Dir(top)
	}
	rel, err := filepath.Rel(top, r.Root.Abs(path))
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// indexEntry finds a file's entry in git's index, of versions 2 and 3; nil where it has none.
// known is false if the index cannot be read.
func indexEntry(root, path string) (entry []byte, known bool) {
	file := filepath.Join(layout.GitDir(root), "index")
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return nil, false
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) < 12 || string(data[:4]) != "DIRC" || data[7] < 2 || data[7] > 3 {
		return nil, false
	}
	rest := data[12:]
	for range binary.BigEndian.Uint32(data[8:]) {
		if len(rest) < 64 {
			return nil, false
		}
		from := 62
		if rest[60]&0x40 != 0 { // extended flags
			from = 64
		}
		length := bytes.IndexByte(rest[from:], 0)
		size := (from + length + 8) &^ 7 // padded with 1 to 8 NULs
		if length < 0 || size > len(rest) {
			return nil, false
		}
		if string(rest[from:from+length]) == path {
			return rest[:size], true
		}
		rest = rest[size:]
	}
	return nil, true
}
