package queries

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// relatesTo reports whether an object relates to a file or directory at path, or
// below it. That is a task that wrote it, may write it or locks it, or an
// anchor or mem that cites it or applies to it.
func relatesTo(e *Entry, path string) bool {
	return slices.ContainsFunc(filesOf(e), func(file string) bool { return pathsMatch(file, path) })
}

// filesOf returns the files that an object names, some of them as globs.
func filesOf(e *Entry) (files []string) {
	switch o := e.Object.(type) {
	case *resources.Task:
		files = slices.Concat(o.Spec.Paths, o.Spec.FileLocks)
		if o.Spec.Source != nil {
			files = append(files, o.Spec.Source.File)
		}
		if st, ok := e.Status.(*resources.TaskStatus); ok {
			files = append(files, st.Artifacts...)
		}
	case *resources.Anchor:
		if o.Spec.Source != nil {
			files = append(files, o.Spec.Source.File)
		}
	case *resources.Mem:
		if o.Spec.AppliesWhen != nil {
			files = slices.Clone(o.Spec.AppliesWhen.Paths)
		}
		for _, cited := range o.Spec.Evidence {
			files = append(files, cited.Path)
		}
	}
	return files
}

// pathsMatch reports whether a path or glob matches another path or a file below it.
func pathsMatch(file, path string) bool {
	if file == "" {
		return false
	}
	return resources.MatchGlob(file, path) || resources.IsBelow(path, resources.GlobRoot(file))
}
