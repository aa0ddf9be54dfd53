//go:build !linux

package filestore

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// syncsAll reports whether syncAll is supported.
const syncsAll = false

func syncAll(*layout.OpenDir) error { return errors.ErrUnsupported }
