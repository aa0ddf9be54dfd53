package doctor

import "github.com/idumb-dev/idumb/controller/hooks/grants"

// checkGrants reports files of one-time permissions that no longer allow a call. The next denial removes
// them.
func (x *examination) checkGrants() {
	if n := grants.Stale(x.root, x.now); n > 0 {
		x.notice("invalid or expired grants in %s: %d; the next denial removes them", grants.Dir, n)
	}
}
