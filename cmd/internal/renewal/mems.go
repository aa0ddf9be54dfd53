package renewal

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// specsOfController removes what an earlier version's controller wrote among the specs, where git
// does not have it: git pull stops at such a file when another clone committed its own. What is
// derived today stands below layout.DerivedDir and takes its place. What git tracks stays: nobody
// writes it any more, and to commit that it is gone would say that the mem is not wanted.
func specsOfController(root layout.Root) (steps []Step, err error) {
	if layout.GitDir(string(root)) == "" {
		return nil, nil
	}
	derived, err := root.KeysBelow(layout.DerivedDir, resources.Mems)
	if err != nil {
		return nil, err
	}
	tracked := root.Tracked()
	for _, key := range derived {
		file := layout.Path(key)
		if !slices.Contains(tracked, file) && sameMem(readMem(root, key, file), readMem(root, key, layout.DerivedPath(key))) {
			steps = append(steps, Step{"removed", file, func() error { return remove(root, file) }})
		}
	}
	return steps, nil
}

func readMem(root layout.Root, key resources.Key, file string) *resources.Mem {
	data, _, err := root.Read(file, layout.MaxSpec)
	if err != nil {
		return nil
	}
	o, _, err := resources.Read(key, data)
	if err != nil {
		return nil
	}
	return o.(*resources.Mem)
}

// sameMem reports whether nobody has touched a mem since it was made of what the derived one is
// made of.
func sameMem(spec, derived *resources.Mem) bool {
	if spec == nil || derived == nil {
		return false
	}
	digest := derived.Metadata.Annotations[resources.AnnotationSourceDigest]
	untouched := !spec.Spec.Pinned && len(spec.Spec.Confirmations) == 0 && spec.Spec.Supersedes == "" && len(spec.Metadata.Labels) == 0
	return untouched && digest != "" && spec.Metadata.Annotations[resources.AnnotationSourceDigest] == digest &&
		slices.Equal(said(spec), said(derived))
}

// said are the lines of a mem but for those that depend on the log of one machine, and for the
// word that its title has as well.
func said(m *resources.Mem) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimPrefix(m.Spec.Content, "Done: "), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "Files written: ") || strings.HasPrefix(line, "Commands that succeeded: ")
	})
}
