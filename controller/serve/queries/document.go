package queries

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/resources"
)

// Document is an object as it is printed, with spec and status.
// metadata.resourceVersion is the revision, so that applying a printed object
// detects changes in between. For the Kubernetes API, it is the resource
// version of the last change.
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
	Namespace         string            `json:"namespace,omitempty"`
	UID               string            `json:"uid,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	CreationTimestamp resources.Time    `json:"creationTimestamp,omitzero"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	OwnerReferences   []OwnerReference  `json:"ownerReferences,omitempty"` // for the Kubernetes API
}

// Document returns the entry in printed form.
func (e *Entry) Document() *Document {
	if e.document == nil {
		e.document = e.newDocument()
	}
	return e.document
}

// newDocument builds the printed form of the entry.
func (e *Entry) newDocument() *Document {
	d := &Document{APIVersion: resources.APIVersion, Kind: e.Kind().Name, Metadata: e.metadata(), Status: e.Status}
	if e.Object != nil {
		d.Schema, d.Spec = e.Object.Head().Schema, e.Object.SpecPointer()
	}
	if e.served != nil {
		d.Schema = "" // it belongs to the file
	}
	return d
}

// metadata returns the metadata of the entry's document. For the Kubernetes API it contains more
// fields.
func (e *Entry) metadata() Metadata {
	m := Metadata{Name: e.Key.Name}
	if e.Object != nil {
		head := e.Object.Head().Metadata
		m.UID, m.CreationTimestamp, m.Labels, m.Annotations = head.UID, head.CreationTimestamp, head.Labels, head.Annotations
		m.ResourceVersion = e.Object.Source().Revision
	}
	if e.served != nil {
		e.served.complete(e, &m)
	}
	return m
}

// ResourceVersion returns the resource version of the entry's document.
func (e *Entry) ResourceVersion() string { return e.metadata().ResourceVersion }

// Partial returns only the entry's metadata, as a Kubernetes
// PartialObjectMetadata.
func (e *Entry) Partial() *Document {
	return &Document{APIVersion: metaVersion, Kind: "PartialObjectMetadata", Metadata: e.metadata()}
}

// Line returns the entry's document as one line of JSON.
func (e *Entry) Line() (json.RawMessage, error) { return e.Document().Line() }

// Line returns the document as one line of JSON.
func (d *Document) Line() (json.RawMessage, error) {
	line, err := Line(d)
	if err != nil {
		return nil, fmt.Errorf("encode %s %s: %w", d.Kind, d.Metadata.Name, err)
	}
	return line, nil
}

// Line encodes a value as one line of JSON without escaping HTML characters.
func Line(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode decodes a document. Its spec and status have the types of its kind.
func Decode(line json.RawMessage) (*Entry, error) {
	var raw struct {
		Document
		Spec   json.RawMessage `json:"spec"`
		Status json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return nil, fmt.Errorf("read an object that the controller sent: %w", err)
	}
	d := raw.Document
	kind := kindNamed(d.Kind)
	if kind == nil {
		return nil, fmt.Errorf("read an object that the controller sent: there is no kind %q", d.Kind)
	}
	o := kind.New()
	var err error
	if raw.Spec != nil {
		d.Spec = o.SpecPointer()
		err = json.Unmarshal(raw.Spec, d.Spec)
	}
	if raw.Status != nil {
		d.Status = o.StatusPointer()
		err = errors.Join(err, json.Unmarshal(raw.Status, d.Status))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s/%s that the controller sent: %w", kind.Plural, d.Metadata.Name, err)
	}
	e := &Entry{Key: resources.Key{Kind: kind.Plural, Name: d.Metadata.Name}, Status: d.Status, document: &d}
	if d.Spec != nil {
		m := d.Metadata
		o.Head().Metadata = resources.Meta{Name: m.Name, UID: m.UID, CreationTimestamp: m.CreationTimestamp, Labels: m.Labels, Annotations: m.Annotations}
		o.Source().Revision = m.ResourceVersion
		e.Object = o
	}
	return e, nil
}

// kindNamed returns the kind with a name such as Task, nil if none exists.
func kindNamed(name string) *resources.Kind {
	for _, kind := range resources.Kinds() {
		if kind.Name == name {
			return kind
		}
	}
	return nil
}
