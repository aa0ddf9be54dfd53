package graph

import (
	"bytes"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Indexes of objects.
const (
	// IndexDependsOn has the key of a task, a plan or a decision as value ("tasks/foo"):
	// the objects of the same kind that name it in spec.dependsOn or
	// spec.temporalGate.after.
	IndexDependsOn = "dependsOn"
	// IndexPlan has a plan's name as value: its tasks.
	IndexPlan = "plan"
	// IndexState has a state as value: the tasks, or the plans, with that spec.state.
	IndexState = "state"
	// IndexParent has "tasks/foo" or "mems/foo" as value: its children.
	IndexParent = "parent"
	// IndexRefers has any key as value: all objects with a reference to it (ref= in the
	// field table).
	IndexRefers = "refers"
	// IndexSupersedes has a mem's or a decision's name as value: the objects with that
	// spec.supersedes.
	IndexSupersedes = "supersedes"
	// IndexSource has a file as value: the anchors with that spec.source.file, the mems and
	// decisions with the file in spec.evidence, and the artifacts with that spec.path.
	IndexSource = "source"
	// IndexFiles has a file or directory as value: the open tasks with a glob of which it
	// is the resources.GlobRoot, and the mems with such a glob in their evidence or in
	// spec.appliesWhen.
	IndexFiles = "files"
	// IndexNames has a file as value: the mems with the file name in their text
	// (resources.PathsIn).
	IndexNames = "names"
	// IndexAuthor has an author as value: the comments with that spec.author.
	IndexAuthor = "author"
	// IndexTopic has a normalized topic as value (memory.NormalTopic): the mems with that
	// spec.topicKey.
	IndexTopic = "topic"
)

// Term is one value of one index.
type Term struct{ Index, Value string }

// MayHold reports whether the object in a file may have one of the terms. A false result is
// certain. A name consists of letters, digits, dots and hyphens, which JSON encodes
// unchanged or as \u and four digits.
func MayHold(text []byte, terms ...Term) bool {
	if bytes.Contains(text, []byte(`\u`)) {
		return true
	}
	files := false
	for _, t := range terms {
		if t.Index == IndexFiles {
			files = true
		} else if t.Index == IndexState && (t.Value == resources.TaskPlanned || t.Value == resources.PlanDraft) {
			return true // a file may omit spec.state
		} else if bytes.Contains(text, []byte(t.Value[strings.LastIndexByte(t.Value, '/')+1:])) {
			return true
		}
	}
	return files && mayName(text, terms)
}

// mayName reports whether a task's file may contain a glob with a GlobRoot in terms. It
// scans the strings in the fields with globs, which is ten times as fast as decoding the
// task.
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

// Terms appends the terms of an object, possibly with duplicates.
func Terms(to []Term, object resources.Object) []Term {
	for _, r := range resources.References(object) {
		to = append(to, Term{IndexRefers, r.Key.String()})
	}
	return ownTerms(to, object)
}

// ownTerms is Terms without references, which are expensive to find.
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

// termsNaming returns the terms of objects of a kind that may name a file.
func termsNaming(kind, file string) []Term {
	switch kind {
	case resources.Tasks:
		return termsOfFile(file)
	case resources.Mems:
		return append(termsOfFile(file), Term{IndexSource, file}, Term{IndexNames, file})
	}
	return []Term{{IndexSource, file}}
}

// termsOfFile returns the terms of globs that may match a file: its path and all parent
// directories.
func termsOfFile(file string) (terms []Term) {
	for at := file; at != ""; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
		terms = append(terms, Term{IndexFiles, at})
	}
	return append(terms, Term{IndexFiles, "."})
}

// keyText returns an object as kind/name, or "" without a name.
func keyText(kind, name string) string {
	if name == "" {
		return ""
	}
	return resources.Key{Kind: kind, Name: name}.String()
}

// ComesFirst returns the direct prerequisites of a task, a plan or a decision that have the
// same kind. The result may share memory with the spec.
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
