package resources

import "time"

// Resource is one object: what people write (Spec) and what was observed
// (Status). Objects that come out of a cache or a Snapshot are shared: never
// change one, Clone it.
type Resource[Spec, Status any] struct {
	Header
	Spec   Spec   `json:"spec" doc:"What people and agents want or claim."`
	Status Status `json:"status,omitzero" doc:"What was observed. A status in a file is ignored with a warning."`
	Origin Origin `json:"-"`

	kind *Kind
}

// Object is any Resource, whatever its kind.
type Object interface {
	// Key names the object.
	Key() Key
	// Head is apiVersion, kind and metadata; the pointer is into the object.
	Head() *Header
	// Source is where the object was read; the pointer is into the object.
	Source() *Origin
	// SpecPointer and StatusPointer are *Spec and *Status, for code that works
	// by reflection (decoding, printing, explain).
	SpecPointer() any
	StatusPointer() any
	// Created is metadata.creationTimestamp, or the time of the file's last change.
	Created() time.Time
}

// commonStatus is what a status type offers by embedding Common.
type commonStatus interface{ common() *Common }

func (c *Common) common() *Common { return c }

// CommonOf returns the part that all kinds share of a status (*TaskStatus, ...);
// the pointer is into it. nil for anything else.
func CommonOf(status any) *Common {
	if s, ok := status.(commonStatus); ok {
		return s.common()
	}
	return nil
}

// Key names the object: its kind's plural and metadata.name.
func (r *Resource[S, T]) Key() Key { return Key{Kind: r.kind.Plural, Name: r.Metadata.Name} }

// Head returns apiVersion, kind and metadata.
func (r *Resource[S, T]) Head() *Header { return &r.Header }

// Source returns where the object was read.
func (r *Resource[S, T]) Source() *Origin { return &r.Origin }

// SpecPointer returns *Spec.
func (r *Resource[S, T]) SpecPointer() any { return &r.Spec }

// StatusPointer returns *Status.
func (r *Resource[S, T]) StatusPointer() any { return &r.Status }

// Created returns metadata.creationTimestamp, or else the time of the file's
// last change.
func (r *Resource[S, T]) Created() time.Time {
	if !r.Metadata.CreationTimestamp.IsZero() {
		return r.Metadata.CreationTimestamp.Time
	}
	return r.Origin.ModTime
}

// newResource makes an empty object of kind k.
func newResource[S, T any](k *Kind) Object { return &Resource[S, T]{kind: k} }
