package upgrades

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// specsOfController returns the steps that remove mems that the controller of an earlier
// version wrote among the specs, unless git tracks them: git pull stops at such a file if
// another clone committed its version. Mems that are still derived are stored below
// layout.DerivedDir. Tracked files are kept: the controller no longer writes them, and to
// commit their deletion would mean that a user rejects the mem.
func specsOfController(root layout.Root) (steps []Step, err error) {
	if layout.GitDir(string(root)) == "" {
		return nil, nil
	}
	there, err := root.KeysBelow(layout.Dir, resources.Mems)
	if err != nil {
		return nil, err
	}
	tracked := root.Tracked()
	for _, key := range there {
		file := layout.Path(key)
		if memory.IsDerivedName(key.Name) && !slices.Contains(tracked, file) && untouched(root, key, memIn(root, key, file)) {
			data, _, err := root.Read(file, layout.MaxSpec)
			if err != nil {
				return nil, err
			}
			steps = append(steps, Step{"removed", file, func() error { return replace.RemoveBelow(root, file, data) }})
		}
	}
	return steps, nil
}

// memIn reads a mem from a file, nil if it cannot be read.
func memIn(root layout.Root, key resources.Key, file string) *resources.Mem {
	m, _ := root.Object(key, file).(*resources.Mem)
	return m
}

// untouched reports whether a mem has the content that the controller wrote.
func untouched(root layout.Root, key resources.Key, spec *resources.Mem) bool {
	if spec == nil || spec.Spec.Pinned || len(spec.Spec.Confirmations) > 0 || spec.Spec.Supersedes != "" || len(spec.Metadata.Labels) > 0 {
		return false
	}
	digest := spec.Metadata.Annotations[resources.AnnotationSourceDigest]
	if name, ofTask := strings.CutPrefix(spec.Spec.Source, "task/"); ofTask {
		return digest != "" && slices.Equal(contentLines(spec.Spec.Content), contentLines(oldMemText(root, name)))
	}
	derived := memIn(root, key, layout.DerivedPath(key))
	return derived != nil && digest != "" && derived.Metadata.Annotations[resources.AnnotationSourceDigest] == digest &&
		slices.Equal(contentLines(spec.Spec.Content), contentLines(derived.Spec.Content))
}

// oldMemText returns the content of a task's mem in the version that made a mem of each completed
// task.
func oldMemText(root layout.Root, name string) string {
	key := resources.Key{Kind: resources.Tasks, Name: name}
	t, ok := root.Object(key, layout.Path(key)).(*resources.Task)
	if !ok || t.Spec.Result == nil {
		return ""
	}
	text := strings.TrimSpace(t.Spec.ExpectedOutput)
	for _, line := range [...]struct{ label, text string }{{"Shown by: ", t.Spec.Result.Evidence}, {"Tests: ", t.Spec.Result.TestsRun}} {
		if said := strings.TrimSpace(line.text); said != "" {
			text += "\n" + line.label + said
		}
	}
	return text
}

// contentLines returns the lines of a mem without the lines that depend on the log of one machine, and
// without the prefix that its title has too.
func contentLines(content string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimPrefix(content, "Done: "), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "Files written: ") || strings.HasPrefix(line, "Commands that succeeded: ")
	})
}
