//go:build !unix

package layout

import "time"

// Lock cannot lock here without another library: of two processes that change one file at the
// same moment, one may lose its change.
func (d *OpenDir) Lock(string, time.Duration) (unlock func(), err error) { return func() {}, nil }
