package migrate

import (
	"cmp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// told begins what was learnt, or must survive, with what it says. A record that says nothing is left, and nil is
// returned, as for one that was there already.
func (b *Builder) told(kind string, f File, r *Record, names ...string) (*Draft, string) {
	content := r.Text(names...)
	if content == "" {
		b.leaveRecord(f, kind+" without content", "")
		return nil, ""
	}
	return b.Add(kind, f, r, r.Text(strings.Fields(idNames)...)), content
}

// Mem reads a record as something learnt.
func (b *Builder) Mem(f File, r *Record) *Draft {
	d, content := b.told(resources.Mems, f, r, "content", "value", "text", "summary", "description")
	if d == nil {
		return nil
	}
	b.Map(d)
	spec := Spec[resources.MemSpec](d)
	spec.Content = content
	if spec.Supersedes != "" {
		spec.SupersedeReason = "said so in " + b.title
	}
	if v, _ := r.Peek("type"); spec.Type == "" && strings.Contains(Fold(v.Text), "falsepath") {
		spec.Type = resources.FalsePath
	}
	return d
}

// StaleAfter says how long a mem holds: until a stamp, or, where there is none that lies behind its
// creation, for some hours.
func (d *Draft) StaleAfter(stamp time.Time, otherwise time.Duration) {
	created := d.Meta().CreationTimestamp
	ttl := otherwise
	if !stamp.IsZero() && !created.IsZero() && stamp.Sub(created.Time) > time.Minute {
		ttl = stamp.Sub(created.Time).Round(time.Second)
	}
	Spec[resources.MemSpec](d).StaleAfter = durationText(ttl)
}

// durationText writes a duration without the zeros at its end: "72h".
func durationText(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return cmp.Or(text, "1s")
}

// Anchor reads a record as a fact that must survive.
func (b *Builder) Anchor(f File, r *Record) *Draft {
	d, content := b.told(resources.Anchors, f, r, "content", "value", "text", "description")
	if d == nil {
		return nil
	}
	stamps := r.Inner("timestamp")
	d.Created(stamps.Time("createdAt"))
	if t := stamps.Time("validatedAt"); !t.IsZero() {
		d.Meta().Annotations[resources.AnnotationValidatedAt] = t.UTC().Format(time.RFC3339)
	}
	b.Map(d)
	Spec[resources.AnchorSpec](d).Content = content
	return d
}

// Session reads a record as a session of OpenCode, the host that both iDumb and HiveMind are plugins of. nil: it
// was there already. id is what it is called where it does not say it.
func (b *Builder) Session(f File, r *Record, id string) *Draft {
	d := b.Add(resources.Sessions, f, r, or(r.Text("sessionId", "id"), id))
	if d == nil {
		return nil
	}
	b.Map(d)
	spec := Spec[resources.SessionSpec](d)
	spec.Host = "opencode"
	d.Created(spec.StartedAt.Time)
	active, _ := r.Peek("activeTask")
	named, _ := active.At("id")
	spec.ActiveTask = or(named.Text, r.Text("activeTask"))
	return d
}

// delegationStates are words for a hand-over whose task is not over, folded; all others are done.
var delegationStates = map[string]string{
	"accepted": "accepted", "active": "accepted", "inprogress": "accepted", "pending": "assigned", "assigned": "assigned",
	"rejected": "recalled", "expired": "recalled", "recalled": "recalled", "cancelled": "recalled",
}

// Delegation reads a record of a task that was handed over. Without a task that is there nothing can be
// made of it, and it is left.
func (b *Builder) Delegation(f File, r *Record) {
	task := b.Find(resources.Tasks, r.Text("taskId", "task"))
	from, to := r.Text("fromAgent", "from"), r.Text("toAgent", "agentType", "to")
	if task == nil || from == "" || to == "" || from == to {
		b.leaveRecord(f, "delegations without a task that is there, or without two agents", "")
		return
	}
	d := b.Add(resources.Delegations, f, r, r.Text(strings.Fields(idNames)...))
	if d == nil {
		return
	}
	b.Map(d)
	d.Annotate("context", r.Text("context"))
	spec := Spec[resources.DelegationSpec](d)
	word := r.Text(strings.Fields(statusNames)...)
	if spec.State = "done"; !IsOver(Spec[resources.TaskSpec](task).State) {
		spec.State = cmp.Or(delegationStates[Fold(word)], "done")
	}
}
