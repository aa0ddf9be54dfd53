package resources

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The stability in integers is S0 * (1 + log2(1+n)/2), and never falls as n grows.
func TestStability(t *testing.T) {
	for _, base := range []time.Duration{time.Second, 36 * time.Hour, DefaultMemSpan, FalsePathSpan} {
		before := time.Duration(0)
		for n := range 2000 {
			got := Stability(base, n)
			exact := base.Seconds() * (1 + math.Log2(1+float64(n))/2)
			require.InDelta(t, exact, got.Seconds(), 1+exact/(1<<logBits), "%s, %d", base, n)
			require.GreaterOrEqual(t, got, before)
			before = got
		}
	}
	assert.Equal(t, 45*day, Stability(DefaultMemSpan, 1))
	assert.Equal(t, 60*day, Stability(DefaultMemSpan, 3))
	assert.Equal(t, 75*day, Stability(DefaultMemSpan, 7))
	assert.Positive(t, Stability(math.MaxInt64, math.MaxInt))
	assert.Equal(t, DefaultMemSpan, Stability(DefaultMemSpan, -1))
}

// More confirmations never fade faster: whatever is added to a mem's confirmations, at
// any time up to now, leaves it at least as sure, today and on every day after.
func TestAnotherConfirmationNeverFadesFaster(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		work := randomDays(r)
		spec := MemSpec{Confidence: new(int)}
		*spec.Confidence = r.IntN(101)
		if r.IntN(3) == 0 {
			spec.Type = FalsePath
		}
		for range r.IntN(6) {
			spec.Confirmations = append(spec.Confirmations, randomConfirmation(r))
		}
		more := spec
		more.Confirmations = append(more.Confirmations[:len(more.Confirmations):len(more.Confirmations)], randomConfirmation(r))
		without, with := daysOld(400, "m", spec), daysOld(400, "m", more)
		for _, later := range []int{0, 1, 40, 700} {
			now := noon.Add(time.Duration(later) * day)
			a, _ := DeriveMem(without, NewSnapshot(SnapshotInput{Objects: []Object{without}, Now: now, CommitDays: work}))
			b, _ := DeriveMem(with, NewSnapshot(SnapshotInput{Objects: []Object{with}, Now: now, CommitDays: work}))
			require.GreaterOrEqual(t, b.Confidence, a.Confidence, "%v, then %v, %d days later", spec.Confirmations, more.Confirmations, later)
		}
	}
}

// randomDays are days of work around noon.
func randomDays(r *rand.Rand) func() []int {
	var days []int
	for d := -400; d < 750; d++ {
		if r.IntN(3) > 0 {
			days = append(days, DayOf(noon)+d)
		}
	}
	return func() []int { return append([]int(nil), days...) }
}

func randomConfirmation(r *rand.Rand) MemConfirmation {
	return MemConfirmation{At: NewTime(noon.Add(-time.Duration(r.IntN(400*24)) * time.Hour)), By: []string{"", "a", "b"}[r.IntN(3)]}
}

// Whatever the order in which mems came, the same store has the same statuses.
func TestTheOrderOfMemsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		objects := randomMems(r, 8)
		want := statusesOf(t, objects)
		for range 3 {
			r.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
			require.Equal(t, want, statusesOf(t, objects))
		}
	}
}

// randomMems are mems that replace and contradict each other in every way.
func randomMems(r *rand.Rand, n int) []Object {
	var objects []Object
	name := func() string { return fmt.Sprintf("m%d", r.IntN(n)) }
	for i := range n {
		spec := MemSpec{Content: []string{"A b", "a, b!", "c"}[r.IntN(3)], TopicKey: []string{"", "t", "T"}[r.IntN(3)]}
		if r.IntN(3) > 0 {
			spec.Supersedes = name()
		}
		if r.IntN(6) == 0 {
			spec.Shelf = "s"
		}
		if r.IntN(4) == 0 {
			spec.Type = FalsePath
		}
		if r.IntN(2) == 0 {
			spec.SupersedeReason = "because"
		}
		if r.IntN(6) == 0 {
			spec.PurgedAt = NewTime(noon.Add(-time.Hour))
		}
		if r.IntN(6) == 0 {
			spec.ValidFrom = NewTime(noon.Add(time.Hour * time.Duration(r.IntN(48)-24)))
		}
		objects = append(objects, daysOld(r.IntN(4), fmt.Sprintf("m%d", i), spec))
	}
	return objects
}

