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

// Export writes plans and tasks as issues, one per line, sorted by ID. Imported issues are
// restored with the changes that were made here. Data for which beads has no field is
// stored in the issue's metadata, from which Convert reads it again. Objects that an import
// generated (plans for issues without an epic, tasks for epics) are omitted, because the
// next import generates them again. Mems that were imported as memories are written as
// memories after the issues.
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
	x.report.Summary = fmt.Sprintf("Wrote %d issues.", len(x.objects))
	x.report.Finish()
	return b.Bytes(), x.report
}

// exporter is the state of one export to beads' issues.
type exporter struct {
	report  migrate.Report
	objects map[string]resources.Object // exported objects by issue ID
	ids     map[resources.Key]string    // of all objects, including generated ones
	base    map[string]resources.Object // by ID: results of importing the original issues
	baseIDs map[resources.Key]string
}

// newExporter returns an exporter of plans and tasks. It converts their original issues again, so
// that only later changes are exported.
func newExporter(plans, tasks []resources.Object) *exporter {
	x := &exporter{objects: map[string]resources.Object{}, ids: map[resources.Key]string{}, base: map[string]resources.Object{}, baseIDs: map[resources.Key]string{}}
	all := slices.Concat(plans, tasks)
	var lines bytes.Buffer
	for _, o := range all {
		a := o.Head().Metadata.Annotations
		switch id, line := a[annotationID], a[annotationIssue]; {
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

// tombstones returns the tombstone lines for IDs in the annotation of an issue.
func tombstones(ids string) string {
	var lines []byte
	v, _, _ := migrate.Parse([]byte(ids)) // an unreadable list has no IDs
	for _, id := range v.Items {
		var tomb migrate.Value
		set(&tomb, "id", id)
		setText(&tomb, "status", tombstone)
		lines = append(append(lines, tomb.JSON()...), '\n')
	}
	return string(lines)
}

// nameNative assigns a unique ID to an object that was not imported from beads.
func (x *exporter) nameNative(o resources.Object) {
	key := o.Key()
	id := key.Name
	for n := 1; x.objects[id] != nil; n++ {
		id = fmt.Sprintf("%s-%s%d", key.Name, key.Kind[:1], n)
	}
	x.objects[id], x.ids[key] = o, id
}

// issue returns the issue of one object.
func (x *exporter) issue(id string) migrate.Value {
	o, base := x.objects[id], x.base[id]
	v := migrate.Value{Type: migrate.Object}
	before := facts{}
	if base != nil {
		v, _, _ = migrate.Parse([]byte(o.Head().Metadata.Annotations[annotationIssue])) // was parsed before
		before = factsOf(base, x.baseIDs)
	} else {
		setText(&v, "id", id)
		native(&v, o)
	}
	x.write(&v, id, before, factsOf(o, x.ids))
	if base == nil || contentDigest(o) != contentDigest(base) {
		x.stash(&v, o)
	}
	return v
}

// contentDigest returns a digest of an object without its name, UID and creation time.
func contentDigest(o resources.Object) string {
	copied := resources.Clone(o)
	migrate.Sign(Prefix, copied)
	return copied.Head().Metadata.Annotations[annotationDigest]
}

// write updates the fields of an issue that changed.
func (x *exporter) write(v *migrate.Value, id string, before, now facts) {
	for _, f := range fields {
		field, _, _ := strings.Cut(f.names, " ")
		is := now.texts[field]
		if before.texts[field] == is || field == "acceptance_criteria" && before.texts == nil && is == now.texts["title"] {
			continue // an issue without criteria is expected to do its title
		}
		set(v, field, migrate.Value{Type: f.values, Text: is})
	}
	if before.texts["status"] != closed && now.texts["status"] == closed {
		if at := x.objects[id].Source().ModTime; !at.IsZero() {
			setText(v, "closed_at", at.UTC().Format(time.RFC3339))
		}
	}
	if !slices.Equal(before.labels, now.labels) {
		relabel(v, before.labels, now.labels)
	}
	x.edges(v, id, before, now)
}

// native sets the mandatory fields of a new issue.
func native(v *migrate.Value, o resources.Object) {
	kind := "task"
	if o.Key().Kind == resources.WorkPlans {
		kind = epic
		set(v, "priority", migrate.Value{Type: migrate.Number, Text: "2"})
	}
	setText(v, "issue_type", kind)
	// Annotations of other trackers for which beads has a field are copied.
	annotations := o.Head().Metadata.Annotations
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		prefix, name, found := strings.Cut(key, "."+resources.Group+"/")
		if !found || prefix == "" || strings.HasPrefix(annotations[key], migrate.Pointer) {
			continue
		}
		if field := carried[name]; field != "" {
			setText(v, field, annotations[key])
		}
		if name == "comments" {
			commentsOf(v, annotations[key])
		}
	}
	if at := o.Created(); !at.IsZero() {
		setText(v, "created_at", at.UTC().Format(time.RFC3339))
		setText(v, "updated_at", at.UTC().Format(time.RFC3339))
	}
}

// carried maps the last part of an annotation's key to a field of beads, for annotations of
// other trackers.
var carried = map[string]string{"description": "description", "plan": "design", "details": "notes", "notes": "notes"}

// commentsOf writes comments in the format of beads if they are a list of {author,
// created_at, text}.
func commentsOf(v *migrate.Value, text string) {
	list, damage, err := migrate.Parse([]byte(text))
	if err != nil || len(damage) > 0 || list.Type != migrate.List {
		return
	}
	id, _ := v.Lookup("id")
	for n, c := range list.Items {
		said, _ := c.Lookup("text")
		author, _ := c.Lookup("author")
		var comment migrate.Value
		set(&comment, "id", migrate.Value{Type: migrate.Number, Text: fmt.Sprint(n + 1)})
		set(&comment, "issue_id", id)
		set(&comment, "author", author)
		set(&comment, "text", said)
		at, _ := c.Lookup("created_at")
		if t, ok := migrate.ParseTime(at); ok {
			setText(&comment, "created_at", t.UTC().Format(time.RFC3339))
		}
		list.Items[n] = comment
	}
	set(v, "comments", list)
}

// relabel removes labels that were removed here, and adds new ones.
func relabel(v *migrate.Value, before, now []string) {
	old, _ := v.Lookup("labels")
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

// edges removes edges to former blockers and parents, and adds new ones.
func (x *exporter) edges(v *migrate.Value, id string, before, now facts) {
	if slices.Equal(before.blockers, now.blockers) && before.parent == now.parent {
		return
	}
	old, had := v.Lookup("dependencies")
	list := migrate.Value{Type: migrate.List}
	for _, raw := range old.Items {
		e, ok := edgeIn(raw, blocks)
		gone := holds(e.Type) && slices.Contains(before.blockers, e.Target) && !slices.Contains(now.blockers, e.Target) ||
			e.Type == parentChild && e.Target == before.parent && before.parent != now.parent
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

// stash stores the object in the issue's metadata.
func (x *exporter) stash(v *migrate.Value, o resources.Object) {
	data, _ := resources.Encode(o)
	object, _, err := migrate.Parse(data)
	if err != nil {
		return
	}
	metadata, there := v.Lookup("metadata")
	if there && metadata.Type != migrate.Object {
		x.report.Trouble(migrate.Problem{ID: o.Key().String(), Message: "its metadata in beads is no object: what beads has no place for is left out"})
		return
	}
	var stashed migrate.Value
	setText(&stashed, "digest", digestOf(*v))
	set(&stashed, "object", object)
	set(&metadata, "idumb", stashed)
	set(v, "metadata", metadata)
}

// memoryLine returns a mem in the format of bd import. It returns false for a mem that was
// not imported from beads.
func memoryLine(o resources.Object) ([]byte, bool) {
	m, ok := o.(*resources.Mem)
	if !ok || m.Metadata.Annotations[annotationID] == "" {
		return nil, false
	}
	var v migrate.Value
	setText(&v, "_type", "memory")
	setText(&v, "key", m.Metadata.Annotations[annotationID])
	setText(&v, "value", m.Spec.Content)
	return append(v.JSON(), '\n'), true
}
