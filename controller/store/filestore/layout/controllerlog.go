package layout

import (
	"os"
	"path"
)

// ControllerLog is what a controller in the background writes about what it does.
const ControllerLog = RunDir + "/controller.log"

// maxControllerLog is the size, in bytes, from which the log is set aside as
// controller.log.old when a controller starts.
const maxControllerLog = 1 << 20

// OpenControllerLog opens the log for appending, for its owner alone, and makes it if
// there is none. One that has become long is set aside. It follows no links.
func (r Root) OpenControllerLog() (*os.File, error) {
	run, err := r.Make(RunDir)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	name := path.Base(ControllerLog)
	if info, err := os.Lstat(r.Abs(ControllerLog)); err == nil && info.Size() > maxControllerLog {
		if err := run.Rename(name, run, name+".old"); err != nil {
			return nil, err
		}
	}
	f, err := run.append(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, wrongType(ControllerLog, info.Mode())
	}
	return f, nil
}
