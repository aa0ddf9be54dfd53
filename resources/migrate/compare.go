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
		before, found := b.Get(key)
		if c, isConfig := d.Object.(*resources.Config); isConfig && found {
			changed = append(changed, b.mergeConfig(c, before)...)
			continue
		}
		list := b.verdict(d, before, found)
		if list == &b.Report.Updated && b.damaged { // what it says less than before may be what is missing of it
			list, spared = &b.Report.Edited, spared+1
		}
		switch *list = append(*list, key); list {
		case &b.Report.Updated:
			d.Object.Head().Schema, d.Meta().UID = before.Head().Schema, before.Head().Metadata.UID
			fallthrough
		case &b.Report.Created:
			changed = append(changed, d.Object)
		case &b.Report.Edited:
			b.Keep(d.file) // what would have been made of its record
		}
	}
	if spared > 0 {
		b.Report.Trouble(Problem{Message: fmt.Sprintf("the source is damaged: %d objects that it says otherwise now are left as they are", spared)})
	}
	return changed
}

// verdict is the list of the report that a draft belongs to, seen what is there.
func (b *Builder) verdict(d *Draft, before resources.Object, found bool) *[]resources.Key {
	// What was exported from here is taken as it is, and written over an object that nobody edited since.
	cameBack := d.Was != nil && (!found || contentDigest(b.prefix, before) == contentDigest(b.prefix, d.Was))
	if _, isConfig := d.Object.(*resources.Config); !cameBack && !isConfig {
		Sign(b.prefix, d.Object)
	}
	if !found {
		return &b.Report.Created
	}
	made := before.Head().Metadata.Annotations[b.prefix+resources.AnnotationImportDigest]
	switch {
	case cameBack && d.given, !cameBack && made == d.Meta().Annotations[b.prefix+resources.AnnotationImportDigest]:
		return &b.Report.Unchanged
	case !cameBack && made != contentDigest(b.prefix, before):
		return &b.Report.Edited
	}
	return &b.Report.Updated
}

// Sign puts the digest of an object as it is now into its annotations.
func Sign(prefix string, o resources.Object) {
	meta := &o.Head().Metadata
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[prefix+resources.AnnotationImportDigest] = contentDigest(prefix, o)
}

// contentDigest identifies what a conversion sets: spec, labels and annotations. What the
// store adds (uid, $schema) does not count.
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

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
