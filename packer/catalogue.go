package packer

import (
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// Catalogue is the mems of a snapshot that can be read, by name, as package search takes
// them: without their texts, which most of those who look for a few mems never need.
type Catalogue struct {
	// Documents say of each mem what DocumentOf says, but for title, text, tags, cues,
	// symbols, globs and paths.
	Documents []search.Document

	snapshot *resources.Snapshot
	places   []int32 // of each document, for Snapshot.MemAt
}

// NewCatalogue looks at all mems of a snapshot.
func NewCatalogue(s *resources.Snapshot) *Catalogue {
	c := &Catalogue{snapshot: s}
	n := s.MemCount()
	c.Documents, c.places = make([]search.Document, 0, n), make([]int32, 0, n)
	var ids slab
	s.MemFacts(func(at int, f *resources.MemFacts) {
		d := search.Document{
			ID: ids.id(f.Name), Revision: f.Revision, Origin: f.Origin, Order: f.Created,
			Confidence: f.Left, Suspect: f.Doubt || f.Phase == resources.SuspectPhase, Hidden: resources.MemHidden(f.Phase),
		}
		if f.Parent != "" || len(f.RelatedTo) > 0 {
			d.Related = related(f.RelatedTo, f.Parent)
		}
		c.Documents, c.places = append(c.Documents, d), append(c.places, int32(at))
	})
	return c
}

// Index analyses the mems from what was kept, nil for nothing.
func (c *Catalogue) Index(kept []byte) *search.Index {
	return search.NewBare(kept, c.Documents, c.Document)
}

// Object is the mem of the i-th document.
func (c *Catalogue) Object(i int) *resources.Mem { return c.snapshot.MemAt(int(c.places[i])) }

// Document is the i-th document with its texts.
func (c *Catalogue) Document(i int) search.Document {
	d := DocumentOf(&Mem{Object: c.Object(i)})
	bare := &c.Documents[i]
	d.Confidence, d.Suspect, d.Hidden = bare.Confidence, bare.Suspect, bare.Hidden
	return d
}

// Mem is the mem of the i-th document, with what resources.AssessMem says of it.
func (c *Catalogue) Mem(i int) Mem {
	m := Mem{Object: c.Object(i)}
	m.Status = resources.AssessMem(m.Object, c.snapshot)
	if _, broken := c.snapshot.Problem(m.Object.Key()); broken {
		m.Status.Phase = resources.PhaseInvalid
	}
	return m
}

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
