//go:build amd64 || arm64

package layout

import (
	"syscall"
	"unsafe"
)

// atSymlinkNofollow is AT_SYMLINK_NOFOLLOW of linux/fcntl.h.
const atSymlinkNofollow = 0x100

// Info says what a file of the folder is now, without opening it; of a link what the link
// is.
func (d *OpenDir) Info(name string) (Info, error) {
	text, err := syscall.BytePtrFromString(name)
	if err != nil {
		return Info{}, err
	}
	var st syscall.Stat_t
	_, _, errno := syscall.Syscall6(fstatat, uintptr(d.fd), uintptr(unsafe.Pointer(text)), uintptr(unsafe.Pointer(&st)), atSymlinkNofollow, 0, 0)
	if errno != 0 {
		return Info{}, openError(d.path+"/"+name, errno)
	}
	return infoOf(&st), nil
}
