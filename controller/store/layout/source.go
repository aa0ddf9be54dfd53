package layout

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// MaxSource is the maximum size of a source file that is hashed. Larger files
// are compared by modification time only.
const MaxSource = 16 << 20

// SourceFile returns the modification time of a repository file, its
// hexadecimal SHA-256 ("" if it is too large or unreadable) and whether it is a
// regular file. See status.WideView.
func (r Root) SourceFile(name string) (modTime time.Time, hash string, exists bool) {
	file := r.ReadSource(name, store.SourceFile{})
	return file.ModTime, file.SHA256, file.Exists
}

// ReadSource returns the state of a repository file. See store.Sources.
func (r Root) ReadSource(name string, before store.SourceFile) (file store.SourceFile) {
	r.source(name, func(info fs.FileInfo, content func() ([]byte, error)) {
		if last, ok := before.Stamp.(fs.FileInfo); ok && untouched(last, info) {
			file = before
			return
		}
		file = store.SourceFile{ModTime: info.ModTime(), Exists: true, Stamp: info}
		if data, err := content(); err == nil {
			file.SHA256 = hexSum(data)
		}
	})
	return file
}

// racyWindow is the age below which a file's identity proves nothing, because
// it may have changed again within one clock tick (git's "racily clean").
const racyWindow = 2 * time.Second

// untouched reports whether a file is unchanged, by the same test as git.
func untouched(before, now fs.FileInfo) bool {
	return before.Size() == now.Size() && before.ModTime().Equal(now.ModTime()) && os.SameFile(before, now) &&
		time.Since(now.ModTime()) > racyWindow
}

// SourceText returns the content of a repository file and whether it exists.
// The content is nil if the file is too large or unreadable.
func (r Root) SourceText(name string) (text []byte, exists bool) {
	r.source(name, func(_ fs.FileInfo, content func() ([]byte, error)) {
		exists = true
		text, _ = content()
	})
	return text, exists
}

// hexSum returns the SHA-256 of data in hexadecimal.
func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// source calls look with the info of a regular repository file and a function
// that reads it. It does not call look if there is no such file.
func (r Root) source(name string, look func(info fs.FileInfo, content func() ([]byte, error))) {
	root, err := os.OpenRoot(string(r))
	if err != nil {
		return
	}
	defer root.Close()
	name = filepath.FromSlash(path.Clean(name))
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		look(info, func() ([]byte, error) { return readSource(root, name) })
	}
}

// IsBlob reports whether a repository file has the content with that git object
// ID.
func (r Root) IsBlob(name, id string) (is bool) {
	r.source(name, func(_ fs.FileInfo, content func() ([]byte, error)) {
		data, err := content()
		sum := hash.Hash(sha1.New())
		if len(id) == hex.EncodedLen(sha256.Size) {
			sum = sha256.New()
		}
		fmt.Fprintf(sum, "blob %d\x00", len(data))
		sum.Write(data)
		is = err == nil && hex.EncodeToString(sum.Sum(nil)) == id
	})
	return is
}

// readSource reads a regular file of at most MaxSource bytes. It checks the
// type again after opening.
func readSource(root *os.Root, name string) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > MaxSource {
		return nil, fmt.Errorf("%s: %w", name, os.ErrInvalid)
	}
	return io.ReadAll(io.LimitReader(f, MaxSource))
}
