package resources

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keptMems are mems of which only sketches are there until somebody asks for one.
type keptMems struct {
	t    *testing.T
	mems []*Mem // by name
	made map[string]int
}

func newKeptMems(t *testing.T, objects []Object) *keptMems {
	k := &keptMems{t: t, made: map[string]int{}}
	for _, o := range objects {
		k.mems = append(k.mems, o.(*Mem))
	}
	slices.SortFunc(k.mems, func(a, b *Mem) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return k
}

func (k *keptMems) Len() int                         { return len(k.mems) }
func (k *keptMems) Name(i int) string                { return k.mems[i].Metadata.Name }
func (k *keptMems) Says(i int) (words, topic uint64) { return MemSays(k.mems[i]) }

func (k *keptMems) Sketch(i int, s *MemSketch) { *s = SketchMem(k.mems[i]) }
func (k *keptMems) Glance(i int) (int64, string, []int) {
	s := SketchMem(k.mems[i])
	return s.Created, s.Supersedes, s.Days
}
func (k *keptMems) Mem(i int) *Mem {
	k.made[k.mems[i].Metadata.Name]++
	require.Equal(k.t, 1, k.made[k.mems[i].Metadata.Name], "each is made once")
	return k.mems[i]
}

// factsOf is what MemFacts tells, as text.
func factsOf(s *Snapshot) string {
	var b strings.Builder
	s.MemFacts(func(at int, f *MemFacts) { fmt.Fprintln(&b, at, *f, s.MemAt(at).Metadata.Name) })
	return b.String()
}

// What is said of a mem by its sketch is what AssessMem says, whoever looked at it before.
func TestFactsAreWhatAssessMemSays(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	phases := map[string]int{}
	for range 400 {
		objects := randomMems(r, 12)
		for _, o := range objects {
			embellish(r, o.(*Mem))
		}
		in := SnapshotInput{Objects: objects, Now: noon.Add(time.Duration(r.IntN(40)-20) * day), CommitDays: randomDays(r)}
		in.SourceFile = func(path string) (time.Time, string, bool) { return noon, "aa" + path, path != "gone.go" }
		in.SourceSection = func(path, section string) (string, bool) { return "aa" + section, section != "gone" }
		deferred := in
		deferred.Objects, deferred.Mems = nil, newKeptMems(t, objects)
		eager, lazy := NewSnapshot(in), NewSnapshot(deferred)
		require.Equal(t, eager.WorkDays(), lazy.WorkDays())
		lazy.MemFacts(func(at int, f *MemFacts) {
			want := AssessMem(eager.Mem(f.Name), eager)
			require.Equal(t, want.Phase, f.Phase, "%+v", f)
			require.Equal(t, want.Confidence, f.Left, "%+v", f)
			require.Equal(t, len(want.Suspect) > 0, f.Doubt, "%+v", f)
			phases[f.Phase]++
		})
		require.Equal(t, factsOf(eager), factsOf(lazy))
		require.Equal(t, eager.List(Mems), lazy.List(Mems))
		for _, key := range eager.List(Mems) {
			require.Equal(t, eager.Derived(key), lazy.Derived(key))
			require.Equal(t, eager.Superseders(key.Name), lazy.Superseders(key.Name))
		}
		at := noon.Add(-time.Duration(r.IntN(30)) * day)
		require.Equal(t, factsOf(eager.AsOf(at)), factsOf(lazy.AsOf(at)))
	}
	for _, phase := range []string{Fresh, Fading, StalePhase, SuspectPhase, Gone, Superseded, Purged, Pending, Ended} {
		assert.Positive(t, phases[phase], phase)
	}
}

// embellish gives a mem what its confidence and its evidence depend on.
func embellish(r *rand.Rand, m *Mem) {
	m.Metadata.CreationTimestamp = NewTime(noon.Add(-time.Duration(r.IntN(300*24)) * time.Hour))
	if r.IntN(8) == 0 {
		at := []string{"", "2026-01-01T00:00:00Z", noon.Add(time.Duration(r.IntN(40)-20) * day).Format(time.RFC3339)}[r.IntN(3)]
		m.Metadata.Annotations = map[string]string{AnnotationSourceLost: at}
	}
	m.Spec.Confidence = new(int)
	*m.Spec.Confidence = r.IntN(101)
	m.Spec.Pinned, m.Spec.Critical = r.IntN(12) == 0, r.IntN(12) == 0
	if r.IntN(3) > 0 { // most say nothing about when they hold
		m.Spec.PurgedAt, m.Spec.ValidFrom, m.Spec.ValidTo, m.Spec.Supersedes = Time{}, Time{}, Time{}, ""
	}
	if r.IntN(8) == 0 {
		m.Spec.RecordedAt = NewTime(noon.Add(-time.Duration(r.IntN(900)) * time.Hour))
	}
	if r.IntN(8) == 0 {
		m.Spec.ValidTo = NewTime(noon.Add(-time.Duration(r.IntN(900)-300) * time.Hour))
	}
	if r.IntN(8) == 0 {
		m.Spec.StaleAfter = "240h"
	}
	for range r.IntN(4) {
		c := randomConfirmation(r)
		c.At = NewTime(c.At.Add(time.Duration(r.IntN(2)) * 210 * day)) // some are still to come
		m.Spec.Confirmations = append(m.Spec.Confirmations, c)
	}
	if r.IntN(6) == 0 {
		m.Metadata.Annotations = map[string]string{AnnotationValidatedAt: []string{"no time", "2026-03-01T10:00:00.5Z", "2031-03-01T10:00:00+02:00"}[r.IntN(3)]}
	}
	for range r.IntN(3) {
		path := []string{"a.go", "b.go", "gone.go", ""}[r.IntN(4)]
		m.Spec.Evidence = append(m.Spec.Evidence, MemEvidence{Path: path, Section: []string{"", "s", "gone"}[r.IntN(3)], SHA256: []string{"", "AAa.go", "aas", "bb"}[r.IntN(4)], Note: "n"})
	}
}

// Where a file is broken, or another mem came beside those that were kept, all are made.
func TestDeferredMemsBesideOthers(t *testing.T) {
	kept := []Object{newMem("b", MemSpec{Content: "b"}), newMem("a", MemSpec{Content: "a", Supersedes: "b"})}
	for _, in := range []SnapshotInput{
		{Problems: map[Key]Problem{{Mems, "broken"}: {Reason: "r"}}},
		{Objects: []Object{newMem("other", MemSpec{Content: "c"})}},
		{Objects: []Object{newMem("broken", MemSpec{Content: "last good"})}, Problems: map[Key]Problem{{Mems, "broken"}: {Reason: "r"}}},
	} {
		in.Now = noon
		eager := in
		eager.Objects = append(slices.Clone(in.Objects), kept...)
		in.Mems = newKeptMems(t, kept)
		s := NewSnapshot(in)
		require.Equal(t, NewSnapshot(eager).List(Mems), s.List(Mems))
		require.Equal(t, factsOf(NewSnapshot(eager)), factsOf(s))
	}
}
