package plans

import (
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/merge3"
	"github.com/idumb-dev/idumb/resources"
)

// compose computes the text of a step and checks whether it may be pushed or
// pulled.
func (l *look) compose(s *step) (err error) {
	switch s.deed {
	case Send:
		s.text = s.here.text
	case Merge:
		return l.merge(s)
	case Take:
		s.text = s.team.text
		if s.here.text == nil && l.removed[s.key] && s.base != nil {
			s.reason = "it was removed here, and the team has changed it since: it is back"
		}
	case PutBack:
		r, err := l.x.base.read(s.pending.place)
		s.text = []byte(r.Ours)
		return err
	case Drop:
		if sumOf(string(s.here.text)) != sumOf(string(s.base)) {
			s.reason = "the team set it aside, and it was changed here: what stood here is in the archive"
		}
		return nil
	default:
		return nil
	}
	return l.judge(s)
}

// judge checks whether the text of a step may be pushed or pulled.
func (l *look) judge(s *step) (err error) {
	s.object, err = read(s.key, s.text)
	if s.deed == Take {
		if err != nil {
			return l.refuse(s.key, err, s.team)
		}
		return nil
	}
	if err == nil {
		err = l.x.sendable(s.object, s.text)
	}
	if err != nil {
		return l.keep(s, err)
	}
	return nil
}

// keep skips a step and records the local version without pushing it.
func (l *look) keep(s *step, why error) error {
	l.hold(s.key, why)
	s.deed = Rest
	return l.x.base.See(s.key, s.here.text)
}

// merge merges the two versions of a step. If the result has no local change,
// the step becomes a pull.
func (l *look) merge(s *step) error {
	kind, _ := resources.KindOf(s.key.Kind)
	if _, err := read(s.key, s.team.text); err != nil {
		return l.refuse(s.key, err, s.team)
	}
	if _, err := read(s.key, s.here.text); err != nil { // truncated or not understood: wait until it is complete
		return l.keep(s, err)
	}
	if err := l.onTop(s); err != nil {
		return err
	}
	text, conflicts, err := merge3.Merge(kind, s.base, s.here.text, s.team.text, s.yields...)
	if err == nil {
		_, err = read(s.key, text)
	}
	if err != nil { // each version is valid, but the merged one is not
		text, conflicts, s.reason = s.team.text, nil, "both changed it, and what comes of that is none: "+err.Error()
	}
	s.text, s.fields, s.deed = text, conflicts, Send
	if sumOf(string(text)) == s.team.sum {
		s.deed = Take
	}
	return l.judge(s)
}

// onTop detects that the remote version is based on a push whose outcome was
// unknown. Such a version contains the pushed changes. The local version is
// then merged against the pushed one, so that it does not conflict with itself.
func (l *look) onTop(s *step) error {
	entry := l.x.base.entries[s.key]
	if entry == nil {
		return nil
	}
	for _, went := range slices.Backward(entry.open()) {
		if went.text == "" {
			continue
		}
		r, err := l.x.base.read(went.place)
		if err != nil {
			return err
		}
		if merge3.Distance(s.base, s.team.text) == merge3.Distance(s.base, []byte(r.Text))+merge3.Distance([]byte(r.Text), s.team.text) {
			s.base = []byte(r.Ours)
			return nil
		}
	}
	return nil
}
