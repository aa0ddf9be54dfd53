package lease

import "syscall"

// PIDNamespace names the namespace in which this process's number counts; 0 if that is not
// known. The same number in another one, as of a container, is another process.
func PIDNamespace() uint64 {
	var st syscall.Stat_t
	if syscall.Stat("/proc/self/ns/pid", &st) != nil {
		return 0
	}
	return st.Ino
}
