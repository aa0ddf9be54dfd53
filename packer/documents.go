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

// DocumentOf returns the search document of a mem, with the ID mems/NAME. Hidden is set for mems
// that must never be found (memory.IsHidden); stale mems can be found.
func DocumentOf(m *Mem) search.Document {
	spec := &m.Object.Spec
	d := search.Document{
		ID: memIDs + m.Object.Metadata.Name, Revision: m.Object.Origin.Revision,
		Title: spec.Title, Text: spec.Content, Tags: spec.Tags,
		Origin: cmp.Or(spec.OriginTask, sessionHour(m.Object)), Related: related(m.Object),
		Confidence: m.Status.Confidence, Suspect: m.Status.Phase == resources.SuspectPhase || len(m.Status.Suspect) > 0, Hidden: memory.IsHidden(m.Status.Phase),
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

// sessionHour returns the hour in which a mem was recorded and the session that made it, because
// mems of one session and hour belong together. It returns "" if the time is unknown.
func sessionHour(m *resources.Mem) string {
	at := memory.RecordedAt(m)
	if at.IsZero() {
		return ""
	}
	return m.Metadata.Annotations[resources.AnnotationMadeBy] + " " + at.UTC().Format("2006-01-02T15")
}

// memIDs and anchorIDs are the prefixes of the IDs of mems and anchors.
const (
	memIDs    = resources.Mems + "/"
	anchorIDs = resources.Anchors + "/"
	taskIDs   = resources.Tasks + "/"
)

// related returns the IDs of the mems that a mem refers to.
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

// anchorHidden reports whether an anchor must not enter a pack.
func anchorHidden(a *Anchor) bool {
	phase := a.Status.Phase
	return phase == resources.StalePhase && !suspectAnchor(a) || phase == resources.Purged || phase == resources.PhaseInvalid
}

// Weights of the words of a query: the active task counts twice as much as its plan.
const (
	ownWords  = 2
	planWords = 1
)

// question returns the query of the pack: the active tasks, the plan and the intent, each as a
// part, and all of them together, because a relevant mem may share a few words with each.
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
