package trust

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Owned never objects on this system: access lists, and not an owner, say who may write.
func Owned(layout.Root) error { return nil }

// ours: as Owned.
func ours(fs.FileInfo) bool { return true }

func openPlain(file string) (*os.File, error) { return os.Open(file) }

// AccountHome is the folder of the user's profile that the system has on file, whatever
// the environment says; "" if it has none.
func AccountHome() string {
	token, err := syscall.OpenCurrentProcessToken()
	if err != nil {
		return ""
	}
	defer token.Close()
	home, err := token.GetUserProfileDirectory()
	if err != nil {
		return ""
	}
	return home
}
