package beads

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// stash is what export puts into an issue's metadata, under "idumb": the object that it was made of, since
// beads has no place for much of it.
type stash struct {
	Object json.RawMessage `json:"object"`
	// Digest is of what beads has a place for, as it was exported: while it is the same, the object is what
	// the issue means.
	Digest string `json:"digest"`

	object   resources.Object
	verbatim bool // nothing was changed in beads since
}

// takeStash takes the stash out of an issue's fields.
func (i *issue) takeStash(raw map[string]json.RawMessage) {
	var metadata map[string]json.RawMessage
	text := raw["metadata"]
	var quoted string
	if json.Unmarshal(text, &quoted) == nil {
		text = json.RawMessage(quoted) // beads keeps some of its JSON as a text
	}
	var s stash
	if json.Unmarshal(text, &metadata) != nil || json.Unmarshal(metadata["idumb"], &s) != nil || len(s.Object) == 0 {
		return
	}
	if s.object = decodeStash(s.Object); s.object == nil {
		return // somebody else's, or damaged: it stays among the metadata
	}
	delete(metadata, "idumb")
	delete(raw, "metadata")
	if len(metadata) > 0 {
		raw["metadata"], _ = json.Marshal(metadata) // what was read can be written
	}
	s.verbatim = s.Digest == digestOf(raw)
	i.stash = &s
	i.raw = withoutStash(i.raw, raw["metadata"])
}

// decodeStash reads an object, of the two kinds that are exported, as strictly as a file; nil if it is none.
func decodeStash(data []byte) resources.Object {
	var head resources.Header
	if json.Unmarshal(data, &head) != nil {
		return nil
	}
	kind, ok := resources.LookupKind(head.Kind)
	if !ok || kind.Plural != resources.Tasks && kind.Plural != resources.WorkPlans {
		return nil
	}
	o, _, err := resources.Read(resources.Key{Kind: kind.Plural, Name: head.Metadata.Name}, data)
	if err != nil {
		return nil
	}
	return o
}

// withoutStash is an issue's text with other metadata, or none.
func withoutStash(text []byte, metadata json.RawMessage) []byte {
	v, _, err := migrate.Parse(text)
	if err != nil {
		return text
	}
	v.Fields = slices.DeleteFunc(v.Fields, func(f migrate.Field) bool { return f.Name == "metadata" && len(metadata) == 0 })
	for n, f := range v.Fields {
		if f.Name == "metadata" {
			v.Fields[n].Value, _, _ = migrate.Parse(metadata)
		}
	}
	return v.JSON()
}

// both are the fields that both sides have.
var both = []string{"title", "description", "acceptance_criteria", "status", "priority", "issue_type", "assignee", "labels", "close_reason"}

// digestOf identifies what both sides have of an issue: the fields, and where its edges lead.
func digestOf(raw map[string]json.RawMessage) string {
	var b strings.Builder
	for _, name := range both {
		if v := raw[name]; !isNothing(v) {
			b.WriteString(name + "=" + kept(v) + "\x00")
		}
	}
	var edges []json.RawMessage
	_ = json.Unmarshal(raw["dependencies"], &edges) // what is no list has no edges
	var ends []string
	for _, one := range edges {
		if e, err := edgeIn(one); err == nil {
			ends = append(ends, cmp.Or(e.Type, blocks)+" "+e.On)
		}
	}
	slices.Sort(ends)
	b.WriteString(strings.Join(ends, "\x00"))
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// overlay adds to an object that was made of an issue that changed in beads what only the stash says.
func overlay(o, stashed resources.Object) {
	switch spec := o.SpecPointer().(type) {
	case *resources.TaskSpec:
		old, ok := stashed.SpecPointer().(*resources.TaskSpec)
		if !ok {
			return
		}
		spec.Phase, spec.AllowedTools, spec.TemporalGate, spec.Evidence = old.Phase, old.AllowedTools, old.TemporalGate, old.Evidence
		spec.FileLocks, spec.Paths, spec.StaleAfter, spec.DelegatedBy = old.FileLocks, old.Paths, old.StaleAfter, old.DelegatedBy
		if spec.Result != nil && old.Result != nil {
			said := spec.Result.Evidence
			copied := *old.Result
			spec.Result = &copied
			spec.Result.Evidence = said
		}
	case *resources.WorkPlanSpec:
		if old, ok := stashed.SpecPointer().(*resources.WorkPlanSpec); ok {
			spec.Category, spec.GovernanceLevel, spec.Phases, spec.DependsOn = old.Category, old.GovernanceLevel, old.Phases, old.DependsOn
		}
	}
	meta, old := &o.Head().Metadata, stashed.Head().Metadata
	meta.UID = old.UID
	for key, value := range old.Labels {
		if _, set := meta.Labels[key]; !set && !strings.HasPrefix(key, Prefix) {
			meta.Labels[key] = value
		}
	}
	for key, value := range old.Annotations {
		if _, set := meta.Annotations[key]; !set && !strings.HasPrefix(key, Prefix) {
			meta.Annotations[key] = value
		}
	}
}
