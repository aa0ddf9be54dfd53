package mems

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// Whoever is told that a mem has too few cues saves it once more with some.
func TestADuplicateTeachesWhatItIsFoundBy(t *testing.T) {
	held := mem("held", resources.MemSpec{Content: "Tokens live 30 days", Tags: []string{"auth"}, AppliesWhen: &resources.AppliesWhen{Cues: []string{"logged out"}}})
	w := newShelf(held)
	again := mem("again", resources.MemSpec{
		Content: "tokens live 30 days.", Tags: []string{"Auth", "web"},
		AppliesWhen: &resources.AppliesWhen{Paths: []string{"a.md"}, Cues: []string{"Logged Out", "1", "2", "3", "4", "5", "6", "7", "8"}},
		Evidence:    []resources.MemEvidence{{Note: "a.md"}},
	})
	saved, err := Save(again, w)
	require.NoError(t, err)
	assert.Equal(t, Duplicate, saved.Operation)
	spec := saved.Mem.Spec
	assert.Equal(t, "held", saved.Mem.Metadata.Name)
	assert.Equal(t, "Tokens live 30 days", spec.Content)
	assert.Equal(t, []string{"auth", "web"}, spec.Tags)
	assert.Equal(t, []string{"a.md"}, spec.AppliesWhen.Paths)
	assert.Equal(t, []string{"logged out", "1", "2", "3", "4", "5", "6", "7"}, spec.AppliesWhen.Cues, "no more than MostCues")
	assert.Equal(t, []resources.MemEvidence{{Path: "a.md", SHA256: "1"}}, spec.Evidence)
	assert.Equal(t, []string{"logged out"}, held.Spec.AppliesWhen.Cues, "what is there is not changed in place")

	w.put(saved.Mem)
	saved, err = Save(mem("third", resources.MemSpec{Content: "Tokens live 30 days", Evidence: []resources.MemEvidence{{Note: "b.md"}}}), w)
	require.NoError(t, err)
	assert.Equal(t, []resources.MemEvidence{{Path: "a.md", SHA256: "1"}}, saved.Mem.Spec.Evidence, "what it cites is not forgotten, nor looked at anew")
	bare, err := Save(mem("bare", resources.MemSpec{Content: "c"}), newShelf(mem("plain", resources.MemSpec{Content: "C"})))
	require.NoError(t, err)
	assert.Equal(t, resources.MemSpec{Content: "C", Duplicates: 1}, bare.Mem.Spec)
}

// What a repeated save says and the mem does not take over is told.
func TestADuplicateTellsWhatIsDropped(t *testing.T) {
	cited := func(paths ...string) (all []resources.MemEvidence) {
		for _, p := range paths {
			all = append(all, resources.MemEvidence{Path: p})
		}
		return all
	}
	held := mem("held", resources.MemSpec{Content: "C", TopicKey: "auth", Evidence: cited("a.md")})
	save := func(spec resources.MemSpec) []string {
		spec.Content = "C"
		saved, err := Save(mem("m", spec), newShelf(held))
		require.NoError(t, err)
		return saved.Notes
	}
	assert.Empty(t, save(resources.MemSpec{TopicKey: "Auth", Evidence: cited("a.md")}))
	assert.Equal(t, []string{`mem/held has the same content and keeps topic "auth": "auth/life" is not saved`}, save(resources.MemSpec{TopicKey: "auth/life"}))
	assert.Equal(t, []string{"mem/held has the same content and keeps its evidence: b.md is not saved; add it with idumb edit mem held"}, save(resources.MemSpec{Evidence: cited("a.md", "b.md")}))
}
