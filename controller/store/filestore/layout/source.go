package layout

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// MaxSource is how much of a source file is hashed: a larger one counts by its
// time of last change alone.
const MaxSource = 16 << 20

// SourceFile reports on a file of the repository, wherever in it: its time of last
// change, its sha256 in hex ("" if it is too large or cannot be read), and whether
// it exists as a regular file. A name that leads out of the repository, by ".." or
// by a symlink, is no file. See resources.WideView.
func (r Root) SourceFile(name string) (modTime time.Time, hash string, exists bool) {
	name = filepath.FromSlash(path.Clean(name))
	if !filepath.IsLocal(name) {
		return time.Time{}, "", false
	}
	root, err := os.OpenRoot(string(r))
	if err != nil {
		return time.Time{}, "", false
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, "", false
	}
	return info.ModTime(), hashFile(root, name), true
}

// SourceSection reports on a part of a file of the repository (see resources.Section): its
// sha256 in hex, "" if the file is too large, and whether there is such a part.
func (r Root) SourceSection(name, section string) (hash string, exists bool) {
	name = filepath.FromSlash(path.Clean(name))
	if !filepath.IsLocal(name) {
		return "", false
	}
	root, err := os.OpenRoot(string(r))
	if err != nil {
		return "", false
	}
	defer root.Close()
	info, err := root.Lstat(name)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", false
	case info.Size() > MaxSource:
		return "", true
	}
	data, err := readFile(root, name)
	if err != nil {
		return "", true // it is there, and nobody may look
	}
	part, found := resources.Section(name, section, data)
	if !found {
		return "", false
	}
	sum := sha256.Sum256(part)
	return hex.EncodeToString(sum[:]), true
}

func readFile(root *os.Root, name string) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, os.ErrInvalid
	}
	return io.ReadAll(io.LimitReader(f, MaxSource))
}

func hashFile(root *os.Root, name string) string {
	f, err := root.OpenFile(name, os.O_RDONLY|openNonblock, 0) // it may have become a FIFO
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > MaxSource {
		return ""
	}
	h := sha256.New()
	if n, err := io.Copy(h, io.LimitReader(f, MaxSource+1)); err != nil || n > MaxSource {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
