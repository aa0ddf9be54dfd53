//go:build linux && !amd64 && !arm64

package layout

import (
	"os"
	"strconv"
	"syscall"
)

// Info says what a file of the folder is now, without opening it; of a link what the link
// is. The call that takes a folder has another number and form on each architecture, so the
// folder is named by its descriptor.
func (d *OpenDir) Info(name string) (Info, error) {
	info, err := os.Lstat("/proc/self/fd/" + strconv.Itoa(d.fd) + "/" + name)
	if err != nil {
		return Info{}, Explain(d.path+"/"+name, err)
	}
	return infoOf(info.Sys().(*syscall.Stat_t)), nil
}
