package doctor

import "github.com/idumb-dev/idumb/controller/hooks/once"

// grants reports files of one-time permissions that no longer allow a call. The next denial removes
// them.
func (x *examination) grants() {
	if n := once.Stale(x.root, x.now); n > 0 {
		x.notice("files in %s that allow nothing, or nothing any more: %d; they are removed with the next denial", once.Dir, n)
	}
}
