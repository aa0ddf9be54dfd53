package beads

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Export writes plans and tasks as issues, one a line, by id. What was imported from beads goes back as it was
// written there, with what changed here since. What beads has no place for goes into the issue's metadata, from where
// Import takes it again. Objects that an import made up (the plan for issues without an epic, the task that stands
// for an epic) are left out: the next import makes them again.
// Mems that came from there go back as memories, behind the issues.
func Export(plans, tasks, mems []resources.Object) ([]byte, migrate.Report) {
	x := newExporter(plans, tasks)
	var b bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(x.objects)) {
		b.Write(append(x.issue(id).JSON(), '\n'))
		x.report.Created = append(x.report.Created, x.objects[id].Key())
	}
	for _, o := range mems {
		if line, ok := memoryLine(o); ok {
			b.Write(line)
			x.report.Created = append(x.report.Created, o.Key())
		}
	}
	x.report.Read = fmt.Sprintf("Wrote %d issues.", len(x.objects))
	x.report.Finish()
	return b.Bytes(), x.report
}

// exporter is one export.
type exporter struct {
	report  migrate.Report
	objects map[string]resources.Object // what becomes an issue, by its id
	ids     map[resources.Key]string    // of all objects, those that an import made up as well
	base    map[string]resources.Object // by id, what an import of the issues as they were makes
	baseIDs map[resources.Key]string
}

func newExporter(plans, tasks []resources.Object) *exporter {
	x := &exporter{objects: map[string]resources.Object{}, ids: map[resources.Key]string{}, base: map[string]resources.Object{}, baseIDs: map[resources.Key]string{}}
	all := slices.Concat(plans, tasks)
	var lines bytes.Buffer
	for _, o := range all {
		a := o.Head().Metadata.Annotations
		id, line := a[annotationID], a[annotationIssue]
		switch {
		case id == "":
		case line == "":
			x.ids[o.Key()] = strings.TrimSuffix(id, gateID(""))
		case x.objects[id] == nil:
			x.objects[id], x.ids[o.Key()] = o, id
			lines.WriteString(line + "\n")
			bury(&lines, a[annotationBuried])
		}
	}
	for _, o := range all {
		if _, known := x.ids[o.Key()]; !known {
			x.nameNative(o)
		}
	}
	for _, o := range Convert(migrate.Input{Files: []migrate.File{{Data: lines.Bytes()}}}).Objects {
		a := o.Head().Metadata.Annotations
		x.baseIDs[o.Key()] = strings.TrimSuffix(a[annotationID], gateID(""))
		if a[annotationIssue] != "" {
			x.base[a[annotationID]] = o
		}
	}
	return x
}

// bury writes the tombstones that an issue had edges to, which its import took off.
func bury(lines *bytes.Buffer, ids string) {
	v, _, _ := migrate.Parse([]byte(ids)) // what cannot be read names none
	for _, id := range v.Items {
		tomb := migrate.Value{Type: migrate.Object}
		set(&tomb, "id", id)
		set(&tomb, "status", migrate.Text(tombstone))
		lines.Write(append(tomb.JSON(), '\n'))
	}
}

// nameNative gives an object that beads never had an id that no other has.
func (x *exporter) nameNative(o resources.Object) {
	key := o.Key()
	id := key.Name
	for n := 1; x.objects[id] != nil; n++ {
		id = fmt.Sprintf("%s-%s%d", key.Name, key.Kind[:1], n)
	}
	x.objects[id], x.ids[key] = o, id
}

// issue writes one object.
func (x *exporter) issue(id string) migrate.Value {
	o := x.objects[id]
	v := migrate.Value{Type: migrate.Object}
	base := x.base[id]
	if base != nil {
		v, _, _ = migrate.Parse([]byte(o.Head().Metadata.Annotations[annotationIssue])) // it was read before
	} else {
		set(&v, "id", migrate.Text(id))
	}
	before, now := x.view(base, x.baseIDs), x.view(o, x.ids)
	x.write(&v, id, o, before, now)
	if base == nil || contentDigest(o) != contentDigest(base) {
		x.stash(&v, o)
	}
	return v
}

// contentDigest identifies what an object says, apart from its name, its uid and when it was made.
func contentDigest(o resources.Object) string {
	copied := resources.Clone(o)
	migrate.Sign(Prefix, copied)
	return copied.Head().Metadata.Annotations[annotationDigest]
}

// facts are what both sides have of an object, in words of beads.
type facts struct {
	title, expected, status, assignee, reason, parent string
	priority                                          int
	labels, blockers                                  []string
	acceptance                                        []string // of a plan
}

