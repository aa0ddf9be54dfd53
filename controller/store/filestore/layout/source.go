package layout

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// MaxSource is how much of a source file is hashed: a larger one counts by its
// time of last change alone.
const MaxSource = 16 << 20

// SourceFile reports on a file of the repository, wherever in it: its time of last
// change, its sha256 in hex ("" if it is too large or cannot be read), and whether
// it exists as a regular file. See status.WideView.
func (r Root) SourceFile(name string) (modTime time.Time, hash string, exists bool) {
	file := r.ReadSource(name, store.SourceFile{})
	return file.ModTime, file.SHA256, file.Exists
}

// ReadSource looks at a file of the repository. See store.SourceReader.
func (r Root) ReadSource(name string, before store.SourceFile) store.SourceFile {
	name = filepath.FromSlash(path.Clean(name))
	if !filepath.IsLocal(name) {
		return store.SourceFile{}
	}
	root, err := os.OpenRoot(string(r))
	if err != nil {
		return store.SourceFile{}
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return store.SourceFile{}
	}
	if last, ok := before.Stamp.(fs.FileInfo); ok && untouched(last, info) {
		return before
	}
	return store.SourceFile{ModTime: info.ModTime(), SHA256: hashFile(root, name), Exists: true, Stamp: info}
}

// racyWindow: a file changed so recently may have changed again within one tick of
// its clock, so its identity proves nothing yet (git's "racily clean").
const racyWindow = 2 * time.Second

// untouched reports what git, too, takes for proof that a file was not touched.
func untouched(before, now fs.FileInfo) bool {
	return before.Size() == now.Size() && before.ModTime().Equal(now.ModTime()) && os.SameFile(before, now) &&
		time.Since(now.ModTime()) > racyWindow
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
	f, err := root.OpenFile(name, os.O_RDONLY|NoFollow, 0)
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
	f, err := root.OpenFile(name, os.O_RDONLY|NoFollow, 0) // it may have become a FIFO
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
