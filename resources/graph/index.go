package graph

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Indexes by which objects are found.
const (
	// IndexDependsOn: value = task or plan key ("tasks/foo"): the objects of the
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
	// IndexSupersedes: value = a mem's name: the mems that name it in spec.supersedes.
	IndexSupersedes = "supersedes"
	// IndexSource: value = a file: the anchors with that spec.source.file, and the mems
	// whose spec.evidence cites it.
	IndexSource = "source"
	// IndexFiles: value = a file or folder: the open tasks with a glob of which it is the resources.GlobRoot.
	IndexFiles = "files"
	// IndexTopic: value = memory.NormalTopic of a topic: the mems with that spec.topicKey.
	IndexTopic = "topic"
)

// Term is one value of one index under which an object is found.
type Term struct{ Index, Value string }

// Words are those of which the object's file holds one because of the term: the name, of a key.
func (t Term) Words() []string {
	if t.Index == IndexFiles {
		return []string{"fileLocks", "paths", "evidence"}
	}
	return []string{t.Value[strings.LastIndexByte(t.Value, '/')+1:]}
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
		}
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

// termsOfFile are those of tasks that may name a file: its own path and all folders above.
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

// ComesFirst returns the objects of the same kind, tasks or plans, that an object names as
// coming first. The slice may be the spec's own.
func ComesFirst(o resources.Object) []string {
	switch o := o.(type) {
	case *resources.Task:
		return resources.ComesFirst(o)
	case *resources.WorkPlan:
		return o.Spec.DependsOn
	}
	return nil
}
