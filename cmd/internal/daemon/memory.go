package daemon

import "runtime/debug"

// startGC is the heap that a start may leave uncollected, in percent of what it needs. Almost
// all that a start reads it keeps: to look for what it does not keep is a tenth of its time.
const startGC = 400

// spend lets memory be used for speed, until the function that it returns is called once:
// that gives back to the system what was left over, because a controller lives for long, and
// does nothing for most of that.
func spend() (thrift func()) {
	before := debug.SetGCPercent(startGC)
	return func() {
		debug.SetGCPercent(before)
		debug.FreeOSMemory()
	}
}
