package beads

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// stash is the data that an export stores in an issue's metadata under "idumb": the
// original object, because beads lacks fields for it, and a digest of the exported fields.
// If the digest still matches, the object replaces the issue.
type stash struct {
	object   resources.Object
	verbatim bool // the issue was not changed in beads
}

// verbatim reports whether the original object can be restored from the stash, because the issue
// was not changed in beads.
func (i *issue) verbatim() bool { return i.stash != nil && i.stash.verbatim }

// takeStash removes the stash from an issue and returns it. It returns nil if there is no
// valid stash.
func takeStash(v *migrate.Value) *stash {
	metadata := named(*v, "metadata")
	if metadata.Type == migrate.String {
		metadata, _, _ = migrate.Parse([]byte(metadata.Text)) // beads stores some JSON as text
	}
	stashed := named(metadata, "idumb")
	object := decodeStash(named(stashed, "object").JSON())
	if object == nil {
		return nil
	}
	metadata.Fields = slices.DeleteFunc(slices.Clone(metadata.Fields), func(f migrate.Field) bool { return f.Name == "idumb" })
	v.Fields = slices.DeleteFunc(slices.Clone(v.Fields), func(f migrate.Field) bool { return f.Name == "metadata" && len(metadata.Fields) == 0 })
	if len(metadata.Fields) > 0 {
		set(v, "metadata", metadata)
	}
	return &stash{object: object, verbatim: named(stashed, "digest").Text == digestOf(*v)}
}

// decodeStash decodes an object of an exported kind as strictly as a file. It returns nil
// if the object is invalid.
func decodeStash(data []byte) resources.Object {
	var head resources.Header
	err := json.Unmarshal(data, &head)
	kind, ok := resources.LookupKind(head.Kind)
	if err != nil || !ok || kind.Plural != resources.Tasks && kind.Plural != resources.WorkPlans {
		return nil
	}
	o, _, err := resources.Read(resources.Key{Kind: kind.Plural, Name: head.Metadata.Name}, data)
	if err != nil {
		return nil
	}
	return o
}

// settleStashes drops stashes of issues that changed their type in beads, and stashes whose
// name belongs to another object here.
func (c *conversion) settleStashes() {
	taken := map[resources.Key]bool{}
	for _, i := range c.list {
		if i.stash == nil {
			continue
		}
		key := i.stash.object.Key()
		ours := (key.Kind == resources.WorkPlans) == i.isEpic() && !taken[key]
		if o, found := c.Get(key); found {
			m := o.Head().Metadata
			ours = ours && (m.Annotations[annotationID] == i.id || m.UID == i.stash.object.Head().Metadata.UID)
		}
		if taken[key] = true; !ours {
			i.stash = nil
		}
	}
}

// digestOf returns a digest of the data that both formats have: the fields and the targets
// of edges.
func digestOf(v migrate.Value) string {
	var b strings.Builder
	for _, f := range fields {
		name, _, _ := strings.Cut(f.names, " ")
		field, ok := v.Lookup(name)
		if !f.both || !ok || field.Nothing() || field.Text == "false" {
			continue
		}
		text := field.Plain()
		if field.Type == migrate.String && json.Valid([]byte(text)) { // distinguishes strings from other values
			text = string(field.JSON())
		}
		b.WriteString(name + "=" + text + "\x00")
	}
	var ends []string
	edges, _ := v.Lookup("dependencies")
	for _, one := range edges.Items {
		if e, ok := edgeIn(one, blocks); ok {
			ends = append(ends, e.Type+" "+e.Target)
		}
	}
	slices.Sort(ends)
	b.WriteString(strings.Join(ends, "\x00"))
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// saidThere lists our fields that an issue contains. Only the stash contains all other
// fields.
var saidThere = map[string]string{
	resources.Tasks:     "Description Notes WorkPlan Parent Title ExpectedOutput AssignedTo State PlanAhead Priority DependsOn Reason Result",
	resources.WorkPlans: "Title Acceptance OwnedBy State",
}

// overlay adds the data that only the stash contains to an object of a changed issue.
func overlay(o, stashed resources.Object) {
	all := resources.Clone(stashed)
	to, there := reflect.ValueOf(all.SpecPointer()).Elem(), reflect.ValueOf(o.SpecPointer()).Elem()
	if t, isTask := o.(*resources.Task); isTask {
		if result := all.(*resources.Task).Spec.Result; result != nil && t.Spec.Result != nil {
			result.Evidence = t.Spec.Result.Evidence
			t.Spec.Result = result
		}
	}
	for name := range strings.FieldsSeq(saidThere[o.Key().Kind]) {
		to.FieldByName(name).Set(there.FieldByName(name))
	}
	there.Set(to)
	meta, old := &o.Head().Metadata, stashed.Head().Metadata
	meta.UID = old.UID
	meta.Labels, meta.Annotations = withOld(meta.Labels, old.Labels), withOld(meta.Annotations, old.Annotations)
}

// withOld adds former entries of a map that were not set by an import.
func withOld(values, old map[string]string) map[string]string {
	for key, value := range old {
		if _, set := values[key]; !set && !strings.HasPrefix(key, Prefix) {
			values[key] = value
		}
	}
	return values
}
