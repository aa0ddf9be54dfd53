//go:build !unix

package hooks

import "github.com/idumb-dev/idumb/controller/store/filestore/layout"

// lockSession cannot lock here without another library: two runs at once may
// lose one another's change of a counter.
func (r *repo) lockSession(string) (unlock func(), err error) {
	dir, err := r.root.Make(layout.HookDir)
	if err != nil {
		return nil, err
	}
	dir.Close()
	return func() {}, nil
}
