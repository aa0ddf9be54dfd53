package mutate

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
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
	return v.memsThat(v.all().Superseders(name), func(m *resources.Mem) bool { return m.Spec.Supersedes == name })
}

// Topic returns the mems that will have that topic, sorted by name.
func (v *View) Topic(key string) []*resources.Mem {
	topic := memory.NormalTopic(key)
	return v.memsThat(v.all().Topic(key), func(m *resources.Mem) bool { return memory.NormalTopic(m.Spec.TopicKey) == topic })
}

// MemsSaying returns the mems that will be there with these words, as memory.NormalText
// leaves them, sorted by name.
func (v *View) MemsSaying(text string) []*resources.Mem {
	return v.memsThat(v.all().MemsSaying(text), func(m *resources.Mem) bool { return v.shared.wordsOf(m) == text })
}

// wordsOf is the normal text of a mem that is staged: each of a thousand that are written
// together is compared with all others.
func (r *reading) wordsOf(m *resources.Mem) string {
	words, known := r.words[m]
	if !known {
		if r.words == nil {
			r.words = map[*resources.Mem]string{}
		}
		words = memory.NormalText(m.Spec.Content)
		r.words[m] = words
	}
	return words
}

// memsThat is what is stored, changed by what is staged.
func (v *View) memsThat(stored []*resources.Mem, fits func(*resources.Mem) bool) []*resources.Mem {
	var mems []*resources.Mem
	for _, m := range stored {
		if _, staged := v.staged[m.Key()]; !staged {
			mems = append(mems, m)
		}
	}
	for _, o := range v.staged {
		if m, ok := o.(*resources.Mem); ok && fits(m) {
			mems = append(mems, m)
		}
	}
	slices.SortFunc(mems, byName)
	return mems
}

// SourceFile reports on a file of the repository, as status.WideView has it.
func (v *View) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	return v.tx.repo.Store.Root().SourceFile(path)
}

// SourceSection reports on a part of a file of the repository.
func (v *View) SourceSection(path, section string) (sha256 string, exists bool) {
	return v.tx.repo.Store.Root().SourceSection(path, section)
}
