package replace

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// exchange swaps two files of a directory atomically. It returns
// errors.ErrUnsupported if the file system does not support it (APFS and HFS+
// do).
func exchange(d *layout.OpenDir, a, b string) error {
	err := unix.RenamexNp(filepath.Join(d.Dir(), a), filepath.Join(d.Dir(), b), unix.RENAME_SWAP)
	if err == unix.ENOTSUP || err == unix.EINVAL {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
