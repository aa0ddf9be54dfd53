package effects

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/resources/admission"
)

// linkedTo returns the governed file of the repository that is the same file as real, by a hard
// link. A write to either name changes both. At most maxLooked files are compared.
func (r Resolver) linkedTo(real string) (governed string, found bool) {
	info, err := os.Lstat(real)
	if err != nil || !info.Mode().IsRegular() || !hasMoreNames(info) {
		return "", false
	}
	looked := 0
	for _, name := range append(admission.GovernedNames(), ".git/config", ".git/hooks") {
		_ = filepath.WalkDir(filepath.Join(r.Root, name), func(file string, d fs.DirEntry, err error) error {
			if looked++; err != nil || found || looked > maxLooked {
				return fs.SkipAll // an unreadable folder is not compared
			}
			rel, inside := relativeTo(r.Root, file)
			if d.IsDir() || !inside || !admission.Governs(admission.Path{Repo: rel}) {
				return nil
			}
			if other, err := d.Info(); err == nil && os.SameFile(info, other) {
				governed, found = rel, true
			}
			return nil
		})
	}
	return governed, found
}
