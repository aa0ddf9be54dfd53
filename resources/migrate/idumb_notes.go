package migrate

import (
	"path"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// state reads state.json, which was hook-state.json for a time, and which is another one in v1: sessions, anchors by
// session or in a list, and in v1 figures and a history.
func (b *idumb) state(f File, r *Record) {
	saved := r.Time("lastSaved")
	for _, s := range r.Records("sessions") {
		d := b.Session(f, s)
		if d == nil {
			continue
		}
		spec := d.Object.SpecPointer().(*resources.SessionSpec)
		if spec.LastSeenAt.IsZero() && !saved.IsZero() {
			spec.LastSeenAt = resources.NewTime(saved)
		}
	}
	if v, ok := r.Take("anchors"); ok {
		b.anchors(f, "anchors", v)
	}
	if inner := r.Inner("tasks"); inner != nil {
		b.taskStore(f, inner)
		b.LeaveRest(f, inner, "fields of "+path.Base(f.Path))
	}
}

// anchors reads a list of anchors, or lists of them by session.
func (b *idumb) anchors(f File, at string, v Value) {
	if v.Type != Object || isOne(v) {
		for _, a := range Records(at, v) {
			b.Anchor(f, a)
		}
		return
	}
	for _, session := range v.Fields {
		if session.Value.Type != List && !isOne(session.Value) {
			b.anchors(f, at+"."+session.Name, session.Value)
			continue
		}
		for _, a := range Records(at+"."+session.Name, session.Value) {
			if d := b.Anchor(f, a); d != nil {
				d.Annotate("session", session.Name)
			}
		}
	}
}

// delegations reads brain/delegations.json.
func (b *idumb) delegations(f File, r *Record) {
	for _, d := range r.Records("delegations", "value") {
		b.Delegation(f, d)
	}
}

// knowledge reads brain/knowledge.json: entries of the brain.
func (b *idumb) knowledge(f File, r *Record) {
	for _, e := range r.Records("entries", "mems", "value") {
		d := b.Mem(f, e)
		if d == nil {
			continue
		}
		if ms, ok := e.Peek("staleAfter"); ok {
			if ttl, err := time.ParseDuration(strings.TrimSpace(ms.Text) + "ms"); err == nil && ttl >= time.Second {
				e.Take("staleAfter")
				d.StaleAfter(time.Time{}, ttl)
			}
		}
	}
}

// session reads a file of sessions/.
func (b *idumb) session(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	if !r.Has("sessionId", "session_id", "id") {
		r.Value.Fields = append(r.Value.Fields, Field{"sessionId", Text(strings.TrimSuffix(path.Base(f.Path), ".json"))})
		r.taken = append(r.taken, false)
	}
	b.Session(f, r)
}

// anchorFile reads a file of anchors/.
func (b *idumb) anchorFile(f File) {
	if r, ok := b.Parse(f); ok {
		if r.Has("anchors") {
			v, _ := r.Take("anchors")
			b.anchors(f, "anchors", v)
			b.LeaveRest(f, r, "fields of anchors")
			return
		}
		b.Anchor(f, r)
	}
}

// config reads config.json: languages and how long things hold. The rest told that plugin what to do.
func (b *idumb) config(f File, r *Record) {
	spec := b.settings()
	if user, ok := r.Peek("user"); ok && user.Type == Object {
		u := r.Inner("user")
		b.language(spec, u)
		b.LeaveRest(f, u, "settings")
	}
	b.language(spec, r)
	if hours, ok := r.Value.At("staleness", "warningHours"); ok && spec.AnchorStaleAfter == "" {
		if ttl, err := time.ParseDuration(strings.TrimSpace(hours.Text) + "h"); err == nil && ttl > 0 {
			spec.AnchorStaleAfter = durationText(ttl)
		}
	}
	b.LeaveRest(f, r, "settings")
}
