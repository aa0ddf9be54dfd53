//go:build !linux

package filestore

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// syncsAll says that syncAll is to be had.
const syncsAll = false

func syncAll(*layout.OpenDir) error { return errors.ErrUnsupported }
