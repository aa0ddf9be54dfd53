package hook

// stackRoom is how much stack one answer is given at once, in bytes: more than any
// usual one takes.
const stackRoom = 56 << 10

// reserveStack makes room on the stack at the start. A goroutine begins with a few
// kilobytes and moves to twice as many whenever they are used up; each move looks up
// every function on the way and touches new memory, which adds up to a tenth of
// a run. Memory that is not used is never touched.
//
//go:noinline
func reserveStack(events int) int {
	if events > 1 { // which never holds: the frame alone is wanted, and not cleared
		var room [stackRoom]byte
		return measured(room[:])
	}
	return events
}

//go:noinline
func measured(room []byte) int { return len(room) }
