package packer

import (
	"reflect"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// fact is a mem or an anchor.
type fact struct {
	mem                 *Mem
	anchor              *Anchor
	id                  string
	phase               string
	sourceAnchor        string // the anchor that a mem was derived from, as its source names it; empty if none
	topic               string // normalized topic of a mem; empty if none
	falsePath, critical bool
	created             int64     // creation time in Unix seconds
	nextChange          time.Time // when its status changes without an event; zero means never
	names               []resources.Key
	text                string // a mem as rendered; "" until rendered
	size                tokens.Size
	vocabulary          map[string]bool // see wordSet; nil until computed
}

// key returns the key of the mem or the anchor.
func (f *fact) key() resources.Key {
	if f.mem != nil {
		return f.mem.Object.Key()
	}
	return f.anchor.Object.Key()
}

// factOf returns the fact of a mem. next is when the mem's status changes without an event.
func factOf(m *Mem, next time.Time) *fact {
	spec := &m.Object.Spec
	f := &fact{mem: m, id: memIDs + m.Object.Metadata.Name, phase: m.Status.Phase, created: m.Object.Created().Unix(), nextChange: next}
	f.falsePath, f.critical = spec.Type == resources.FalsePath, spec.Critical
	if !f.falsePath {
		f.topic = memory.NormalTopic(spec.TopicKey)
	}
	if strings.HasPrefix(spec.Source, "anchor/") && !f.falsePath {
		f.sourceAnchor = spec.Source
	}
	f.addReferences(spec.OriginTask, resources.RelatedKeys(m.Object))
	for _, name := range []string{spec.Supersedes, spec.Parent} {
		if name != "" {
			f.names = append(f.names, resources.Key{Kind: resources.Mems, Name: name})
		}
	}
	return f
}

// factOfAnchor returns the fact of an anchor. next is when the anchor's status changes without an
// event.
func factOfAnchor(a *Anchor, next time.Time) *fact {
	f := &fact{anchor: a, id: anchorIDs + a.Object.Metadata.Name, phase: a.Status.Phase, created: a.Object.Created().Unix(), nextChange: next}
	origin := ""
	if source := a.Object.Spec.Source; source != nil {
		origin = source.Task
	}
	f.addReferences(origin, resources.RelatedKeys(a.Object))
	return f
}

// addReferences records the references of an object: its origin task and related objects.
func (f *fact) addReferences(origin string, related []resources.Key) {
	if origin != "" {
		f.names = append(f.names, resources.Key{Kind: resources.Tasks, Name: origin})
	}
	f.names = append(f.names, related...)
}

// equal reports whether two facts have the same object and status.
func (f *fact) equal(other *fact) bool {
	if f.mem != nil {
		return f.mem.Object == other.mem.Object && reflect.DeepEqual(f.mem.Status, other.mem.Status)
	}
	return f.anchor.Object == other.anchor.Object && reflect.DeepEqual(f.anchor.Status, other.anchor.Status)
}
