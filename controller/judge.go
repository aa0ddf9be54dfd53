package controller

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// decodedRecord is a decoded store record. It holds an object, a problem or
// checkpoint evidence. It holds none of these if the cache already has the same
// bytes.
type decodedRecord struct {
	record   store.Record
	object   resources.Object
	problem  *resources.Problem
	evidence *status.Evidence
	warnings []string
	observed observed // status from the record
}

// decode decodes and validates a result of the store. It only reads the cache,
// so several goroutines may call it.
func (i *informer) decode(record store.Record, err error) decodedRecord {
	s := decodedRecord{record: record}
	s.record.Spec = nil // the bytes are not kept
	s.observed = readStatus(record.Status)
	switch {
	case err != nil:
		s.problem = i.problemOf(record.Key, err)
	case record.Key.Kind == resources.CheckpointsKind:
		s.evidence, _ = status.ReadEvidence(record.Spec) // doctor reports damaged lines
	case !i.cache.has(record):
		s.read(record, i.problemOf)
	}
	return s
}

// read decodes and validates an object, and stores it or its problem.
func (s *decodedRecord) read(record store.Record, problemOf func(resources.Key, error) *resources.Problem) {
	object, warnings, err := resources.Read(record.Key, record.Spec)
	if err != nil {
		s.problem = problemOf(record.Key, err)
		return
	}
	intern(object, record.Key.Name)
	*object.Source() = resources.Origin{Revision: record.Rev, ModTime: record.ModTime}
	s.object, s.warnings = object, warnings
}

// has reports whether the cache holds exactly this valid version. For an object
// without a creationTimestamp, the file's modification time is part of its
// content.
func (c *cache) has(record store.Record) bool {
	e := c.get(record.Key)
	if e.object == nil || e.rejected || e.problem != nil || e.rev != record.Rev {
		return false
	}
	return e.object.Source().ModTime.Equal(record.ModTime) || !e.object.Head().Metadata.CreationTimestamp.IsZero()
}

// problemOf converts an error to a Problem. Stores and the decoder return
// errors that are or wrap a Problem. The text of any other error becomes the
// reason.
func (i *informer) problemOf(key resources.Key, err error) *resources.Problem {
	var p resources.Problem
	var pointer *resources.Problem
	switch {
	case errors.As(err, &p):
	case errors.As(err, &pointer):
		p = *pointer
	default:
		p = resources.Problem{Reason: err.Error()}
	}
	p.Key, p.Object = key, key.String()
	if p.File == "" {
		p.File = i.store.Locate(key)
	}
	return &p
}
