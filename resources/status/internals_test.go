package status

// What tests of this package look at, besides what everybody may.
const (
	MaxLogProblems = maxLogProblems
	MaxUnblocks    = maxUnblocks
)