// view reads an object; ids say what objects are called in beads.
func (x *exporter) view(o resources.Object, ids map[resources.Key]string) facts {
	f := facts{priority: -1}
	if o == nil {
		return f
	}
	meta := o.Head().Metadata
	for _, key := range slices.Sorted(maps.Keys(meta.Labels)) {
		if !strings.HasPrefix(key, Prefix) {
			f.labels = append(f.labels, strings.TrimSuffix(key+":"+meta.Labels[key], ":"))
		}
	}
	called := func(kind, name string) string { return cmp.Or(ids[resources.Key{Kind: kind, Name: name}], name) }
	switch spec := o.SpecPointer().(type) {
	case *resources.TaskSpec:
		f.title, f.expected, f.assignee = spec.Title, spec.ExpectedOutput, spec.AssignedTo
		f.status, f.reason = taskStatus(spec)
		f.priority = slices.Index(priorities[:], cmp.Or(spec.Priority, "normal"))
		for _, name := range spec.DependsOn {
			f.blockers = append(f.blockers, called(resources.Tasks, name))
		}
		if spec.TemporalGate != nil {
			f.blockers = append(f.blockers, called(resources.Tasks, spec.TemporalGate.After))
		}
		if f.parent = called(resources.Tasks, spec.Parent); spec.Parent == "" {
			f.parent = called(resources.WorkPlans, spec.WorkPlan)
		}
	case *resources.WorkPlanSpec:
		f.title, f.acceptance, f.assignee = spec.Title, spec.Acceptance, spec.OwnedBy
		f.status = planStatus(spec.State)
		for _, name := range spec.DependsOn {
			f.blockers = append(f.blockers, called(resources.WorkPlans, name))
		}
	}
	slices.Sort(f.blockers)
	f.blockers = slices.Compact(f.blockers)
	return f
}

// taskStatus is a task's state in words of beads, with why it was closed.
func taskStatus(spec *resources.TaskSpec) (status, reason string) {
	switch spec.State {
	case resources.TaskCompleted:
		if spec.Result != nil && spec.Result.Evidence != noReason {
			reason = spec.Result.Evidence
		}
		return closed, reason
	case resources.TaskFailed, resources.TaskAbandoned:
		return closed, spec.State + ": " + spec.Reason
	case resources.TaskActive, resources.TaskReview:
		return inProgress, ""
	}
	if spec.PlanAhead {
		return "deferred", ""
	}
	return open, ""
}

func planStatus(state string) string {
	switch state {
	case resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned:
		return closed
	case resources.PlanActive:
		return open
	}
	return "deferred"
}

// write puts into an issue what is not as it was.
func (x *exporter) write(v *migrate.Value, id string, o resources.Object, before, now facts) {
	native := x.base[id] == nil
	if native {
		x.native(v, o)
	}
	put := func(field, was, is string) {
		if was != is || native && is != "" {
			set(v, field, migrate.Text(is))
		}
	}
	put("title", before.title, cmp.Or(now.title, o.Key().Name))
	field := expectedIn(v)
	if _, described := v.At("description"); native && described {
		field = "acceptance_criteria"
	}
	put(field, before.expected, now.expected)
	if strings.Join(before.acceptance, "\n") != strings.Join(now.acceptance, "\n") {
		set(v, "acceptance_criteria", migrate.Text("- "+strings.Join(now.acceptance, "\n- ")))
	}
	put("status", before.status, now.status)
	put("assignee", before.assignee, now.assignee)
	put("close_reason", before.reason, now.reason)
	if now.priority >= 0 && before.priority != now.priority {
		set(v, "priority", migrate.Value{Type: migrate.Number, Text: fmt.Sprint(now.priority)})
	}
	if before.status != now.status && now.status == closed && !o.Source().ModTime.IsZero() {
		set(v, "closed_at", migrate.Text(o.Source().ModTime.UTC().Format(time.RFC3339)))
	}
	if !slices.Equal(before.labels, now.labels) {
		relabel(v, before.labels, now.labels)
	}
	x.edges(v, id, before, now)
}

// native writes what every issue has.
func (x *exporter) native(v *migrate.Value, o resources.Object) {
	kind := "task"
	if o.Key().Kind == resources.WorkPlans {
		kind = epic
		set(v, "priority", migrate.Value{Type: migrate.Number, Text: "2"})
	}
	set(v, "issue_type", migrate.Text(kind))
	fromOthers(v, o)
	if at := o.Created(); !at.IsZero() {
		set(v, "created_at", migrate.Text(at.UTC().Format(time.RFC3339)))
		set(v, "updated_at", migrate.Text(at.UTC().Format(time.RFC3339)))
	}
}

// carried are fields of beads that other trackers have as well, by the end of the annotation that keeps them.
var carried = map[string]string{"description": "description", "plan": "design", "details": "notes", "notes": "notes"}

// fromOthers carries over what was imported from another tracker and has a place in beads.
func fromOthers(v *migrate.Value, o resources.Object) {
	annotations := o.Head().Metadata.Annotations
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		prefix, name, found := strings.Cut(key, "."+resources.Group+"/")
		if !found || prefix == "" || strings.HasPrefix(annotations[key], migrate.Pointer) {
			continue
		}
		if field := carried[name]; field != "" {
			set(v, field, migrate.Text(annotations[key]))
		}
		if name == "comments" {
			commentsOf(v, annotations[key])
		}
	}
}

