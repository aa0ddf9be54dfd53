package resources

import "iter"

// Outline is an object as a table shows it. It is shared and read-only.
type Outline struct {
	Key     Key
	Object  Object   // the last good version; nil if there is none
	Problem *Problem // why the file cannot be read or is invalid; nil if it is in order
	Status  any      // as Derived; of a task without conditions, uid and observedRevision
}

// Outlines yields all objects of a kind, sorted by name, with what holds about
// them. Of tasks, of which there may be many, it computes no conditions: to say why
// something holds takes longer than to find out that it does. Ask Derived for those.
func (s *Snapshot) Outlines(kind string) iter.Seq[Outline] {
	return func(yield func(Outline) bool) {
		shelf := s.shelves[kind]
		if shelf == nil {
			return
		}
		shared := statuses{}
		for n, name := range shelf.names {
			key := Key{kind, name}
			o := Outline{Key: key, Object: shelf.at(n), Problem: s.problem(key)}
			if shelf == s.tasks {
				o.Status = shared.of(s.outline(n))
			} else {
				o.Status = s.observeAt(key, shelf, n).status
			}
			if !yield(o) {
				return
			}
		}
	}
}

// outline is the status of the n-th task without its conditions.
func (s *Snapshot) outline(n int) TaskStatus {
	t, readable := s.tasks.objects[n].(*Task)
	var status TaskStatus
	if readable {
		status = outlineTask(t, settledView{s})
	}
	if s.problem(Key{Tasks, s.tasks.names[n]}) != nil {
		status.Phase = PhaseInvalid
	}
	return status
}

// statuses are those that say no more than a phase, by phase: most do not, and one of
// each is enough.
type statuses map[string]*TaskStatus

func (s statuses) of(status TaskStatus) *TaskStatus {
	c := &status.Checkpoints
	if len(status.BlockedBy)+len(status.Artifacts)+len(c.Last)+c.Count > 0 {
		return new(status)
	}
	known := s[status.Phase]
	if known == nil || known.Ready != status.Ready {
		known = new(status)
		s[status.Phase] = known
	}
	return known
}
