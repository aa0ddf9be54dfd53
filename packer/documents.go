package packer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// DocumentOf returns what a mem is found by, as package search takes it, under the ID
// mems/NAME. Hidden is what must never be found (memory.Hidden); stale mems are not.
func DocumentOf(m *Mem) search.Document {
	spec := &m.Object.Spec
	d := search.Document{
		ID: memIDs + m.Object.Metadata.Name, Revision: m.Object.Origin.Revision,
		Title: spec.Title, Text: spec.Content, Tags: spec.Tags,
		Origin: cmp.Or(spec.OriginTask, sittingOf(m.Object)), Order: m.Object.Created().Unix(), Related: related(m.Object),
		Confidence: m.Status.Confidence, Suspect: m.Status.Phase == resources.SuspectPhase || len(m.Status.Suspect) > 0, Hidden: memory.Hidden(m.Status.Phase),
	}
	if w := spec.AppliesWhen; w != nil {
		d.Cues, d.Symbols, d.Globs = w.Cues, w.Symbols, w.Paths
		d.Tags = slices.Concat(spec.Tags, w.Tags)
	}
	if spec.TopicKey != "" {
		d.Tags = append(slices.Clip(d.Tags), spec.TopicKey)
	}
	for _, e := range spec.Evidence {
		if e.Path != "" {
			d.Paths = append(d.Paths, e.Path)
		}
		if e.Note != "" {
			d.Text += "\n" + e.Note
		}
	}
	return d
}

// sittingOf is the hour in which a mem was made and the session that made it, of a mem that names no
// task: what was learnt in one sitting belongs together. "" where the time is not known.
func sittingOf(m *resources.Mem) string {
	at := memory.RecordedAt(m)
	if at.IsZero() {
		return ""
	}
	return m.Metadata.Annotations[resources.AnnotationMadeBy] + " " + at.UTC().Format("2006-01-02T15")
}

// memIDs and anchorIDs are what the IDs of the documents of mems and anchors begin with.
const (
	memIDs    = resources.Mems + "/"
	anchorIDs = resources.Anchors + "/"
)

// related are the IDs of the mems that a mem names.
func related(m *resources.Mem) []string {
	var ids []string
	for _, key := range resources.RelatedKeys(m) {
		if key.Kind == resources.Mems {
			ids = append(ids, memIDs+key.Name)
		}
	}
	if m.Spec.Parent != "" {
		ids = append(ids, memIDs+m.Spec.Parent)
	}
	return ids
}

// anchorDocument is what an anchor is scored by.
func anchorDocument(a *Anchor) search.Document {
	d := search.Document{ID: anchorIDs + a.Object.Metadata.Name, Revision: a.Object.Origin.Revision, Text: a.Object.Spec.Content, Confidence: 100}
	if source := a.Object.Spec.Source; source != nil {
		d.Origin = source.Task
		if source.File != "" {
			d.Paths = []string{source.File}
		}
	}
	d.Hidden, d.Suspect = anchorHidden(a), suspectAnchor(a)
	return d
}

// anchorHidden reports anchors that do not enter.
func anchorHidden(a *Anchor) bool {
	phase := a.Status.Phase
	return phase == resources.StalePhase && !suspectAnchor(a) || phase == resources.Purged || phase == resources.PhaseInvalid
}

// Weights of the question's words: what the active task says counts twice as much as
// what its plan says.
const (
	ownWords  = 2
	planWords = 1
)

// question is what the pack is about: the active tasks, the plan, the intent; each of these, and all
// of it, because what bears on a task may have a little to do with each.
func (d *packing) question() search.Query {
	q := search.Query{Alone: true}
	add := func(weight int, texts ...string) {
		if text := strings.Join(texts, "\n"); strings.TrimSpace(text) != "" {
			q.Parts = append(q.Parts, search.Part{Text: text, Weight: weight})
		}
	}
	for _, t := range d.active {
		spec := &t.Object.Spec
		add(ownWords, spec.Title, spec.ExpectedOutput)
		for _, item := range spec.Evidence {
			add(ownWords, item.Command)
			if item.File != "" {
				q.Paths = append(q.Paths, item.File)
			}
		}
		q.Paths = append(append(q.Paths, spec.Paths...), spec.FileLocks...)
		labels := t.Object.Metadata.Labels
		for _, label := range slices.Sorted(maps.Keys(labels)) {
			add(planWords, label+" "+labels[label])
		}
	}
	add(ownWords, d.in.Intent)
	if d.in.Plan != nil {
		add(planWords, d.in.Plan.Object.Spec.Title)
		add(planWords, d.in.Plan.Object.Spec.Acceptance...)
	}
	var all []string
	for _, part := range q.Parts {
		all = append(all, part.Text)
	}
	add(planWords, all...)
	return q
}