func statusesOf(t *testing.T, objects []Object) string {
	t.Helper()
	s := snapshotOf(objects...)
	text := ""
	for _, key := range s.List(Mems) {
		data, err := EncodeStatus(s.Derived(key))
		require.NoError(t, err)
		text += key.Name + string(data)
	}
	return text
}

// What holds about any lot of mems, however wrong.
func TestInvariantsOfMems(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		s := snapshotOf(randomMems(r, 7)...)
		for _, key := range s.List(Mems) {
			m := s.Mem(key.Name)
			status := s.Derived(key).(*MemStatus)
			live := MemLive(m, s, noon)
			out := status.Phase == Superseded || status.Phase == Purged || status.Phase == Ended || status.Phase == Pending
			require.Equal(t, live, !out, "%s: %s", key, status.Phase)
			if status.Phase == Superseded {
				head := s.Mem(status.Head)
				require.NotNil(t, head, "a chain leads to its head")
				require.Same(t, head, MemHead(head, s))
				require.NotEqual(t, key.Name, status.Head)
				require.False(t, status.InvalidatedAt.IsZero())
			}
			if m.Spec.Type == FalsePath && !live && status.Phase != Pending {
				require.NotEmpty(t, s.Mem(status.SupersededBy).Spec.SupersedeReason, "a false path ends only with a reason")
			}
			c := FindCondition(status.Conditions, Conflict)
			if c != nil {
				require.NotEmpty(t, c.Message)
			}
			chain := chainOf(m, s)
			for _, head := range holders(chain[len(chain)-1], s, noon) {
				if live && !slices.Contains(chain, head) { // what a mem to come will replace holds as well
					require.NotNil(t, c, "%s and %s are heads of one chain:\n%s", key, head.Metadata.Name, dump(s))
				}
			}
		}
		for _, key := range s.List(Mems) {
			m := s.Mem(key.Name)
			head := MemHead(m, s)
			require.Equal(t, m.Spec.Shelf, head.Spec.Shelf, "no chain leads to another shelf")
		}
	}
}

func TestConflicts(t *testing.T) {
	mem := func(name string, spec MemSpec) *Mem { return daysOld(1, name, spec) }
	for _, test := range []struct {
		name   string
		mems   []Object
		reason map[string]string // of the condition, by mem
	}{
		{"one topic, other content", []Object{mem("a", MemSpec{TopicKey: "Auth Tokens", Content: "x"}), mem("b", MemSpec{TopicKey: "auth-tokens", Content: "y"})}, map[string]string{"a": "SameTopic", "b": "SameTopic"}},
		{"one topic, same content", []Object{mem("a", MemSpec{TopicKey: "t", Content: "x y"}), mem("b", MemSpec{TopicKey: "t", Content: "X, Y."})}, nil},
		{"one topic, replaced", []Object{mem("a", MemSpec{TopicKey: "t", Content: "x"}), mem("b", MemSpec{TopicKey: "t", Content: "y", Supersedes: "a"})}, nil},
		{"one topic, purged", []Object{mem("a", MemSpec{TopicKey: "t", Content: "x", PurgedAt: NewTime(noon)}), mem("b", MemSpec{TopicKey: "t", Content: "y"})}, nil},
		{"other topics", []Object{mem("a", MemSpec{TopicKey: "t", Content: "x"}), mem("b", MemSpec{TopicKey: "u", Content: "y"})}, nil},
		{"second head", []Object{mem("a", MemSpec{}), mem("b", MemSpec{Supersedes: "a"}), mem("c", MemSpec{Supersedes: "a"})}, map[string]string{"b": "SecondHead", "c": "SecondHead"}},
		{"second head, of a chain", []Object{mem("a", MemSpec{}), mem("b", MemSpec{Supersedes: "a"}), mem("c", MemSpec{Supersedes: "b"}), mem("d", MemSpec{Supersedes: "a"})}, map[string]string{"c": "SecondHead", "d": "SecondHead"}},
		{"second head, of a circle", []Object{mem("a", MemSpec{Supersedes: "b"}), mem("b", MemSpec{Supersedes: "a"}), mem("c", MemSpec{Supersedes: "a"}), mem("d", MemSpec{Supersedes: "a"})}, map[string]string{"b": "Circle", "a": "Circle", "c": "SecondHead", "d": "SecondHead"}},
		{"second head, settled by the root of its chain", []Object{mem("a", MemSpec{}), mem("b", MemSpec{Supersedes: "a"}), mem("c", MemSpec{Supersedes: "b"}), mem("d", MemSpec{Supersedes: "c"}), mem("e", MemSpec{Supersedes: "d"})}, nil},
		{"second head, settled", []Object{mem("a", MemSpec{}), mem("b", MemSpec{Supersedes: "a"}), mem("c", MemSpec{Supersedes: "a", PurgedAt: NewTime(noon)})}, nil},
		{"another shelf", []Object{mem("a", MemSpec{Shelf: "s"}), mem("b", MemSpec{Supersedes: "a"})}, map[string]string{"b": "OtherShelf"}},
		{"a false path without a reason", []Object{mem("a", MemSpec{Type: FalsePath}), mem("b", MemSpec{Supersedes: "a"})}, map[string]string{"b": "ReasonMissing"}},
		{"a false path without a reason, ended by another", []Object{mem("a", MemSpec{Type: FalsePath}), mem("b", MemSpec{Supersedes: "a"}), mem("c", MemSpec{Supersedes: "a", SupersedeReason: "r"})}, nil},
		{"a false path with a reason", []Object{mem("a", MemSpec{Type: FalsePath}), mem("b", MemSpec{Supersedes: "a", SupersedeReason: "r"})}, nil},
		{"a false path purged", []Object{mem("a", MemSpec{Type: FalsePath, PurgedAt: NewTime(noon)})}, map[string]string{"a": "FalsePathKept"}},
		{"a circle", []Object{mem("a", MemSpec{Supersedes: "b"}), mem("b", MemSpec{Supersedes: "a"})}, map[string]string{"a": "Circle", "b": "Circle"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := snapshotOf(test.mems...)
			for _, key := range s.List(Mems) {
				reason := ""
				if c := FindCondition(s.Derived(key).(*MemStatus).Conditions, Conflict); c != nil {
					reason = c.Reason
				}
				assert.Equal(t, test.reason[key.Name], reason, key.Name)
			}
		})
	}
}

