package trust

import "syscall"

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
