package layout

import "encoding/json"

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
