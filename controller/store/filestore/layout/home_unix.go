//go:build unix

package layout

import "syscall"

// sameHome reports whether two folders are of one owner, on one device. A folder that is
// not there, or cannot be asked about, has both of any other.
func sameHome(a, b string) bool {
	var first, second syscall.Stat_t
	if syscall.Stat(a, &first) != nil || syscall.Stat(b, &second) != nil {
		return true
	}
	return first.Uid == second.Uid && first.Dev == second.Dev
}
