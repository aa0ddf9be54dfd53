package beads

import (
	"bytes"
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
			lines.WriteString(line + "\n" + tombstones(a[annotationBuried]))
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

// tombstones are the tombstones that an issue had edges to, which its import took off.
func tombstones(ids string) string {
	var lines []byte
	v, _, _ := migrate.Parse([]byte(ids)) // what cannot be read names none
	for _, id := range v.Items {
		var tomb migrate.Value
		set(&tomb, "id", id)
		put(&tomb, "status", tombstone)
		lines = append(append(lines, tomb.JSON()...), '\n')
	}
	return string(lines)
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
	o, base := x.objects[id], x.base[id]
	v := migrate.Value{Type: migrate.Object}
	before := facts{}
	if base != nil {
		v, _, _ = migrate.Parse([]byte(o.Head().Metadata.Annotations[annotationIssue])) // it was read before
		before = factsOf(base, x.baseIDs)
	} else {
		put(&v, "id", id)
		native(&v, o)
	}
	x.write(&v, id, before, factsOf(o, x.ids))
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

// write puts into an issue what is not as it was.
func (x *exporter) write(v *migrate.Value, id string, before, now facts) {
	for _, f := range fields {
		field, _, _ := strings.Cut(f.names, " ")
		is := now.texts[field]
		if before.texts[field] == is || field == "acceptance_criteria" && before.texts == nil && is == now.texts["title"] {
			continue // an issue is expected to do what it is called
		}
		set(v, field, migrate.Value{Type: f.values, Text: is})
	}
	if before.texts["status"] != closed && now.texts["status"] == closed {
		if at := x.objects[id].Source().ModTime; !at.IsZero() {
			put(v, "closed_at", at.UTC().Format(time.RFC3339))
		}
	}
	if !slices.Equal(before.labels, now.labels) {
		relabel(v, before.labels, now.labels)
	}
	x.edges(v, id, before, now)
}

// native writes what every issue has.
func native(v *migrate.Value, o resources.Object) {
	kind := "task"
	if o.Key().Kind == resources.WorkPlans {
		kind = epic
		set(v, "priority", migrate.Value{Type: migrate.Number, Text: "2"})
	}
	put(v, "issue_type", kind)
	fromOthers(v, o)
	if at := o.Created(); !at.IsZero() {
		put(v, "created_at", at.UTC().Format(time.RFC3339))
		put(v, "updated_at", at.UTC().Format(time.RFC3339))
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
			put(v, field, annotations[key])
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
	for n, c := range list.Items {
		said, _ := c.At("text")
		author, _ := c.At("author")
		var comment migrate.Value
		set(&comment, "id", migrate.Value{Type: migrate.Number, Text: fmt.Sprint(n + 1)})
		set(&comment, "issue_id", id)
		set(&comment, "author", author)
		set(&comment, "text", said)
		at, _ := c.At("created_at")
		if t, ok := migrate.ParseTime(at); ok {
			put(&comment, "created_at", t.UTC().Format(time.RFC3339))
		}
		list.Items[n] = comment
	}
	set(v, "comments", list)
}

// relabel takes labels off an issue that are gone here, and adds those that are new.
func relabel(v *migrate.Value, before, now []string) {
	old, _ := v.At("labels")
	list := migrate.Value{Type: migrate.List}
	for _, label := range old.Items {
		if text := strings.TrimSuffix(label.Text, ":"); !slices.Contains(before, text) || slices.Contains(now, text) {
			list.Items = append(list.Items, label)
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
	old, had := v.At("dependencies")
	list := migrate.Value{Type: migrate.List}
	for _, raw := range old.Items {
		e, ok := edgeIn(raw, blocks)
		gone := holds(e.Type) && slices.Contains(before.blockers, e.On) && !slices.Contains(now.blockers, e.On) ||
			e.Type == parentChild && e.On == before.parent && before.parent != now.parent
		if !ok || !gone {
			list.Items = append(list.Items, raw)
		}
	}
	add := func(on, edgeType string) {
		list.Items = append(list.Items, migrate.Made("issue_id", id, "depends_on_id", on, "type", edgeType).Value)
	}
	for _, on := range now.blockers {
		if !slices.Contains(before.blockers, on) {
			add(on, blocks)
		}
	}
	if now.parent != before.parent && x.objects[now.parent] != nil {
		add(now.parent, parentChild)
	}
	if had || len(list.Items) > 0 {
		set(v, "dependencies", list)
	}
}

// stash puts the object into the issue's metadata.
func (x *exporter) stash(v *migrate.Value, o resources.Object) {
	data, _ := resources.Encode(o)
	object, _, err := migrate.Parse(data)
	if err != nil {
		return
	}
	metadata, there := v.At("metadata")
	if there && metadata.Type != migrate.Object {
		x.report.Trouble(migrate.Problem{ID: o.Key().String(), Message: "its metadata in beads is no object: what beads has no place for is left out"})
		return
	}
	var stashed migrate.Value
	put(&stashed, "digest", digestOf(*v))
	set(&stashed, "object", object)
	set(&metadata, "idumb", stashed)
	set(v, "metadata", metadata)
}

// memoryLine is a mem as bd import takes it; false for one that did not come from there.
func memoryLine(o resources.Object) ([]byte, bool) {
	m, ok := o.(*resources.Mem)
	if !ok || m.Metadata.Annotations[annotationID] == "" {
		return nil, false
	}
	var v migrate.Value
	put(&v, "_type", "memory")
	put(&v, "key", m.Metadata.Annotations[annotationID])
	put(&v, "value", m.Spec.Content)
	return append(v.JSON(), '\n'), true
}
