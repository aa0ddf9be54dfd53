package watch

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"
)

// A cookie is a file that the watcher changes, so that the system reports it in order with all
// other changes. It is a memfd: it has no name in any folder, causes no disk write, is removed by
// the kernel, and no other process changes it.
type cookie struct {
	fd     int
	path   string // as reported by the system
	system *fsnotify.Watcher
}

// newCookie creates and watches a cookie. It returns nil if the system refuses.
func newCookie(system *fsnotify.Watcher) *cookie {
	fd, err := unix.MemfdCreate("idumb-cookie", unix.MFD_CLOEXEC)
	if err != nil {
		return nil
	}
	c := &cookie{fd, fmt.Sprintf("/proc/self/fd/%d", fd), system}
	if system.Add(c.path) != nil {
		unix.Close(fd)
		return nil
	}
	return c
}

// send changes the cookie by a chmod to the mode that it has.
func (c *cookie) send() error { return unix.Fchmod(c.fd, 0o600) }

// close removes the watch of the cookie and the cookie itself.
func (c *cookie) close() {
	c.system.Remove(c.path)
	unix.Close(c.fd)
}

// An identity distinguishes versions of a file. The change time of the inode cannot be set back by
// any tool.
type identity struct {
	size, modified, changed int64
	inode                   uint64
	mode                    uint32
}

// identify returns the identity of the current version of a file, which differs
// after a change, and the time of its last modification. It does not follow
// links.
func identify(path string) (id identity, modified time.Time, err error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return identity{}, time.Time{}, err
	}
	return identity{st.Size, st.Mtim.Nano(), st.Ctim.Nano(), st.Ino, st.Mode}, time.Unix(st.Mtim.Unix()), nil
}

// foreignFileSystems maps the magic number of statfs(2) to the name of a file system whose files can be
// changed without events on this system.
var foreignFileSystems = map[uint32]string{
	0x6969:     "NFS",
	0x517b:     "SMB",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB",
	0x01021997: "9p",
	0x65735546: "FUSE",
	0x786f4256: "a shared folder of VirtualBox",
	0x00c36400: "Ceph",
	0x0bd00bd0: "Lustre",
	0x6b414653: "AFS",
	0x5346414f: "AFS",
	0x73757245: "Coda",
	0x01161970: "GFS2",
	0x7461636f: "OCFS2",
}

// foreignMount returns the name of the file system of a folder, or of its nearest existing parent,
// if files there can be changed without events; "" otherwise.
func foreignMount(folder string) string {
	var st unix.Statfs_t
	for at := folder; ; at = filepath.Dir(at) {
		if err := unix.Statfs(at, &st); err == nil || at == filepath.Dir(at) {
			return foreignFileSystems[uint32(st.Type)]
		}
	}
}
