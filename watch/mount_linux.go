package watch

import (
	"path/filepath"
	"syscall"
)

// mountsKnown: foreignMount tells.
const mountsKnown = true

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
	var st syscall.Statfs_t
	for at := folder; ; at = filepath.Dir(at) {
		if err := syscall.Statfs(at, &st); err == nil || at == filepath.Dir(at) {
			return foreign[uint32(st.Type)]
		}
	}
}
