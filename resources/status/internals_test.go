package status

// What tests of this package look at, besides what everybody may.
const (
	MaxLogProblems = maxLogProblems
	MaxUnblocks    = maxUnblocks
)

// Unblocks counts for one task.
func Unblocks(task string, v WideView) int { return unblocker(v)(task) }
