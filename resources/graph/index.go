package graph

import (
	"bytes"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Indexes by which objects are found.
const (
	// IndexDependsOn: value = key of a task, a plan or a decision ("tasks/foo"): the objects of the
	// same kind whose spec.dependsOn or spec.temporalGate.after names it.
	IndexDependsOn = "dependsOn"
	// IndexPlan: value = a plan's name: its tasks.
	IndexPlan = "plan"
	// IndexState: value = a state: the tasks, or the plans, with that spec.state.
	IndexState = "state"
	// IndexParent: value = "tasks/foo" or "mems/foo": its parts.
	IndexParent = "parent"
	// IndexRefers: value = any key: all objects with a reference (ref= in the
	// field table) to it.
	IndexRefers = "refers"
	// IndexSupersedes: value = a mem's or a decision's name: those that name it in spec.supersedes.
	IndexSupersedes = "supersedes"
	// IndexSource: value = a file: the anchors with that spec.source.file, the mems and decisions
	// whose spec.evidence cites it, and the artifacts with that spec.path.
	IndexSource = "source"
	// IndexFiles: value = a file or folder: the open tasks, and the mems that apply to files or cite them, with
	// a glob of which it is the resources.GlobRoot.
	IndexFiles = "files"
	// IndexNames: value = a file: the mems whose text names it (resources.PathsIn).
	IndexNames = "names"
	// IndexAuthor: value = an author, as spec.author has it: the comments by them.
	IndexAuthor = "author"
	// IndexTopic: value = memory.NormalTopic of a topic: the mems with that spec.topicKey.
	IndexTopic = "topic"
)

// Term is one value of one index under which an object is found.
type Term struct{ Index, Value string }

// MayHold reports whether the object whose file holds a text may be found under one of the terms:
// where it is not, that is certain. A name is letters, digits, dots and hyphens: JSON writes those
// as they are, or as \u and four digits.
func MayHold(text []byte, terms ...Term) bool {
	if bytes.Contains(text, []byte(`\u`)) {
		return true
	}
	files := false
	for _, t := range terms {
		if t.Index == IndexFiles {
			files = true
		} else if t.Index == IndexState && (t.Value == resources.TaskPlanned || t.Value == resources.PlanDraft) {
			return true // a file without spec.state
		} else if bytes.Contains(text, []byte(t.Value[strings.LastIndexByte(t.Value, '/')+1:])) {
			return true
		}
	}
	return files && mayName(text, terms)
}

// mayName reports whether a task's file may hold a glob of which the GlobRoot is a term. It looks at
// the strings behind the fields that hold globs, up to the end of a list: most tasks name other
// files, and to decode one takes ten times as long.
func mayName(text []byte, terms []Term) bool {
	for _, field := range []string{`"fileLocks"`, `"paths"`, `"evidence"`} {
		for _, list, found := bytes.Cut(text, []byte(field)); found; _, list, found = bytes.Cut(list, []byte(field)) {
			for i := bytes.IndexAny(list, `"]`); i >= 0 && list[i] == '"'; i = bytes.IndexAny(list, `"]`) {
				list = list[i+1:]
				end := bytes.IndexAny(list, `"\`)
				if end < 0 || list[end] == '\\' || slices.Contains(terms, Term{IndexFiles, resources.GlobRoot(string(list[:end]))}) {
					return true
				}
				list = list[end+1:]
			}
		}
	}
	return false
}

// Terms appends what an object is found under, a term more than once perhaps.
func Terms(to []Term, object resources.Object) []Term {
	for _, r := range resources.References(object) {
		to = append(to, Term{IndexRefers, r.Key.String()})
	}
	return ownTerms(to, object)
}

// ownTerms are Terms but for references, for which all fields have to be looked at.
func ownTerms(to []Term, object resources.Object) []Term {
	add := func(index string, values ...string) {
		for _, value := range values {
			if value != "" {
				to = append(to, Term{index, value})
			}
		}
	}
	for _, name := range ComesFirst(object) {
		add(IndexDependsOn, keyText(object.Key().Kind, name))
	}
	switch o := object.(type) {
	case *resources.Task:
		to = append(to, Term{IndexPlan, o.Spec.WorkPlan})
		add(IndexState, resources.TaskState(o))
		add(IndexParent, keyText(resources.Tasks, o.Spec.Parent))
		if status.LiveTask(o) {
			to = fileTerms(to, &o.Spec)
		}
	case *resources.WorkPlan:
		add(IndexState, resources.PlanState(o))
	case *resources.Mem:
		add(IndexParent, keyText(resources.Mems, o.Spec.Parent))
		add(IndexSupersedes, o.Spec.Supersedes)
		add(IndexTopic, memory.NormalTopic(o.Spec.TopicKey))
		for i := range o.Spec.Evidence {
			add(IndexSource, o.Spec.Evidence[i].Path)
			if resources.IsGlob(o.Spec.Evidence[i].Path) {
				to = append(to, Term{IndexFiles, resources.GlobRoot(o.Spec.Evidence[i].Path)})
			}
		}
		if when := o.Spec.AppliesWhen; when != nil {
			for _, glob := range when.Paths {
				to = append(to, Term{IndexFiles, resources.GlobRoot(glob)})
			}
		}
		for _, text := range [...]string{o.Spec.Title, o.Spec.Content} {
			for file := range resources.PathsIn(text) {
				add(IndexNames, file)
			}
		}
	case *resources.Decision:
		add(IndexSupersedes, o.Spec.Supersedes)
		for i := range o.Spec.Evidence {
			add(IndexSource, o.Spec.Evidence[i].Path)
		}
	case *resources.Comment:
		add(IndexAuthor, o.Spec.Author)
	case *resources.Artifact:
		add(IndexSource, o.Spec.Path)
	case *resources.Anchor:
		if o.Spec.Source != nil {
			add(IndexSource, o.Spec.Source.File)
		}
	}
	return to
}

// fileTerms appends the terms of the files that a task names.
func fileTerms(to []Term, spec *resources.TaskSpec) []Term {
	add := func(glob string) {
		if glob != "" {
			to = append(to, Term{IndexFiles, resources.GlobRoot(glob)})
		}
	}
	for _, globs := range [][]string{spec.FileLocks, spec.Paths} {
		for _, glob := range globs {
			add(glob)
		}
	}
	for _, item := range spec.Evidence {
		add(item.File)
	}
	return to
}

// termsNaming are those under which objects of a kind are found that may name a file.
func termsNaming(kind, file string) []Term {
	switch kind {
	case resources.Tasks:
		return termsOfFile(file)
	case resources.Mems:
		return append(termsOfFile(file), Term{IndexSource, file}, Term{IndexNames, file})
	}
	return []Term{{IndexSource, file}}
}

// termsOfFile are those of globs that may match a file: its own path and all folders above.
func termsOfFile(file string) (terms []Term) {
	for at := file; at != ""; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
		terms = append(terms, Term{IndexFiles, at})
	}
	return append(terms, Term{IndexFiles, "."})
}

func keyText(kind, name string) string {
	if name == "" {
		return ""
	}
	return resources.Key{Kind: kind, Name: name}.String()
}

// ComesFirst returns the objects of the same kind, tasks, plans or decisions, that an object names as
// coming first. The slice may be the spec's own.
func ComesFirst(o resources.Object) []string {
	switch o := o.(type) {
	case *resources.Task:
		return resources.ComesFirst(o)
	case *resources.WorkPlan:
		return o.Spec.DependsOn
	case *resources.Decision:
		return resources.DecisionsBefore(o)
	}
	return nil
}
