//go:build !linux && !darwin

package replace

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// exchange is not supported here. The file is compared right before it is
// replaced.
func exchange(*layout.OpenDir, string, string) error { return errors.ErrUnsupported }
