package printers

import "github.com/idumb-dev/idumb/resources"

// Document is an object as it is printed: spec and status in one, with the
// revision as metadata.resourceVersion, so that what was printed can be applied
// again and a change in between is noticed.
type Document struct {
	Schema     string   `json:"$schema,omitempty"`
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   Metadata `json:"metadata"`
	Spec       any      `json:"spec,omitempty"`
	Status     any      `json:"status,omitempty"`
}

// Metadata is resources.Meta with the revision.
type Metadata struct {
	Name              string            `json:"name"`
	UID               string            `json:"uid,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	CreationTimestamp resources.Time    `json:"creationTimestamp,omitzero"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
}

// Document returns the entry as it is printed.
func (e *Entry) Document() *Document {
	if e.document == nil {
		e.document = e.newDocument()
	}
	return e.document
}

func (e *Entry) newDocument() *Document {
	d := &Document{APIVersion: resources.APIVersion, Kind: e.Kind().Name, Metadata: Metadata{Name: e.Key.Name}, Status: e.Status}
	if e.Object != nil {
		head := e.Object.Head()
		m := head.Metadata
		d.Schema, d.Spec = head.Schema, e.Object.SpecPointer()
		d.Metadata = Metadata{e.Key.Name, m.UID, e.Object.Source().Revision, m.CreationTimestamp, m.Labels, m.Annotations}
	}
	return d
}
