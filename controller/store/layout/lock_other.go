//go:build !unix

package layout

import "time"

// Lock does nothing on this system. If two processes change a file at the same
// time, one change may be lost.
func (d *OpenDir) Lock(string, time.Duration) (unlock func(), err error) { return func() {}, nil }
