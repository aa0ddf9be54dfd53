package hooks

import (
	"os"
	"slices"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// uncommitted answers which files of the working tree differ from git's index. It starts no git,
// which a hook has no time for; what was staged and not committed does not show. Where it cannot
// be told, the answer is that they differ.
func (h *handler) uncommitted() func(path string) bool {
	index := sync.OnceValue(h.repo.Root.Index)
	return func(path string) bool {
		info, err := os.Lstat(h.repo.Abs(path))
		if err != nil {
			return false // what is not there cannot be overwritten
		}
		i := slices.IndexFunc(index(), func(e layout.Indexed) bool { return e.File == path })
		return info.IsDir() || i < 0 || index()[i].Changed(info)
	}
}
