package exchange

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// compose computes the text of a step and checks whether it may be pushed or
// pulled.
func (l *pass) compose(s *step) (err error) {
	switch s.action {
	case Push:
		s.text = s.local.text
	case Merge:
		return l.merge(s)
	case Pull:
		s.text = s.remote.text
		if s.local.text == nil && l.deleteRequests[s.key] && s.base != nil {
			s.reason = "it was removed here, and the team has changed it since: it is back"
		}
	case RestoreLocal:
		r, err := l.x.base.read(s.pending.position)
		s.text = []byte(r.Ours)
		return err
	case ArchiveLocal:
		if hashOf(string(s.local.text)) != hashOf(string(s.base)) {
			s.reason = "the team archived it, and it was changed here: your version is in the archive"
		}
		return nil
	default:
		return nil
	}
	return l.check(s)
}

// check checks whether the text of a step may be pushed or pulled. If not, it
// skips the step, or refuses the remote version.
func (l *pass) check(s *step) (err error) {
	s.object, err = decodeStrict(s.key, s.text)
	if s.action == Pull {
		if err != nil {
			return l.refuse(s.key, err, s.remote)
		}
		return nil
	}
	if err == nil {
		err = l.x.sendable(s.object, s.text)
	}
	if err != nil {
		return l.skipStep(s, err)
	}
	return nil
}

// skipStep skips a step and records the local version without pushing it.
func (l *pass) skipStep(s *step, why error) error {
	l.skip(s.key, why)
	s.action = NoAction
	return l.x.base.RecordLocal(s.key, s.local.text)
}

// merge merges the two versions of a step. If the result has no local change,
// the step becomes a pull.
func (l *pass) merge(s *step) error {
	kind, _ := resources.KindOf(s.key.Kind)
	if _, err := decodeStrict(s.key, s.remote.text); err != nil {
		return l.refuse(s.key, err, s.remote)
	}
	if _, err := decodeStrict(s.key, s.local.text); err != nil { // truncated or not understood: wait until it is complete
		return l.skipStep(s, err)
	}
	if err := l.rebase(s); err != nil {
		return err
	}
	text, conflicts, err := MergeObject(kind, s.base, s.local.text, s.remote.text, s.remoteWins...)
	if err == nil {
		_, err = decodeStrict(s.key, text)
	}
	if err != nil { // each version is valid, but the merged one is not
		text, conflicts, s.reason = s.remote.text, nil, "both changed it, and the merged version is invalid: "+err.Error()
	}
	s.text, s.fields, s.action = text, conflicts, Push
	if hashOf(string(text)) == s.remote.sum {
		s.action = Pull
	}
	return l.check(s)
}

// rebase detects that the remote version is based on a push whose outcome was
// unknown. Such a version contains the pushed changes. The local version is
// then merged against the pushed one, so that it does not conflict with itself.
func (l *pass) rebase(s *step) error {
	entry := l.x.base.entries[s.key]
	if entry == nil {
		return nil
	}
	for _, went := range slices.Backward(entry.open()) {
		if went.text == "" {
			continue
		}
		r, err := l.x.base.read(went.position)
		if err != nil {
			return err
		}
		if Distance(s.base, s.remote.text) == Distance(s.base, []byte(r.Text))+Distance([]byte(r.Text), s.remote.text) {
			s.base = []byte(r.Ours)
			return nil
		}
	}
	return nil
}
