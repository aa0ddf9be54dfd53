package resources

import "time"

// Resource is one object: the desired state (Spec) and the observed state (Status). Objects
// from a cache or a graph.Snapshot are shared and must not be modified; modify a Clone instead.
type Resource[Spec, Status any] struct {
	Header
	Spec   Spec   `json:"spec" doc:"The state that users and agents want or claim."`
	Status Status `json:"status,omitzero" doc:"The observed state. A status in a file is ignored with a warning."`
	Origin Origin `json:"-"`

	kind *Kind
}

// Object is a Resource of any kind.
type Object interface {
	// Key returns the key of the object.
	Key() Key
	// Head returns apiVersion, kind and metadata. The pointer is into the object.
	Head() *Header
	// Source returns the origin of the object. The pointer is into the object.
	Source() *Origin
	// SpecPointer and StatusPointer return *Spec and *Status, for code that uses reflection
	// (decoding, printing, explain).
	SpecPointer() any
	StatusPointer() any
	// Created returns metadata.creationTimestamp, or the file's modification time if it is
	// unset.
	Created() time.Time
}

// commonStatus is implemented by all types of status, which embed Common.
type commonStatus interface{ common() *Common }

// common returns c. It gives access to the common fields of any status.
func (c *Common) common() *Common { return c }

// CommonOf returns the Common of a status pointer such as *TaskStatus. The result points
// into status. It returns nil for any other value.
func CommonOf(status any) *Common {
	if s, ok := status.(commonStatus); ok {
		return s.common()
	}
	return nil
}

// Key returns the plural of the kind and metadata.name.
func (r *Resource[S, T]) Key() Key { return Key{Kind: r.kind.Plural, Name: r.Metadata.Name} }

// Head returns apiVersion, kind and metadata.
func (r *Resource[S, T]) Head() *Header { return &r.Header }

// Source returns the origin of the object.
func (r *Resource[S, T]) Source() *Origin { return &r.Origin }

// SpecPointer returns *Spec.
func (r *Resource[S, T]) SpecPointer() any { return &r.Spec }

// StatusPointer returns *Status.
func (r *Resource[S, T]) StatusPointer() any { return &r.Status }

// Created returns metadata.creationTimestamp, or the file's modification time if it is
// unset.
func (r *Resource[S, T]) Created() time.Time {
	if !r.Metadata.CreationTimestamp.IsZero() {
		return r.Metadata.CreationTimestamp.Time
	}
	return r.Origin.ModTime
}

// newResource returns a new object of a kind with this spec and status.
func newResource[S, T any](k *Kind) Object { return &Resource[S, T]{kind: k} }
