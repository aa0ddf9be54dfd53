package queries

import (
	"github.com/idumb-dev/idumb/resources"
)

// Entry is an object with its status. Object and Status are shared and
// read-only.
type Entry struct {
	Key     resources.Key
	Object  resources.Object   // last good version; nil if none
	Status  any                // derived status: *TaskStatus, ...; reflects Problem too
	Problem *resources.Problem // problem of the file; nil if readable
	Holder  string             // owner of a task, as a cell; empty if none
	Foreign bool               // the owner is an agent or works in another working tree

	version  uint64   // resource version in the controller's cache; 0 if not from the cache
	served   *Serving // serving options of the Kubernetes form; nil for the printed form
	source   *Source  // source of the entry, in the Kubernetes form
	document *Document
}

// Kind returns the entry's row in the table of kinds.
func (e *Entry) Kind() *resources.Kind {
	kind, _ := resources.KindOf(e.Key.Kind)
	return kind
}

// Phase returns the phase of the object, or Invalid if its file is unreadable.
func (e *Entry) Phase() string {
	if common := resources.CommonOf(e.Status); common != nil {
		return common.Phase
	}
	return ""
}

// Labels returns the object's labels, or nil.
func (e *Entry) Labels() map[string]string {
	if e.Object == nil {
		return nil
	}
	return e.Object.Head().Metadata.Labels
}
