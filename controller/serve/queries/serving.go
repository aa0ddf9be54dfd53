package queries

import (
	"cmp"
	"maps"
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// Serving describes the Kubernetes form of documents: a namespace, the resource
// version of the last change, and the fields by which clients identify objects.
type Serving struct {
	Namespace string
	// Annotations returns additional annotations of an object that are not in
	// its file. It may be nil.
	Annotations func(key resources.Key, uid string) map[string]string
}

// OwnerReference is a Kubernetes owner reference. Files do not contain it.
type OwnerReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller bool   `json:"controller"`
}

// complete adds the server's fields to an entry's metadata.
func (s *Serving) complete(e *Entry, m *Metadata) {
	m.Namespace, m.ResourceVersion = s.Namespace, strconv.FormatUint(e.version, 10)
	m.UID = cmp.Or(m.UID, resources.DerivedUID(e.Key))
	if e.Object != nil {
		m.CreationTimestamp = resources.NewTime(e.Object.Created())
	}
	if s.Annotations != nil {
		if more := s.Annotations(e.Key, m.UID); len(more) > 0 {
			all := maps.Clone(more)
			maps.Copy(all, m.Annotations)
			m.Annotations = all
		}
	}
	if task, ok := e.Object.(*resources.Task); ok && e.source != nil {
		m.OwnerReferences = e.source.ownersOf(task)
	}
}

// ownersOf returns a reference to the plan of a task, if the plan exists.
func (s *Source) ownersOf(task *resources.Task) []OwnerReference {
	key := resources.Key{Kind: resources.WorkPlans, Name: task.Spec.WorkPlan}
	plan, found := s.Get(key)
	if !found {
		return nil
	}
	head := plan.Head()
	return []OwnerReference{{resources.APIVersion, head.Kind, key.Name, cmp.Or(head.Metadata.UID, resources.DerivedUID(key)), true}}
}

// ServedEntry returns an object that was just read or is about to be written,
// in its Kubernetes form.
func ServedEntry(s *Source, o resources.Object, serving *Serving) *Entry {
	return &Entry{Key: o.Key(), Object: o, Status: s.Derived(o.Key()), served: serving, source: s, version: s.versionOf(o.Key())}
}

// versionOf returns the resource version of an object, or 0 if unknown.
func (s *Source) versionOf(key resources.Key) uint64 {
	for _, e := range first(s.statuses.entries(nil, []resources.Key{key})) {
		return e.version
	}
	return 0
}

// first returns the first of two results of a function.
func first[A, B any](a A, _ B) A { return a }
