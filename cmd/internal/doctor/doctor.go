// Package doctor looks for everything that is wrong with a repository's .idumb
// and says for each thing where it is, what it is, and what to do.
package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Report is what an examination found.
type Report struct {
	// Problems have to be mended, sorted by file and place.
	Problems []resources.Problem `json:"problems"`
	// Notices are worth knowing and harm nothing: no controller runs.
	Notices []string `json:"notices,omitempty"`
	// Agents are the agents' hosts that are in use here, or installed.
	Agents []Agent `json:"agents,omitempty"`
}

// examination is one run of the doctor.
type examination struct {
	root   layout.Root
	files  *filestore.Store
	snap   *resources.Snapshot
	alive  bool
	report Report
}

// Examine looks at everything. The snapshot is what the store holds.
func Examine(files *filestore.Store, snap *resources.Snapshot) Report {
	x := &examination{root: files.Root(), files: files, snap: snap, alive: files.Root().ControllerAlive()}
	x.objects()
	x.lost()
	x.folders()
	x.ignored()
	x.private()
	x.statuses()
	x.machine()
	x.standing()
	x.roles()
	x.shell()
	x.queue()
	x.exports()
	x.agents()
	x.older()
	slices.SortStableFunc(x.report.Problems, compareProblems)
	if x.report.Problems == nil {
		x.report.Problems = []resources.Problem{}
	}
	return x.report
}

func compareProblems(a, b resources.Problem) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return strings.Compare(a.Field+a.Reason, b.Field+b.Reason)
}

func (x *examination) problem(p resources.Problem) { x.report.Problems = append(x.report.Problems, p) }

func (x *examination) file(file, reason, remedy string) {
	x.problem(resources.Problem{File: file, Reason: reason, Remedy: remedy})
}

func (x *examination) notice(format string, args ...any) {
	x.report.Notices = append(x.report.Notices, fmt.Sprintf(format, args...))
}

// machine looks at what the controller needs.
func (x *examination) machine() {
	if !x.alive {
		x.notice("no controller is running: answers are computed from the files, but nothing is archived or packed; start one with \"idumb controller start\"")
	}
	if why := watchLimits(); why != "" {
		x.file(layout.Dir, why, "raise it (sysctl fs.inotify.max_user_instances, fs.inotify.max_user_watches), or end other programs that watch files; the controller polls meanwhile")
	}
}
