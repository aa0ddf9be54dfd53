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

// compare returns the objects to write: new objects, objects that changed in the source and
// were not edited here, and merged settings. It signs the objects with a digest and updates
// the report.
func (b *Builder) compare(wanted []*Draft) []resources.Object {
	var changed []resources.Object
	spared := 0
	for _, d := range wanted {
		key := d.Object.Key()
		before, found := b.Get(key)
		if c, isConfig := d.Object.(*resources.Config); isConfig && found {
			changed = append(changed, b.mergeConfig(c, before)...)
			continue
		}
		list := b.verdict(d, before, found)
		if list == &b.Report.Updated && b.damaged { // the missing data may only be unreadable
			list, spared = &b.Report.Edited, spared+1
		}
		switch *list = append(*list, key); list {
		case &b.Report.Updated:
			d.Object.Head().Schema, d.Meta().UID = before.Head().Schema, before.Head().Metadata.UID
			fallthrough
		case &b.Report.Created:
			changed = append(changed, d.Object)
		case &b.Report.Edited:
			b.Keep(d.file) // preserves the record, which is not converted
		}
	}
	if spared > 0 {
		b.Report.Trouble(Problem{Message: fmt.Sprintf("the source is damaged: %d objects with different data in it were not updated", spared)})
	}
	return changed
}

// verdict returns the list of the report to which a draft belongs. It signs the
// object, unless that came back from an export or is the configuration.
func (b *Builder) verdict(d *Draft, before resources.Object, found bool) *[]resources.Key {
	// An exported object is unsigned. It replaces an object that was not edited since the
	// export.
	cameBack := d.Was != nil && (!found || contentDigest(b.prefix, before) == contentDigest(b.prefix, d.Was))
	if _, isConfig := d.Object.(*resources.Config); !cameBack && !isConfig {
		Sign(b.prefix, d.Object)
	}
	if !found {
		return &b.Report.Created
	}
	switch made := before.Head().Metadata.Annotations[b.prefix+resources.AnnotationImportDigest]; {
	case cameBack && d.complete, !cameBack && made == d.Meta().Annotations[b.prefix+resources.AnnotationImportDigest]:
		return &b.Report.Unchanged
	case !cameBack && made != contentDigest(b.prefix, before):
		return &b.Report.Edited
	}
	return &b.Report.Updated
}

// Sign stores the digest of an object in its annotations.
func Sign(prefix string, o resources.Object) {
	meta := &o.Head().Metadata
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[prefix+resources.AnnotationImportDigest] = contentDigest(prefix, o)
}

// contentDigest returns a digest of the data that a conversion sets: spec, labels and
// annotations. It ignores data that the store adds (uid, $schema).
func contentDigest(prefix string, o resources.Object) string {
	m := o.Head().Metadata
	annotations := maps.Clone(m.Annotations)
	delete(annotations, prefix+resources.AnnotationImportDigest)
	delete(annotations, resources.AnnotationUpdatedBy)
	content, err := json.Marshal([]any{o.SpecPointer(), m.Labels, annotations})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
