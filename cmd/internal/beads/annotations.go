package beads

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Prefix begins the labels and annotations that an import sets.
const Prefix = "beads." + resources.Group + "/"

// Annotations that an import reads again.
const (
	annotationID     = Prefix + migrate.IDKey     // the issue's id in beads
	annotationIssue  = Prefix + "issue"           // the issue as it was written, for export
	annotationBuried = Prefix + "buried"          // ids of tombstones that it had edges to, for export
	annotationDigest = Prefix + migrate.DigestKey // of the object as it was imported
)

// annotate puts into an object's metadata what has no field in its spec.
func (b *builder) annotate(m *resources.Meta, i *issue) {
	m.CreationTimestamp = resources.NewTime(i.created)
	if i.created.IsZero() {
		m.CreationTimestamp = resources.Time{}
	}
	m.Annotations = map[string]string{annotationID: i.id, annotationIssue: string(i.raw)}
	if len(i.buried) > 0 {
		text, _ := json.Marshal(i.buried) // strings always marshal
		m.Annotations[annotationBuried] = string(text)
	}
	m.Labels = map[string]string{Prefix + "type": migrate.LabelValue(i.kind)}
	b.keep(m, i, "design", i.design)
	b.keep(m, i, "notes", i.notes)
	b.keep(m, i, "owner", i.owner)
	for _, field := range sortedKeys(i.rest) {
		if i.rest[field] != "0" && field != "_type" { // compaction_level and the like; what each issue of a newer export says
			b.keep(m, i, field, i.rest[field])
		}
	}
	b.labels(m, i)
	b.edges(m, i)
}

// keep sets an annotation for a field that resources have no place for.
func (b *builder) keep(m *resources.Meta, i *issue, field, value string) {
	if value == "" {
		return
	}
	m.Annotations[Prefix+migrate.KeyOf(field)] = value
	if strings.HasPrefix(field, metadataOf) {
		field = "metadata of an edge"
	}
	b.report.note(&b.report.Kept, field, i.id)
}

// labels turns labels into ours where the grammar allows: "sprint:3" is
// sprint=3, "security" is security with an empty value. All of them stand in an annotation as well.
func (b *builder) labels(m *resources.Meta, i *issue) {
	if len(i.labels) == 0 {
		return
	}
	text, _ := json.Marshal(i.labels) // strings always marshal
	m.Annotations[Prefix+"labels"] = string(text)
	for _, label := range i.labels {
		key, value, _ := strings.Cut(label, ":")
		_, taken := m.Labels[key]
		if !migrate.IsLabelValue(key) || key == "" || !migrate.IsLabelValue(value) || taken {
			b.report.note(&b.report.Kept, "labels that cannot be a label here", i.id)
			continue
		}
		m.Labels[key] = value
	}
}

// edges notes the edges that block nothing, and parents beyond the one that counts.
func (b *builder) edges(m *resources.Meta, i *issue) {
	byType := map[string][]string{}
	for _, e := range i.edges {
		if e.Type != blocks && !slices.Contains(byType[e.Type], e.On) {
			byType[e.Type] = append(byType[e.Type], e.On)
		}
	}
	parents := byType[parentChild]
	delete(byType, parentChild)
	if len(parents) > 1 {
		b.keep(m, i, "parents", strings.Join(parents, ", "))
	}
	for _, edgeType := range sortedKeys(byType) {
		b.keep(m, i, edgeType, strings.Join(byType[edgeType], ", "))
	}
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
