package status

// MaxLogProblems is maxLogProblems, for tests of this package.
const MaxLogProblems = maxLogProblems
