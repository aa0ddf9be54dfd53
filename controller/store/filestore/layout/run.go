package layout

import (
	"encoding/json"
	"os"
	"path"
)

// CommitDaysFile holds the days on which the commits were made that HEAD leads to, as
// package githistory found them last.
const CommitDaysFile = RunDir + "/commitdays.json"

// CommitDays are those days, numbered as status.DayOf does, and the commit that HEAD
// stood at.
type CommitDays struct {
	Head string `json:"head"`
	Days []int  `json:"days"`
}

// maxCommitDays is how many bytes of the file are read: some 100,000 days.
const maxCommitDays = 1 << 20

// CommitDays reads what was found last; the zero CommitDays if nothing was. It asks no
// git, so it may lag behind by what was committed since: the hook lives with that.
func (r Root) CommitDays() CommitDays {
	var c CommitDays
	data, _, err := r.Read(CommitDaysFile, maxCommitDays)
	if err != nil || json.Unmarshal(data, &c) != nil {
		return CommitDays{}
	}
	return c
}

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
