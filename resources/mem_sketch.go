package resources

import "slices"

// MemSketch is what deciding whether and where a mem is found needs of it: all but its
// texts. An index of thousands of mems keeps it, so that only those are read that are shown.
// What it shares with an object or an index must not change.
type MemSketch struct {
	Name, Revision string
	Created        int64 // Object.Created, in Unix seconds
	Since          int64 // when it was recorded or, by Latest, last confirmed, in Unix seconds
	Latest         int64 // of the confirmations that count, the last one; 0: none. Before it, ask the mem
	Confirmations  int   // how many count from Latest on
	Confidence     int   // spec.confidence, or its default
	FalsePath      bool
	Pinned         bool
	Critical       bool
	Special        bool // it names a moment at which it begins, ends or lost its source: ask the mem

	Origin     string // spec.originTask
	Supersedes string
	Parent     string
	Source     string
	RelatedTo  []string
	Evidence   []MemEvidence // those with a path, without notes
	Days       []int         // on which it shows that there was work, besides that of Created
}

// SketchMem makes the sketch of a mem.
func SketchMem(m *Mem) MemSketch {
	spec := &m.Spec
	s := MemSketch{
		Name: m.Metadata.Name, Revision: m.Origin.Revision, Created: m.Created().Unix(),
		Confidence: DefaultConfidence, FalsePath: spec.Type == FalsePath, Pinned: spec.Pinned, Critical: spec.Critical,
		Special: !spec.ValidFrom.IsZero() || !spec.ValidTo.IsZero() || !spec.PurgedAt.IsZero() || spec.StaleAfter != "",
		Origin:  spec.OriginTask, Supersedes: spec.Supersedes, Parent: spec.Parent, Source: spec.Source, RelatedTo: spec.RelatedTo,
	}
	if _, lost := lostAt(m); lost {
		s.Special = true
	}
	if spec.Confidence != nil {
		s.Confidence = *spec.Confidence
	}
	s.confirmed(m)
	for _, e := range spec.Evidence {
		if e.Path != "" {
			s.Evidence = append(s.Evidence, MemEvidence{Path: e.Path, Section: e.Section, SHA256: e.SHA256})
		}
	}
	return s
}

// confirmed fills in who stood for the mem, and when.
func (s *MemSketch) confirmed(m *Mem) {
	s.Since = recordedAt(m).Unix()
	if days := ObjectDays(nil, m); len(days) > 0 && (len(days) > 1 || days[0] != DayOf(m.Created())) {
		slices.Sort(days)
		s.Days = slices.Compact(days)
	}
	if len(m.Spec.Confirmations) == 0 && annotatedAt(m).IsZero() {
		return
	}
	count, last, _ := Confirmed(m, startOf(maxDays)) // a moment after all of them
	if last.IsZero() {
		return
	}
	s.Confirmations, s.Latest = count, last.Unix()
	s.Since = max(s.Since, s.Latest)
}
