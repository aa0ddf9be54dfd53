package hooks

import (
	"cmp"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/resources"
)

// seenEvery is the interval for renewing a session's record without changes.
const seenEvery = time.Minute

// sessionName returns the name of the acting session's record; inside a
// subagent it is the subagent's record. It is empty if the host sends no
// session.
func (h *handler) sessionName() string {
	if h.event.Session == "" {
		return ""
	}
	if h.event.Subagent != "" {
		return resources.NameOfID(h.event.Session + "." + h.event.Subagent)
	}
	return resources.NameOfID(h.event.Session)
}

// parentName returns the record name of the session that started the acting
// one. It is empty for the main agent.
func (h *handler) parentName() string {
	switch {
	case h.event.Subagent != "" && h.event.Session != "":
		return resources.NameOfID(h.event.Session)
	case h.event.Parent != "":
		return resources.NameOfID(h.event.Parent)
	}
	return ""
}

// record returns the record of the acting session, or an empty one.
func (h *handler) record() resources.SessionSpec {
	if s, ok := h.repo.Session(h.sessionName()); ok {
		return s.Spec
	}
	return resources.SessionSpec{}
}

// updateSession applies a change to the record of the acting session. It writes
// only if the change matters, or if the record has not been renewed for a
// while. Before writing it reads the record again under a lock, so change may be
// called twice. After writing it renews the session's leases. It ignores errors,
// because a failed write must not change an answer.
func (h *handler) updateSession(change func(*resources.SessionSpec)) {
	name := h.sessionName()
	if name == "" || !h.worthWriting(name, change) {
		return
	}
	unlock, err := h.repo.lockSession(name)
	if err != nil {
		return
	}
	defer unlock()
	key := resources.Key{Kind: resources.Sessions, Name: name}
	h.repo.reread(key)
	defer h.repo.reread(key)
	spec := h.currentSession(name)
	change(&spec)
	spec.LastSeenAt = resources.NewTime(h.repo.now)
	catchUp(&spec.Counters, h.readNotes)
	if data, err := encodeSession(name, spec); err == nil {
		h.repo.putSession(name, data)
	}
	// The record is renewed at most once a minute, and the leases of the session with it.
	top := h.topSession()
	book := leases.Open(h.repo.Root)
	held, _ := book.All()
	for _, l := range held {
		if l.InOtherClone() || l.Spec.Holder.Session != top || h.repo.now.Sub(l.Spec.RenewTime.Time) < leases.RenewInterval {
			continue
		}
		if task, ok := h.repo.Task(l.Metadata.Name); ok && task.Metadata.UID == l.Metadata.UID && task.Spec.State == resources.TaskActive {
			book.Renew(task, book.Session(top, h.process()), h.repo.now)
		}
	}
}

// worthWriting reports whether the change matters for the record that was
// read. Changed counts are written only at the end of the turn.
func (h *handler) worthWriting(name string, change func(*resources.SessionSpec)) bool {
	s, ok := h.repo.Session(name)
	if !ok {
		return true
	}
	spec := s.Spec
	change(&spec)
	if h.event.Type == hosts.Stop {
		catchUp(&spec.Counters, h.readNotes)
	}
	return !spec.Equal(&s.Spec) || h.event.Agent != "" && spec.Agent != h.event.Agent ||
		h.repo.now.Sub(spec.LastSeenAt.Time) >= seenEvery
}

// currentSession returns the current record, or a new one.
func (h *handler) currentSession(name string) resources.SessionSpec {
	spec := resources.SessionSpec{Host: h.event.Host, StartedAt: resources.NewTime(h.repo.now)}
	if s, ok := h.repo.Session(name); ok {
		spec = s.Spec
	} else if h.parentName() != "" {
		spec.Parent = h.parentName()
		if parent, ok := h.repo.Session(spec.Parent); ok {
			spec.ActiveTask = parent.Spec.ActiveTask
		}
	}
	if h.event.Agent != "" {
		spec.Agent = h.event.Agent
	}
	spec.Tokens = cmp.Or(h.event.Tokens, spec.Tokens)
	if h.event.Type != hosts.SessionEnd && h.event.Type != hosts.SubagentStop {
		spec.EndedAt = resources.Time{}
	}
	return spec
}

// encodeSession returns the content of the file of a session's record.
func encodeSession(name string, spec resources.SessionSpec) ([]byte, error) {
	kind, _ := resources.KindOf(resources.Sessions)
	s := kind.New().(*resources.Session)
	s.Metadata.Name, s.Metadata.CreationTimestamp, s.Spec = name, spec.StartedAt, spec
	return resources.Encode(s)
}
