package migrate

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// contentFields are the names of what was learnt, or is to be remembered.
var contentFields = []string{"content", "value", "text", "summary", "description"}

// Mem reads a record as something learnt. A record without content is left, and nil is returned,
// as for one that was there already.
func (b *Builder) Mem(f File, r *Record) *Draft {
	content := r.Text(contentFields...)
	if content == "" {
		b.read++
		b.Leave(f, "mems without content", r.At)
		return nil
	}
	d := b.Add(resources.Mems, f, r, r.Text(idFields...))
	if d == nil {
		return nil
	}
	spec := d.Object.SpecPointer().(*resources.MemSpec)
	*spec = resources.MemSpec{
		Content: content, Title: r.Text("title", "name"), Shelf: r.Text("shelf", "category"), Tags: r.Texts("tags", "labels"),
		OriginTask: r.Text("originTaskId", "origin_task_id", "originTask", "taskId"), Parent: r.Text("parentId", "parent_id", "parent"),
		Supersedes: r.Text("supersedes"), Source: r.Text("source"), RelatedTo: r.Texts("relatedTo", "related_to"),
	}
	if spec.Supersedes != "" {
		spec.SupersedeReason = "said so in " + b.title
	}
	if spec.Type = b.enum(d, r, resources.Mems, "type"); spec.Type == "" && strings.Contains(Fold(peekText(r, "type")), "falsepath") {
		spec.Type = resources.FalsePath
	}
	for _, note := range r.Texts("evidence") {
		spec.Evidence = append(spec.Evidence, resources.MemEvidence{Note: note})
	}
	if v, ok := r.Peek("confidence"); ok {
		if n, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64); err == nil && n >= 0 && n <= 100 {
			whole := int(math.Round(n))
			if spec.Confidence = &whole; float64(whole) == n {
				r.Take("confidence")
			}
		}
	}
	d.Created(r.Time("createdAt", "created_at", "created", "timestamp", "date"))
	return d
}

// StaleAfter says how long a mem holds: until a stamp, or, where there is none that lies behind its
// creation, for some hours.
func (d *Draft) StaleAfter(stamp time.Time, otherwise time.Duration) {
	spec := d.Object.SpecPointer().(*resources.MemSpec)
	created := d.Meta().CreationTimestamp
	ttl := otherwise
	if !stamp.IsZero() && !created.IsZero() && stamp.Sub(created.Time) > time.Minute {
		ttl = stamp.Sub(created.Time).Round(time.Second)
	}
	spec.StaleAfter = durationText(ttl)
}

// durationText writes a duration without the zeros at its end: "72h".
func durationText(d time.Duration) string {
	text := d.String()
	text = strings.TrimSuffix(text, "0s")
	if text == "" || strings.HasSuffix(text, "m") && strings.HasSuffix(strings.TrimSuffix(text, "m"), "h0") {
		text = strings.TrimSuffix(text, "0m")
	}
	return cmp.Or(text, "1s")
}

// Anchor reads a record as a fact that must survive. A record without content is left, and nil is
// returned, as for one that was there already.
func (b *Builder) Anchor(f File, r *Record) *Draft {
	content := r.Text("content", "value", "text", "description")
	if content == "" {
		b.read++
		b.Leave(f, "anchors without content", r.At)
		return nil
	}
	d := b.Add(resources.Anchors, f, r, r.Text(idFields...))
	if d == nil {
		return nil
	}
	spec := d.Object.SpecPointer().(*resources.AnchorSpec)
	*spec = resources.AnchorSpec{Content: content, Type: b.enum(d, r, resources.Anchors, "type")}
	if word := r.Text("priority"); word != "" {
		if spec.Priority = Priority(word); spec.Priority != word {
			d.Annotate("priority", word)
		}
	}
	if stamps := r.Inner("timestamp"); stamps != nil {
		d.Created(stamps.Time("createdAt"))
		if t := stamps.Time("validatedAt"); !t.IsZero() {
			d.Meta().Annotations = map[string]string{resources.AnnotationValidatedAt: t.UTC().Format(time.RFC3339)}
		}
		d.Rest("timestamp", stamps)
	}
	if t := r.Time("createdAt", "created_at", "created", "timestamp"); !t.IsZero() {
		d.Created(t)
	}
	return d
}

// Session reads a record as a session of OpenCode, the host that both iDumb and HiveMind are plugins of. nil: it
// was there already.
func (b *Builder) Session(f File, r *Record) *Draft {
	d := b.Add(resources.Sessions, f, r, r.Text("sessionId", "session_id", "id"))
	if d == nil {
		return nil
	}
	spec := d.Object.SpecPointer().(*resources.SessionSpec)
	spec.Host, spec.Agent = "opencode", r.Text("capturedAgent", "agent", "agentRole")
	spec.Parent = r.Text("parentId", "parent_session_id", "parentSessionId")
	if v, ok := r.Peek("activeTask"); ok {
		if id, named := v.At("id"); named {
			spec.ActiveTask = id.Text
		} else if spec.ActiveTask = r.Text("activeTask"); spec.ActiveTask == "" {
			r.Keep("activeTask")
		}
	}
	started := r.Time("createdAt", "created_at", "start_time", "startedAt")
	spec.LastSeenAt = timeOrZero(r.Time("lastActivity", "last_activity", "lastUpdated", "updated_at", "lastSeenAt"))
	spec.StartedAt = timeOrZero(started)
	d.Created(started)
	return d
}

func timeOrZero(t time.Time) resources.Time {
	if t.IsZero() {
		return resources.Time{}
	}
	return resources.NewTime(t)
}

// Delegation reads a record of a task that was handed over. Without a task that is there nothing can be
// made of it, and it is left.
func (b *Builder) Delegation(f File, r *Record) {
	task := b.Find(resources.Tasks, peekText(r, "taskId", "task_id", "task"))
	from, to := peekText(r, "fromAgent", "from_agent", "from"), peekText(r, "toAgent", "to_agent", "agent_type", "to")
	if task == nil || from == "" || to == "" || from == to {
		b.read++
		b.Leave(f, "delegations without a task that is there, or without two agents", r.At)
		return
	}
	d := b.Add(resources.Delegations, f, r, r.Text(idFields...))
	if d == nil {
		return
	}
	spec := d.Object.SpecPointer().(*resources.DelegationSpec)
	*spec = resources.DelegationSpec{
		Task: r.Text("taskId", "task_id", "task"), From: r.Text("fromAgent", "from_agent", "from"), To: r.Text("toAgent", "to_agent", "agent_type", "to"),
		AllowedTools: r.Texts("allowedTools", "allowed_tools"), ExpectedOutput: r.Text("expectedOutput", "expected_output"), State: "done",
	}
	word := r.Text(statusFields...)
	if state := Fold(word); !IsOver(task.Object.SpecPointer().(*resources.TaskSpec).State) {
		switch state {
		case "accepted", "active", "inprogress":
			spec.State = "accepted"
		case "pending", "assigned":
			spec.State = "assigned"
		case "rejected", "expired", "recalled", "cancelled":
			spec.State = "recalled"
		}
	}
	if word != spec.State {
		d.Annotate("status", word)
	}
	d.Created(r.Time("createdAt", "created_at"))
}

// peekText is Text without taking.
func peekText(r *Record, names ...string) string {
	copied := *r
	copied.taken = append([]bool(nil), r.taken...)
	return copied.Text(names...)
}
