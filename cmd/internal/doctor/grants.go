package doctor

import "github.com/idumb-dev/idumb/controller/hooks/once"

// grants reports files of one-time permissions that no longer allow a call. The next denial removes
// them.
func (x *examination) grants() {
	if n := once.Stale(x.root, x.now); n > 0 {
		x.notice("invalid or expired grants in %s: %d; the next denial removes them", once.Dir, n)
	}
}
