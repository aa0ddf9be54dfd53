package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// compare returns what has to be written: what is not there yet, what changed in the source since it was made and
// nobody edited, and settings, which are added to those that are there. It signs each with a digest, and fills in the report.
func (b *Builder) compare(wanted []*Draft) []resources.Object {
	var changed []resources.Object
	spared := 0
	for _, d := range wanted {
		key := d.Object.Key()
		before, found := b.get(key)
		if c, isConfig := d.Object.(*resources.Config); isConfig && found {
			changed = append(changed, b.mergeConfig(c, before)...)
			continue
		}
		what := b.verdict(d, before, found)
		if what == updated && b.damaged { // what it says less than before may be what is missing of it
			what, spared = edited, spared+1
		}
		switch what {
		case created:
			b.report.Created, changed = append(b.report.Created, key), append(changed, d.Object)
		case unchanged:
			b.report.Unchanged = append(b.report.Unchanged, key)
		case updated:
			d.Object.Head().Schema, d.Meta().UID = before.Head().Schema, before.Head().Metadata.UID
			b.report.Updated, changed = append(b.report.Updated, key), append(changed, d.Object)
		case edited:
			b.report.Edited = append(b.report.Edited, key)
			b.Keep(d.file) // what would have been made of its record
		}
	}
	if spared > 0 {
		b.report.Trouble(Problem{Message: fmt.Sprintf("the source is damaged: %d objects that it says otherwise now are left as they are", spared)})
	}
	return changed
}

// verdict is what becomes of a draft, seen what is there.
type verdict int

const (
	created verdict = iota
	unchanged
	updated
	edited // here, or made here: it is left alone
)

func (b *Builder) verdict(d *Draft, before resources.Object, found bool) verdict {
	// What was exported from here is taken as it is, and written over an object that nobody edited since.
	cameBack := d.Was != nil && (!found || contentDigest(b.prefix, before) == contentDigest(b.prefix, d.Was))
	if _, isConfig := d.Object.(*resources.Config); !cameBack && !isConfig {
		Sign(b.prefix, d.Object)
	}
	if !found {
		return created
	}
	made := before.Head().Metadata.Annotations[b.prefix+DigestKey]
	switch {
	case cameBack && d.given, !cameBack && made == d.Meta().Annotations[b.prefix+DigestKey]:
		return unchanged
	case !cameBack && made != contentDigest(b.prefix, before):
		return edited
	}
	return updated
}

// Sign puts the digest of an object as it is now into its annotations.
func Sign(prefix string, o resources.Object) {
	meta := &o.Head().Metadata
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[prefix+DigestKey] = contentDigest(prefix, o)
}

// contentDigest identifies what a conversion sets: spec, labels and annotations. What the
// store adds (uid, $schema) does not count.
func contentDigest(prefix string, o resources.Object) string {
	m := o.Head().Metadata
	annotations := maps.Clone(m.Annotations)
	delete(annotations, prefix+DigestKey)
	delete(annotations, resources.AnnotationUpdatedBy)
	content, err := json.Marshal([]any{o.SpecPointer(), m.Labels, annotations})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