// commentsOf writes comments as beads has them, if they are a list of {author, created_at, text}.
func commentsOf(v *migrate.Value, text string) {
	list, damage, err := migrate.Parse([]byte(text))
	if err != nil || len(damage) > 0 || list.Type != migrate.List {
		return
	}
	id, _ := v.At("id")
	out := migrate.Value{Type: migrate.List}
	for n, c := range list.Items {
		said, _ := c.At("text")
		author, _ := c.At("author")
		comment := migrate.Value{Type: migrate.Object}
		set(&comment, "id", migrate.Value{Type: migrate.Number, Text: fmt.Sprint(n + 1)})
		set(&comment, "issue_id", id)
		set(&comment, "author", author)
		set(&comment, "text", said)
		if at, ok := c.At("created_at"); ok {
			if t, ok := migrate.ParseTime(at); ok {
				set(&comment, "created_at", migrate.Text(t.UTC().Format(time.RFC3339)))
			}
		}
		out.Items = append(out.Items, comment)
	}
	set(v, "comments", out)
}

// expectedIn is the field that says what is expected.
func expectedIn(v *migrate.Value) string {
	if a, ok := v.At("acceptance_criteria"); ok && strings.TrimSpace(a.Text) != "" {
		return "acceptance_criteria"
	}
	return "description"
}

// set gives an issue a field, or another value to it, however it is written.
func set(v *migrate.Value, field string, value migrate.Value) {
	names := []string{field}
	for _, f := range fields {
		if f.names[0] == field {
			names = f.names
		}
	}
	at := slices.IndexFunc(v.Fields, func(f migrate.Field) bool { return f.Name == field })
	for _, name := range names {
		if at < 0 {
			at = slices.IndexFunc(v.Fields, func(f migrate.Field) bool {
				return f.Name[:min(1, len(f.Name))] != "_" && migrate.Fold(f.Name) == migrate.Fold(name)
			})
		}
	}
	if at < 0 {
		v.Fields = append(v.Fields, migrate.Field{Name: field, Value: value})
		return
	}
	v.Fields[at].Value = value
}

// relabel takes labels off an issue that are gone here, and adds those that are new.
func relabel(v *migrate.Value, before, now []string) {
	list := migrate.Value{Type: migrate.List}
	if old, ok := v.At("labels"); ok {
		for _, label := range old.Items {
			if !slices.Contains(before, strings.TrimSuffix(label.Text, ":")) || slices.Contains(now, strings.TrimSuffix(label.Text, ":")) {
				list.Items = append(list.Items, label)
			}
		}
	}
	for _, label := range now {
		if !slices.Contains(before, label) {
			list.Items = append(list.Items, migrate.Text(label))
		}
	}
	set(v, "labels", list)
}

// edges takes off an issue what it no longer waits for, or is a part of, and adds what is new.
func (x *exporter) edges(v *migrate.Value, id string, before, now facts) {
	if slices.Equal(before.blockers, now.blockers) && before.parent == now.parent {
		return
	}
	list := migrate.Value{Type: migrate.List}
	if old, ok := v.At("dependencies"); ok {
		for _, raw := range old.Items {
			e, ok := edgeIn(raw, blocks)
			gone := ok && (holds(e.Type) && slices.Contains(before.blockers, e.On) && !slices.Contains(now.blockers, e.On) ||
				e.Type == parentChild && e.On == before.parent && before.parent != now.parent)
			if !gone {
				list.Items = append(list.Items, raw)
			}
		}
	}
	for _, on := range now.blockers {
		if !slices.Contains(before.blockers, on) {
			list.Items = append(list.Items, edgeValue(id, on, blocks))
		}
	}
	if now.parent != before.parent && x.objects[now.parent] != nil {
		list.Items = append(list.Items, edgeValue(id, now.parent, parentChild))
	}
	if _, had := v.At("dependencies"); had || len(list.Items) > 0 {
		set(v, "dependencies", list)
	}
}

// stash puts the object into the issue's metadata.
func (x *exporter) stash(v *migrate.Value, o resources.Object) {
	data, err := resources.Encode(o)
	if err != nil {
		return
	}
	object, _, err := migrate.Parse(data)
	if err != nil {
		return
	}
	metadata := migrate.Value{Type: migrate.Object}
	if old, ok := v.At("metadata"); ok && old.Type == migrate.Object {
		metadata = old
	} else if ok {
		x.report.Trouble(migrate.Problem{ID: o.Key().String(), Message: "its metadata in beads is no object: what beads has no place for is left out"})
		return
	}
	set(&metadata, "idumb", migrate.Value{Type: migrate.Object, Fields: []migrate.Field{
		{Name: "digest", Value: migrate.Text(digestOf(*v))}, {Name: "object", Value: object},
	}})
	set(v, "metadata", metadata)
}

// memoryLine is a mem as bd import takes it; false for one that did not come from there.
func memoryLine(o resources.Object) ([]byte, bool) {
	m, ok := o.(*resources.Mem)
	if !ok || m.Metadata.Annotations[annotationID] == "" {
		return nil, false
	}
	v := migrate.Value{Type: migrate.Object}
	set(&v, "_type", migrate.Text("memory"))
	set(&v, "key", migrate.Text(m.Metadata.Annotations[annotationID]))
	set(&v, "value", migrate.Text(m.Spec.Content))
	return append(v.JSON(), '\n'), true
}
