// Package stackroom gives the goroutine that runs main the stack that one answer of the
// hook takes, at once. Import it for that effect, into programs that live for a moment.
//
// A goroutine begins with two kilobytes and moves to twice as many whenever they are used
// up. Each move looks up every function on the way and touches new memory: together a
// tenth of a run. What is reserved here and not used is never touched. Packages are
// initialised by the order of their paths, those first that import nothing, so that this one
// comes before most of the standard library, which would move the stack three times.
package stackroom

// room is how much is reserved, in bytes: more than any usual answer takes.
const room = 56 << 10

var _ = reserve(0)

// reserve has a large frame, which is wanted, and is never filled.
//
//go:noinline
func reserve(never int) int {
	if never > 0 {
		var frame [room]byte
		return measured(frame[:])
	}
	return never
}

//go:noinline
func measured(frame []byte) int { return len(frame) }
