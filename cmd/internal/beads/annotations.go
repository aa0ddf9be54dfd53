package beads

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Prefix begins the labels and annotations that an import sets.
const Prefix = "beads." + resources.Group + "/"

// Annotations that an import reads again.
const (
	annotationID     = Prefix + "id"            // the issue's id in beads
	annotationDigest = Prefix + "import-digest" // of the object as it was imported
)

// maxValue is the longest label, and the longest name of a label or annotation
// behind its prefix, as in Kubernetes.
const maxValue = 63

// annotate puts into an object's metadata what has no field in its spec.
func (b *builder) annotate(m *resources.Meta, i *issue) {
	m.CreationTimestamp = resources.NewTime(i.created)
	if i.created.IsZero() {
		m.CreationTimestamp = resources.Time{}
	}
	m.Annotations = map[string]string{annotationID: i.id}
	m.Labels = map[string]string{Prefix + "type": labelValue(i.kind)}
	b.keep(m, i, "design", i.design)
	b.keep(m, i, "notes", i.notes)
	b.keep(m, i, "owner", i.owner)
	for _, field := range sortedKeys(i.rest) {
		if i.rest[field] != "0" { // compaction_level and the like
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
	m.Annotations[Prefix+keyOf(field)] = value
	if strings.HasPrefix(field, metadataOf) {
		field = "metadata of an edge"
	}
	b.report.note(&b.report.Kept, field, i.id)
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// keyOf returns a field's name as the part of a key behind the prefix: what was
// cut off or replaced is told apart by a digest.
func keyOf(field string) string {
	key := strings.Trim(strings.Map(func(r rune) rune {
		if isLabelRune(r) && r != '_' {
			return r
		}
		return '-'
	}, field), "-.")
	if strings.ReplaceAll(field, "_", "-") == key && len(key) <= maxValue {
		return key
	}
	return strings.Trim(key[:min(len(key), maxValue-9)]+"-"+digestOf(field), "-.")
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
		if !isLabelValue(key) || key == "" || !isLabelValue(value) || taken {
			b.report.note(&b.report.Kept, "labels that cannot be a label here", i.id)
			continue
		}
		m.Labels[key] = value
	}
}

// labelValue returns text as a label's value.
func labelValue(text string) string {
	value := strings.Map(func(r rune) rune {
		if isLabelRune(r) {
			return r
		}
		return '-'
	}, text)
	return strings.Trim(value[:min(len(value), maxValue)], "-._")
}

// isLabelValue reports whether text can be a label's value, or the name of one
// without a prefix: Kubernetes' rule.
func isLabelValue(text string) bool { return labelValue(text) == text }

func isLabelRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
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

// sign puts the digest of an object as it is now into its annotations.
func sign(o resources.Object) {
	o.Head().Metadata.Annotations[annotationDigest] = contentDigest(o)
}

// contentDigest identifies what an import sets: spec, labels and annotations. What
// the store adds (uid, $schema) does not count.
func contentDigest(o resources.Object) string {
	m := o.Head().Metadata
	annotations := maps.Clone(m.Annotations)
	delete(annotations, annotationDigest)
	delete(annotations, resources.AnnotationUpdatedBy)
	content, err := json.Marshal([]any{o.SpecPointer(), m.Labels, annotations})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
