package layout

import (
	"os"
	"path"
)

// ControllerLog is the log of a controller that runs in the background.
const ControllerLog = RunDir + "/controller.log"

// MaxControllerLog is the size in bytes at which the log is rotated to
// controller.log.1, and the previous one to controller.log.2.
const MaxControllerLog = 5 << 20

// OpenControllerLog opens the log for appending and creates it if necessary,
// readable only by its owner. It rotates a long log and follows no links.
func (r Root) OpenControllerLog() (*os.File, error) {
	run, err := r.Make(RunDir)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	name := path.Base(ControllerLog)
	if info, err := os.Lstat(r.Abs(ControllerLog)); err == nil && info.Size() > MaxControllerLog {
		_ = run.Rename(name+".1", run, name+".2") // it may not exist
		if err := run.Rename(name, run, name+".1"); err != nil {
			return nil, err
		}
	}
	return run.append(name)
}
