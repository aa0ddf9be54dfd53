package replace

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// exchange swaps two files of a folder in one step; errors.ErrUnsupported where
// the file system cannot (APFS and HFS+ can).
func exchange(d *layout.OpenDir, a, b string) error {
	err := unix.RenamexNp(filepath.Join(d.Dir(), a), filepath.Join(d.Dir(), b), unix.RENAME_SWAP)
	if err == unix.ENOTSUP || err == unix.EINVAL {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
