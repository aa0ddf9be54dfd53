package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// errOutdated means that the object changed while its status was computed. The
// worker computes the status again.
var errOutdated = errors.New("it changed while its status was computed")

// WriteStatus implements Client. It returns errGone while the store is
// unavailable and errOutdated if the object changed since seen.
func (w *world) WriteStatus(_ context.Context, seen Revision, wanted any) error {
	if w.isUnavailable() {
		return errGone
	}
	before, after, err := w.setStatus(&seen, wanted)
	if err == nil && before.key != (resources.Key{}) {
		c := change(before, after)
		c.StatusOnly = true
		w.deliver([]Change{c})
	}
	return err
}

// SetPhase sets the indexed fields of a status that is about to be written.
func (w *world) SetPhase(key resources.Key, phase string, ready bool) {
	before, after := w.cache.update(key, func(e *entry) {
		if e.object != nil && e.problem == nil {
			e.phase, e.ready = phase, ready
			w.cache.markChanged(e) // also if unchanged: a status being computed may be older
		}
	})
	if before.phase != after.phase || before.ready != after.ready {
		c := change(before, after)
		c.StatusOnly = true
		w.deliver([]Change{c})
	}
}

// setStatus stores a status in the cache and schedules writing it. It returns
// the entry before and after, which are zero if the status did not change or no
// status can be stored. It returns errOutdated if the object changed since seen.
func (w *world) setStatus(seen *Revision, wanted any) (before, after entry, err error) {
	key, common := seen.Key, resources.CommonOf(wanted)
	if common == nil {
		return before, after, Terminal(fmt.Errorf("write the status of %s: %T is no status", key, wanted))
	}
	w.statusMu.Lock()
	defer w.statusMu.Unlock()
	e := w.cache.get(key)
	if !canHaveStatus(&e) || resources.CheckName(key.Name) != nil {
		// The object was deleted and its reconciler will run again, or it was
		// not read yet, or the file name is not a valid object name and has no
		// place for a status.
		return before, after, nil
	}
	revision := e.rev // of an unreadable file, once it is reported
	if e.problem == nil && e.object != nil {
		revision = e.object.Source().Revision
	}
	graph.FillStatus(common, key, e.object, revision, e.problem)
	common.Conditions = resources.MergeConditions(oldConditions(e.status), common.Conditions, time.Now())
	text, err := w.encoder.Encode(wanted)
	if err != nil {
		return before, after, Terminal(fmt.Errorf("write the status of %s: %w", key, err))
	}
	data, same := e.status, bytes.Equal(text, e.status)
	if !same {
		data = bytes.Clone(text)
	}
	status := readStatus(data)
	if same && status.phase == e.phase && status.ready == e.ready {
		return before, after, nil
	}
	outdated := false
	before, after = w.cache.update(key, func(e *entry) {
		if outdated = e.changeID != seen.changeID; !outdated {
			e.observed = status
		}
	})
	switch {
	case outdated:
		return entry{}, entry{}, fmt.Errorf("write the status of %s: %w", key, errOutdated)
	case same:
	case e.status == nil:
		w.writer.schedule(key, Low) // usually one of many
	case differsInDetailsOnly(e.status, data):
		w.writer.queue.AddAfter(key, detailInterval)
	default:
		w.writer.schedule(key, High)
	}
	return before, after, nil
}

// canHaveStatus reports whether a status can be written for e. The read head has a
// status even without trajectory.json.
func canHaveStatus(e *entry) bool {
	if e.key.Kind == resources.Trajectories && e.key.Name == resources.TrajectoryName && !e.exists() {
		return true
	}
	return e.object != nil || e.problem != nil
}
