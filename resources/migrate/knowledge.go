package migrate

import (
	"cmp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// startMem starts a mem or an anchor, and returns its content. It returns nil for a record
// without content, which is reported, and for an identical record.
func (b *Builder) startMem(kind string, f File, r *Record, names ...string) (*Draft, string) {
	content := r.Text(names...)
	if content == "" {
		b.leaveRecord(f, kind+" without content", "")
		return nil, ""
	}
	return b.Add(kind, f, r, r.Text(strings.Fields(idNames)...)), content
}

// Mem reads a record as a mem.
func (b *Builder) Mem(f File, r *Record) *Draft {
	d, content := b.startMem(resources.Mems, f, r, "content", "value", "text", "summary", "description")
	if d == nil {
		return nil
	}
	b.Map(d)
	spec := Spec[resources.MemSpec](d)
	spec.Content = content
	if spec.Supersedes != "" {
		spec.SupersedeReason = "stated in " + b.title
	}
	if v, _ := r.Peek("type"); spec.Type == "" && strings.Contains(Fold(v.Text), "falsepath") {
		spec.Type = resources.FalsePath
	}
	return d
}

// StaleAfter sets the lifetime of a mem: until stamp, or otherwise if stamp is not after
// its creation.
func (d *Draft) StaleAfter(stamp time.Time, otherwise time.Duration) {
	created := d.Meta().CreationTimestamp
	ttl := otherwise
	if !stamp.IsZero() && !created.IsZero() && stamp.Sub(created.Time) > time.Minute {
		ttl = stamp.Sub(created.Time).Round(time.Second)
	}
	Spec[resources.MemSpec](d).StaleAfter = durationText(ttl)
}

// durationText formats a duration without trailing zeros: "72h".
func durationText(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return cmp.Or(text, "1s")
}

// Anchor reads a record as an anchor.
func (b *Builder) Anchor(f File, r *Record) *Draft {
	d, content := b.startMem(resources.Anchors, f, r, "content", "value", "text", "description")
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

// Session reads a record as a session of OpenCode, because iDumb and HiveMind were plugins
// of OpenCode. It returns nil for an identical record. id is used if the record has no ID.
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
	named, _ := active.Lookup("id")
	spec.ActiveTask = or(named.Text, r.Text("activeTask"))
	return d
}

// delegationStates maps folded words to states of a delegation with an open task. All other
// words mean done.
var delegationStates = map[string]string{
	"accepted": "accepted", "active": "accepted", "inprogress": "accepted", "pending": "assigned", "assigned": "assigned",
	"rejected": "recalled", "expired": "recalled", "recalled": "recalled", "cancelled": "recalled",
}

// Delegation reads a delegation of a task. It reports delegations of unknown tasks as
// leftovers.
func (b *Builder) Delegation(f File, r *Record) {
	task := b.Find(resources.Tasks, r.Text("taskId", "task"))
	from, to := r.Text("fromAgent", "from"), r.Text("toAgent", "agentType", "to")
	if task == nil || from == "" || to == "" || from == to {
		b.leaveRecord(f, "delegations without an existing task or without two agents", "")
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