// Of very many mems that contradict each other each names a few, and that takes no long.
func TestManyRivals(t *testing.T) {
	const n = 2000
	objects := []Object{daysOld(1, "root", MemSpec{Content: "root"})}
	for i := range n {
		objects = append(objects, daysOld(1, fmt.Sprintf("t%04d", i), MemSpec{Content: fmt.Sprint("says ", i), TopicKey: "t"}))
		objects = append(objects, daysOld(1, fmt.Sprintf("h%04d", i), MemSpec{Content: fmt.Sprint("head ", i), Supersedes: "root"}))
	}
	s := snapshotOf(objects...)
	for name, want := range map[string]string{
		"t0001": `"t0000", "t0002", "t0003" and more say something else about topic "t"`,
		"h0001": `"h0000", "h0002", "h0003" and more take the place of "root" as well`,
	} {
		c := FindCondition(s.Derived(Key{Mems, name}).(*MemStatus).Conditions, Conflict)
		require.NotNil(t, c)
		assert.Contains(t, c.Message, want)
	}
	for _, key := range s.List(Mems) {
		if c := FindCondition(s.Derived(key).(*MemStatus).Conditions, Conflict); c != nil {
			require.Less(t, len(c.Message), 250)
		}
	}
}

// What CheckMem lets through never makes a second head.
func TestSecondHeadsAreRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for range 1000 {
		var objects []Object
		for i := range 12 {
			spec := MemSpec{Content: fmt.Sprint(i)}
			if i > 0 && r.IntN(3) > 0 {
				spec.Supersedes = fmt.Sprintf("m%d", r.IntN(i))
			}
			m := daysOld(1, fmt.Sprintf("m%d", i), spec)
			if CheckMem(m, snapshotOf(objects...)) != nil {
				refused++
				continue
			}
			objects = append(objects, m)
		}
		s := snapshotOf(objects...)
		for _, o := range objects {
			require.Nil(t, FindCondition(s.Derived(o.Key()).(*MemStatus).Conditions, Conflict))
		}
	}
	require.Positive(t, refused)
}

