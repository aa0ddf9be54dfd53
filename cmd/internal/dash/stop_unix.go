//go:build unix

package dash

import (
	"os"
	"os/signal"
	"syscall"
)

// stop stops the process like Ctrl-Z until it is continued.
func stop() {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGCONT)
	defer signal.Stop(gone)
	if syscall.Kill(0, syscall.SIGTSTP) == nil {
		<-gone
	}
}
