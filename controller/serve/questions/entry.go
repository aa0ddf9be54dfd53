package questions

import (
	"github.com/idumb-dev/idumb/resources"
)

// Entry is an object with what holds about it. Object and Status are shared and
// read-only.
type Entry struct {
	Key     resources.Key
	Object  resources.Object   // the last good version; nil if there never was one
	Status  any                // what was derived: *TaskStatus, ...; it tells of Problem as well
	Problem *resources.Problem // why the file cannot be read, if so
	Holder  string             // of a task: who holds it, as a cell; "" for nobody
	Foreign bool               // who holds it is an agent, or works in another working tree

	version  uint64   // resource version in the controller's cache; 0: it is none of the cache's
	served   *Serving // how the document is as Kubernetes has it; nil: it is as commands print it
	source   *Source  // where it is served: what it is of
	document *Document
}

// Kind is the entry's row in the table of kinds.
func (e *Entry) Kind() *resources.Kind {
	kind, _ := resources.KindOf(e.Key.Kind)
	return kind
}

// Phase is what holds about the object; Invalid if its file cannot be read.
func (e *Entry) Phase() string {
	if common := resources.CommonOf(e.Status); common != nil {
		return common.Phase
	}
	return ""
}

// Labels are the object's labels; nil for none.
func (e *Entry) Labels() map[string]string {
	if e.Object == nil {
		return nil
	}
	return e.Object.Head().Metadata.Labels
}
