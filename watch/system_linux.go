package watch

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"
)

// cookie is a file that is changed so that the system reports it, in one line with
// all other changes. It has no name in any folder and is kept in memory: no disk is
// written, nothing is left behind, and nobody else changes it.
type cookie struct {
	fd     int
	path   string // in reports
	system *fsnotify.Watcher
}

// newCookie makes a cookie and watches it; nil if that cannot be done.
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

// send changes the cookie: its mode, to what it is.
func (c *cookie) send() error { return unix.Fchmod(c.fd, 0o600) }

func (c *cookie) close() {
	c.system.Remove(c.path)
	unix.Close(c.fd)
}

// identity is what tells one version of a file from the next. No tool can set back when the
// inode was changed.
type identity struct {
	size, modified, changed int64
	inode                   uint64
	mode                    uint32
}

// identify reports the identity of what stands at a path, and when it was last written.
func identify(path string) (id identity, modified time.Time, err error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return identity{}, time.Time{}, err
	}
	return identity{st.Size, st.Mtim.Nano(), st.Ctim.Nano(), st.Ino, st.Mode}, time.Unix(st.Mtim.Unix()), nil
}

// foreign are the kinds of mounts whose files others change without the system's
// knowledge, by the magic number of statfs(2).
var foreign = map[uint32]string{
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

// foreignMount says what kind of mount a folder lies on, or will when it is made, if
// others change files there without the system's knowledge; "" if not.
func foreignMount(folder string) string {
	var st unix.Statfs_t
	for at := folder; ; at = filepath.Dir(at) {
		if err := unix.Statfs(at, &st); err == nil || at == filepath.Dir(at) {
			return foreign[uint32(st.Type)]
		}
	}
}
