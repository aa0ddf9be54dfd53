package inventory

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/project"
)

// maxRead is the maximum size of a file that is read, in bytes. Larger files
// are usually generated.
const maxRead = project.MaxRead

// errNotRead means that a file is too large or not a regular file.
var errNotRead = errors.New("larger than 1 MiB, or no regular file")

// tree reads files of a working tree. The caller must close it.
type tree struct{ root *os.Root }

// openTree opens a working tree for reading.
func openTree(root layout.Root) (*tree, error) {
	r, err := os.OpenRoot(string(root))
	if err != nil {
		return nil, err
	}
	return &tree{r}, nil
}

// close closes the working tree.
func (t *tree) close() { _ = t.root.Close() }

// open opens a regular file. It checks the type again, because the file may
// have been replaced by a link or a FIFO.
func (t *tree) open(path string) (*os.File, error) {
	f, err := t.root.OpenFile(filepath.FromSlash(path), os.O_RDONLY|layout.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(errNotRead, err, f.Close()))
	}
	return f, nil
}

// read returns the content of a file of at most maxRead bytes.
func (t *tree) read(path string) ([]byte, error) {
	f, err := t.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), maxRead)) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, maxRead+1))
	if err == nil && b.Len() > maxRead {
		err = fmt.Errorf("%s: %w", path, errNotRead)
	}
	return b.Bytes(), err
}

// blobOf returns git's ID of a content.
func blobOf(data []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}