func TestTwoClocks(t *testing.T) {
	at := func(days int) Time { return NewTime(noon.Add(time.Duration(days) * day)) }
	old := daysOld(10, "old", MemSpec{ValidFrom: at(-100)})
	heir := daysOld(4, "heir", MemSpec{Supersedes: "old", ValidFrom: at(-6)})
	last := daysOld(1, "last", MemSpec{Supersedes: "heir"})
	soon := daysOld(1, "soon", MemSpec{Supersedes: "last", ValidFrom: at(2)})
	s := snapshotOf(old, heir, last, soon)
	status := s.Derived(old.Key()).(*MemStatus)
	assert.Equal(t, "heir", status.SupersededBy)
	assert.Equal(t, at(-100), status.ValidFrom)
	assert.Equal(t, at(-6), status.ValidTo, "it was so until the other one was")
	assert.Equal(t, at(-10), status.RecordedAt)
	assert.Equal(t, at(-4), status.InvalidatedAt, "nobody knew before that was recorded")
	assert.Equal(t, Fresh, s.Derived(last.Key()).(*MemStatus).Phase, "what replaces it is not so yet")
	assert.Equal(t, at(2).Time, s.Next(last.Key()))
	for _, test := range []struct {
		days  int
		holds []string
	}{{-11, nil}, {-9, []string{"old"}}, {-5, []string{"old"}}, {-3, []string{"heir"}}, {0, []string{"last"}}, {3, []string{"soon"}}} {
		then := s.AsOf(at(test.days).Time)
		var holds []string
		for _, key := range then.List(Mems) {
			if !MemHidden(then.Derived(key).(*MemStatus).Phase) {
				holds = append(holds, key.Name)
			}
		}
		assert.Equal(t, test.holds, holds, "%d days", test.days)
	}
}

// A mem that was there before it took another one's place is known to have done so since then.
func TestAnOlderMemTakesThePlace(t *testing.T) {
	at := func(days int) Time { return NewTime(noon.Add(time.Duration(days) * day)) }
	heir := daysOld(10, "heir", MemSpec{Supersedes: "old", SupersedesSince: at(-2)})
	byHand := daysOld(10, "by-hand", MemSpec{Supersedes: "other"})
	s := snapshotOf(daysOld(5, "old", MemSpec{}), heir, daysOld(5, "other", MemSpec{}), byHand)
	assert.Equal(t, at(-2), s.Derived(Key{Mems, "old"}).(*MemStatus).InvalidatedAt)
	assert.Equal(t, at(-5), s.Derived(Key{Mems, "other"}).(*MemStatus).InvalidatedAt, "not before it was recorded itself")
	for days, want := range map[int]string{-6: "", -4: Fresh, -1: Superseded} {
		status, _ := s.AsOf(at(days).Time).Derived(Key{Mems, "old"}).(*MemStatus)
		phase := ""
		if status != nil {
			phase = status.Phase
		}
		assert.Equal(t, want, phase, "%d days", days)
	}
	assert.Equal(t, "old", s.Mem("heir").Spec.Supersedes, "what is there is not changed in place")
}

func FuzzMem(f *testing.F) {
	f.Add(`{"spec":{"content":"c","evidence":["n",{"path":"a"}],"appliesWhen":{"cues":["x"]},"confirmations":[{"at":"2026-01-01T00:00:00Z"}],"validTo":"2026-01-01T00:00:00Z"}}`)
	f.Add(`{"spec":{"content":"c","type":"false_path","purgedAt":"2026-01-01T00:00:00Z","staleAfter":"1h","supersedes":"y","recordedAt":"0001-01-01T00:00:00Z"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		o, _, err := Read(memX, []byte(text))
		if err != nil {
			return
		}
		s := snapshotOf(o, newMem("y", MemSpec{Supersedes: "x"}))
		status, _ := DeriveMem(o.(*Mem), s)
		data, err := Encode(o)
		require.NoError(t, err)
		again, _, err := Read(memX, data)
		require.NoError(t, err)
		second, err := Encode(again)
		require.NoError(t, err)
		require.Equal(t, string(data), string(second))
		require.GreaterOrEqual(t, status.Confidence, 0)
		require.LessOrEqual(t, status.Confidence, 100)
		_, err = EncodeStatus(status)
		require.NoError(t, err)
	})
}

func dump(s *Snapshot) string {
	text := ""
	for _, key := range s.List(Mems) {
		data, _ := Encode(s.Mem(key.Name))
		text += string(data)
	}
	return text
}
