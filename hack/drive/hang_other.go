//go:build !unix

package drive

import (
	"errors"
	"os"
)

func hang(*os.Process) error { return errors.ErrUnsupported }
func goOn(*os.Process) error { return errors.ErrUnsupported }
