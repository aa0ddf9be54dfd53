package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// Catalogue is mems that can be read, by name, as package search takes them: without their
// texts, which most of those who look for a few mems never need. It is read-only.
type Catalogue struct {
	// Documents say of each mem what DocumentOf says, but for title, text, tags, cues,
	// symbols, globs and paths.
	Documents []search.Document

	cards  []card // of each document; none of a catalogue that is only searched
	whole  bool   // Documents have their texts
	object func(i int) *resources.Mem
	mem    func(i int) Mem
}

// card is what deciding whether a mem enters a pack needs of it, besides its document.
type card struct {
	phase                       string
	falsePath, pinned, critical bool
	refs                        *refs // nil: it names nothing
}

// refs is what a mem names.
type refs struct {
	supersedes, parent, source string
	relatedTo                  []string
}

// NewCatalogue looks at all mems of a snapshot.
func NewCatalogue(s *resources.Snapshot) *Catalogue { return newCatalogue(s, false) }

// newCatalogue is NewCatalogue, with cards for who packs.
func newCatalogue(s *resources.Snapshot, pack bool) *Catalogue {
	n := s.MemCount()
	c := &Catalogue{Documents: make([]search.Document, 0, n)}
	if pack {
		c.cards = make([]card, 0, n)
	}
	places := make([]int32, 0, n)
	var ids slab
	s.MemFacts(func(at int, f *resources.MemFacts) {
		c.Documents, places = c.Documents[:len(c.Documents)+1], append(places, int32(at))
		bareDocument(&c.Documents[len(c.Documents)-1], ids.id(f.Name), f)
		if pack {
			c.cards = append(c.cards, cardOf(&f.MemSketch, f.Phase))
		}
	})
	c.object = func(i int) *resources.Mem { return s.MemAt(int(places[i])) }
	c.mem = func(i int) Mem { return assessed(c.object(i), s) }
	return c
}

// catalogueOf is the catalogue of mems that are at hand, in whatever order.
func catalogueOf(mems []Mem) *Catalogue {
	places := make([]int32, len(mems))
	for i := range places {
		places[i] = int32(i)
	}
	byName := func(a, b int32) int {
		return strings.Compare(mems[a].Object.Metadata.Name, mems[b].Object.Metadata.Name)
	}
	if !slices.IsSortedFunc(places, byName) {
		slices.SortFunc(places, byName)
	}
	c := &Catalogue{Documents: make([]search.Document, len(mems)), cards: make([]card, len(mems)), whole: true}
	c.mem = func(i int) Mem { return mems[places[i]] }
	c.object = func(i int) *resources.Mem { return mems[places[i]].Object }
	for i, at := range places {
		m := &mems[at]
		c.Documents[i] = DocumentOf(m)
		spec := &m.Object.Spec
		c.cards[i] = cardOf(&resources.MemSketch{
			FalsePath: spec.Type == resources.FalsePath, Pinned: spec.Pinned, Critical: spec.Critical,
			Supersedes: spec.Supersedes, Parent: spec.Parent, Source: spec.Source, RelatedTo: spec.RelatedTo,
		}, m.Status.Phase)
	}
	return c
}

func cardOf(s *resources.MemSketch, phase string) card {
	c := card{phase: phase, falsePath: s.FalsePath, pinned: s.Pinned, critical: s.Critical}
	if s.Supersedes != "" || s.Parent != "" || s.Source != "" || len(s.RelatedTo) > 0 {
		c.refs = &refs{s.Supersedes, s.Parent, s.Source, s.RelatedTo}
	}
	return c
}

// bareDocument fills in an empty document.
func bareDocument(d *search.Document, id string, f *resources.MemFacts) {
	d.ID, d.Revision, d.Origin, d.Order = id, f.Revision, f.Origin, f.Created
	d.Confidence, d.Suspect, d.Hidden = f.Left, f.Doubt || f.Phase == resources.SuspectPhase, resources.MemHidden(f.Phase)
	if f.Parent != "" || len(f.RelatedTo) > 0 {
		d.Related = related(f.RelatedTo, f.Parent)
	}
}

// assessed is a mem of a snapshot with what resources.AssessMem says of it.
func assessed(m *resources.Mem, s *resources.Snapshot) Mem {
	status := resources.AssessMem(m, s)
	if _, broken := s.Problem(m.Key()); broken {
		status.Phase = resources.PhaseInvalid
	}
	return Mem{Object: m, Status: status}
}

// Index analyses the mems from what was kept, nil for nothing.
func (c *Catalogue) Index(kept []byte) *search.Index {
	return search.NewBare(kept, c.Documents, c.Document)
}

// Object is the mem of the i-th document.
func (c *Catalogue) Object(i int) *resources.Mem { return c.object(i) }

// Document is the i-th document with its texts.
func (c *Catalogue) Document(i int) search.Document {
	if c.whole {
		return c.Documents[i]
	}
	d := DocumentOf(&Mem{Object: c.object(i)})
	bare := &c.Documents[i]
	d.Confidence, d.Suspect, d.Hidden = bare.Confidence, bare.Suspect, bare.Hidden
	return d
}

// Mem is the mem of the i-th document, with what resources.AssessMem says of it.
func (c *Catalogue) Mem(i int) Mem { return c.mem(i) }

// slab makes IDs many at a time.
type slab struct{ text strings.Builder }

// id is the ID of the document of a mem. IDs that were made before stay as they are.
func (s *slab) id(name string) string {
	const size = 16 << 10
	if len(memIDs)+len(name) > s.text.Cap()-s.text.Len() {
		s.text = strings.Builder{}
		s.text.Grow(max(size, len(memIDs)+len(name)))
	}
	from := s.text.Len()
	s.text.WriteString(memIDs)
	s.text.WriteString(name)
	return s.text.String()[from:]
}
