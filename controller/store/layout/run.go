package layout

import (
	"os"
	"path"
)

// ControllerLog is what a controller in the background writes about what it does.
const ControllerLog = RunDir + "/controller.log"

// MaxControllerLog is the size, in bytes, from which the log is set aside as controller.log.1,
// and what was set aside so before as controller.log.2.
const MaxControllerLog = 5 << 20

// OpenControllerLog opens the log for appending, for its owner alone, and makes it if
// there is none. One that has become long is set aside. It follows no links.
func (r Root) OpenControllerLog() (*os.File, error) {
	run, err := r.Make(RunDir)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	name := path.Base(ControllerLog)
	if info, err := os.Lstat(r.Abs(ControllerLog)); err == nil && info.Size() > MaxControllerLog {
		_ = run.Rename(name+".1", run, name+".2") // there may be none
		if err := run.Rename(name, run, name+".1"); err != nil {
			return nil, err
		}
	}
	return run.append(name)
}
