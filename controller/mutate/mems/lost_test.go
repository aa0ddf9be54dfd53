package mems

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

func TestLoseSource(t *testing.T) {
	commit := func(message string) *resources.Mem {
		return memory.OfCommit(memory.Commit{ID: "0123456789abcdef", Time: resources.NewTime(noon), Message: message})
	}
	made, heir := commit("decision: use postgers"), commit("decision: use postgres")
	with := func(change func(*resources.Mem)) *resources.Mem {
		m := resources.Clone(made).(*resources.Mem)
		change(m)
		return m
	}

	next := LoseSource(made, heir, newShelf(made, heir))
	require.NotNil(t, next)
	assert.Equal(t, heir.Metadata.Name, next.Metadata.Name)
	assert.Equal(t, made.Metadata.Name, next.Spec.Supersedes)
	assert.Equal(t, "the commit that it was made of was amended", next.Spec.SupersedeReason)

	for name, w := range map[string]*shelf{
		"no heir":       newShelf(made),
		"heir not made": newShelf(made, mem("other", resources.MemSpec{})),
		"heir purged": newShelf(made, func() *resources.Mem {
			h := resources.Clone(heir).(*resources.Mem)
			h.Spec.PurgedAt = resources.NewTime(noon)
			return h
		}()),
	} {
		t.Run(name, func(t *testing.T) {
			next := LoseSource(made, heir, w)
			require.NotNil(t, next)
			assert.Equal(t, made.Metadata.Name, next.Metadata.Name)
			assert.Equal(t, noon.Format("2006-01-02T15:04:05Z07:00"), next.Metadata.Annotations[memory.AnnotationSourceLost])
			assert.NotContains(t, made.Metadata.Annotations, memory.AnnotationSourceLost, "what is there is not changed in place")
			w.put(next)
			assert.Nil(t, LoseSource(made, heir, w), "it is marked once")
		})
	}
	for name, m := range map[string]*resources.Mem{
		"written anew": with(func(m *resources.Mem) { m.Spec.Content = "use PostgreSQL" }),
		"confirmed":    with(func(m *resources.Mem) { m.Spec.Confirmations = []resources.MemConfirmation{{By: "ann"}} }),
		"pinned":       with(func(m *resources.Mem) { m.Spec.Pinned = true }),
		"purged":       with(func(m *resources.Mem) { m.Spec.PurgedAt = resources.NewTime(noon) }),
		"not there":    mem("other", resources.MemSpec{}),
	} {
		t.Run(name, func(t *testing.T) { assert.Nil(t, LoseSource(made, heir, newShelf(m, heir))) })
	}
}
