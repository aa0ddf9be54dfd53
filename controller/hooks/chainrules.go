package hooks

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// maxLooked is how many files and folders are looked at for one that matches a glob: a
// rule must not make a call wait for a walk through all of a repository.
const maxLooked = 4000

// HasFile looks for a file or folder. A glob without stars is one look; others are
// looked for below the folder that they begin with, which leads nowhere outside.
func (r *repo) HasFile(glob string) bool {
	base := filepath.FromSlash(strings.TrimPrefix(glob, "./"))
	if i := strings.IndexAny(base, `*?[{\`); i >= 0 {
		base = filepath.Dir(base[:i] + "x")
	}
	if !filepath.IsLocal(base) {
		return false
	}
	at := filepath.Join(string(r.Root), base)
	if !strings.ContainsAny(glob, `*?[{\`) {
		_, err := os.Lstat(at)
		return err == nil
	}
	return r.walkFor(at, glob)
}

func (r *repo) walkFor(at, glob string) bool {
	seen, found := 0, false
	_ = filepath.WalkDir(at, func(file string, d fs.DirEntry, err error) error {
		seen++
		if err != nil || seen > maxLooked {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(string(r.Root), file)
		switch {
		case err != nil:
			return fs.SkipAll
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case resources.MatchGlob(glob, filepath.ToSlash(rel)):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// bypassed writes down each chain rule that a call went past.
func (h *handler) bypassed(v admission.Verdict) {
	for _, b := range v.Bypassed {
		h.warn("ChainBypassed", "chainrule/"+b.Rule, b.Level+" passed with "+b.Word+" in session "+h.sessionName()+": "+admission.Plain(b.Command), nil)
	}
}
