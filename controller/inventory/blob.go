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

// maxRead is how much of a file is read, in bytes: a larger one is generated, most often.
const maxRead = project.MaxRead

// errNotRead is what stands in place of the content of a file that is too large or no file.
var errNotRead = errors.New("larger than 1 MiB, or no regular file")

// tree reads files of a working tree. Close it.
type tree struct{ root *os.Root }

func openTree(root layout.Root) (*tree, error) {
	r, err := os.OpenRoot(string(root))
	if err != nil {
		return nil, err
	}
	return &tree{r}, nil
}

func (t *tree) close() { _ = t.root.Close() }

// open opens a regular file; it may have become a link or a FIFO since it was looked at.
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

// read returns the content of a file that is not larger than maxRead.
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

// blobOf is git's name for a content.
func blobOf(data []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}
