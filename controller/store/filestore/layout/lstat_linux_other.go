//go:build linux && !amd64 && !arm64

package layout

import "syscall"

// Info says that it cannot say: the call has another number on each architecture.
func (d *OpenDir) Info(string) (Info, error) { return Info{}, syscall.ENOSYS }
