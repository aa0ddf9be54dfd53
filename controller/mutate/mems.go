package mutate

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Mem returns the last good version of a mem that will be there; nil if there is none.
func (v *View) Mem(name string) *resources.Mem {
	o, _ := v.Get(resources.Key{Kind: resources.Mems, Name: name})
	m, _ := o.(*resources.Mem)
	return m
}

// Superseders returns the mems whose spec.supersedes will name that mem, sorted by name.
func (v *View) Superseders(name string) []*resources.Mem {
	old := resources.Key{Kind: resources.Mems, Name: name}
	return v.memsThat(func(around Around) ([]resources.Key, bool) { return around.Referring(v.tx.ctx, old) },
		func(s *graph.Snapshot) []*resources.Mem { return s.Superseders(name) },
		func(m *resources.Mem) bool { return m.Spec.Supersedes == name })
}

// Topic returns the mems that will have that topic, sorted by name.
func (v *View) Topic(key string) []*resources.Mem {
	topic := memory.NormalTopic(key)
	return v.memsThat(func(around Around) ([]resources.Key, bool) { return around.OfTopic(v.tx.ctx, key) },
		func(s *graph.Snapshot) []*resources.Mem { return s.Topic(key) },
		func(m *resources.Mem) bool { return memory.NormalTopic(m.Spec.TopicKey) == topic })
}

// MemsSaying returns the mems that will be there with these words, as memory.NormalText
// leaves them, sorted by name.
func (v *View) MemsSaying(text string) []*resources.Mem {
	return v.memsThat(func(around Around) ([]resources.Key, bool) { return around.Saying(v.tx.ctx, text) },
		func(s *graph.Snapshot) []*resources.Mem { return s.MemsSaying(text) },
		func(m *resources.Mem) bool { return memory.Says(m.Spec.Content, text) })
}

// memsThat is what is stored, changed by what is staged. ask finds those that may fit, read finds
// those that do where nobody answers.
func (v *View) memsThat(ask func(Around) ([]resources.Key, bool), read func(*graph.Snapshot) []*resources.Mem, fits func(*resources.Mem) bool) []*resources.Mem {
	var mems []*resources.Mem
	take := func(o resources.Object) {
		if m, ok := o.(*resources.Mem); ok && fits(m) {
			mems = append(mems, m)
		}
	}
	for _, o := range v.staged {
		take(o)
	}
	for _, o := range v.storedMems(ask, read) {
		if _, staged := v.staged[o.Key()]; !staged {
			take(o)
		}
	}
	slices.SortFunc(mems, byName)
	return mems
}

// storedMems are those that may fit of what is there.
func (v *View) storedMems(ask func(Around) ([]resources.Key, bool), read func(*graph.Snapshot) []*resources.Mem) (found []resources.Object) {
	if around := v.tx.repo.Around; around != nil && v.shared.snapshot == nil {
		if keys, known := ask(around); known {
			for _, key := range keys {
				if o := v.stored(key); o != nil {
					found = append(found, o)
				}
			}
			return found
		}
	}
	for _, m := range read(v.all()) {
		found = append(found, m)
	}
	return found
}

// SourceFile reports on a file of the repository, as status.WideView has it.
func (v *View) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	return v.tx.repo.Store.Root().SourceFile(path)
}

// SourceSection reports on a part of a file of the repository.
func (v *View) SourceSection(path, section string) (sha256 string, exists bool) {
	return v.tx.repo.Store.Root().SourceSection(path, section)
}
