package memory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// The stability in integers is S0 * (1 + log2(1+n)/2), and never falls as n grows.
func TestStability(t *testing.T) {
	for _, base := range []time.Duration{time.Second, 36 * time.Hour, memory.DefaultMemSpan, memory.FalsePathSpan} {
		before := time.Duration(0)
		for n := range 2000 {
			got := memory.Stability(base, n)
			exact := base.Seconds() * (1 + math.Log2(1+float64(n))/2)
			require.InDelta(t, exact, got.Seconds(), 1+exact/(1<<memory.LogBits), "%s, %d", base, n)
			require.GreaterOrEqual(t, got, before)
			before = got
		}
	}
	assert.Equal(t, 45*status.Day, memory.Stability(memory.DefaultMemSpan, 1))
	assert.Equal(t, 60*status.Day, memory.Stability(memory.DefaultMemSpan, 3))
	assert.Equal(t, 75*status.Day, memory.Stability(memory.DefaultMemSpan, 7))
	assert.Positive(t, memory.Stability(math.MaxInt64, math.MaxInt))
	assert.Equal(t, memory.DefaultMemSpan, memory.Stability(memory.DefaultMemSpan, -1))
}

// More confirmations never fade faster: whatever is added to a mem's confirmations, at
// any time up to now, leaves it at least as sure, today and on every day after.
func TestAnotherConfirmationNeverFadesFaster(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		work := randomDays(r)
		spec := resources.MemSpec{Confidence: new(int)}
		*spec.Confidence = r.IntN(101)
		if r.IntN(3) == 0 {
			spec.Type = resources.FalsePath
		}
		for range r.IntN(6) {
			spec.Confirmations = append(spec.Confirmations, randomConfirmation(r))
		}
		more := spec
		more.Confirmations = append(more.Confirmations[:len(more.Confirmations):len(more.Confirmations)], randomConfirmation(r))
		without, with := graphtest.DaysOld(400, "m", spec), graphtest.DaysOld(400, "m", more)
		for _, later := range []int{0, 1, 40, 700} {
			now := graphtest.Noon.Add(time.Duration(later) * status.Day)
			a, _ := memory.Derive(without, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{without}, Now: now, CommitDays: work}))
			b, _ := memory.Derive(with, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{with}, Now: now, CommitDays: work}))
			require.GreaterOrEqual(t, b.Confidence, a.Confidence, "%v, then %v, %d days later", spec.Confirmations, more.Confirmations, later)
		}
	}
}

// randomDays are days of work around noon.
func randomDays(r *rand.Rand) func() []int {
	var days []int
	for d := -400; d < 750; d++ {
		if r.IntN(3) > 0 {
			days = append(days, status.DayOf(graphtest.Noon)+d)
		}
	}
	return func() []int { return append([]int(nil), days...) }
}

func randomConfirmation(r *rand.Rand) resources.MemConfirmation {
	return resources.MemConfirmation{At: resources.NewTime(graphtest.Noon.Add(-time.Duration(r.IntN(400*24)) * time.Hour)), By: []string{"", "a", "b"}[r.IntN(3)]}
}

// Whatever the order in which mems came, the same store has the same statuses.
func TestTheOrderOfMemsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		objects := graphtest.RandomMems(r, 8)
		want := statusesOf(t, objects)
		for range 3 {
			r.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
			require.Equal(t, want, statusesOf(t, objects))
		}
	}
}

func statusesOf(t *testing.T, objects []resources.Object) string {
	t.Helper()
	s := graphtest.SnapshotOf(objects...)
	text := ""
	for _, key := range s.List(resources.Mems) {
		data, err := resources.EncodeStatus(s.Derived(key))
		require.NoError(t, err)
		text += key.Name + string(data)
	}
	return text
}

// What holds about any lot of mems, however wrong.
func TestInvariantsOfMems(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		s := graphtest.SnapshotOf(graphtest.RandomMems(r, 7)...)
		for _, key := range s.List(resources.Mems) {
			m := s.Mem(key.Name)
			status := s.Derived(key).(*resources.MemStatus)
			live := memory.Live(m, s, graphtest.Noon)
			out := status.Phase == resources.Superseded || status.Phase == resources.Purged || status.Phase == resources.Ended || status.Phase == resources.Pending
			require.Equal(t, live, !out, "%s: %s", key, status.Phase)
			if status.Phase == resources.Superseded {
				head := s.Mem(status.Head)
				require.NotNil(t, head, "a chain leads to its head")
				require.Same(t, head, memory.Head(head, s))
				require.NotEqual(t, key.Name, status.Head)
				require.False(t, status.InvalidatedAt.IsZero())
			}
			if m.Spec.Type == resources.FalsePath && !live && status.Phase != resources.Pending {
				require.NotEmpty(t, s.Mem(status.SupersededBy).Spec.SupersedeReason, "a false path ends only with a reason")
			}
			c := resources.FindCondition(status.Conditions, resources.Conflict)
			if c != nil {
				require.NotEmpty(t, c.Message)
			}
			chain := memory.ChainOf(m, s)
			for _, head := range memory.Holders(chain[len(chain)-1], s, graphtest.Noon) {
				if live && !slices.Contains(chain, head) { // what a mem to come will replace holds as well
					require.NotNil(t, c, "%s and %s are heads of one chain:\n%s", key, head.Metadata.Name, dump(s))
				}
			}
		}
		for _, key := range s.List(resources.Mems) {
			m := s.Mem(key.Name)
			head := memory.Head(m, s)
			require.Equal(t, m.Spec.Shelf, head.Spec.Shelf, "no chain leads to another shelf")
		}
	}
}

func TestConflicts(t *testing.T) {
	mem := func(name string, spec resources.MemSpec) *resources.Mem { return graphtest.DaysOld(1, name, spec) }
	for _, test := range []struct {
		name   string
		mems   []resources.Object
		reason map[string]string // of the condition, by mem
	}{
		{"one topic, other content", []resources.Object{mem("a", resources.MemSpec{TopicKey: "Auth Tokens", Content: "x"}), mem("b", resources.MemSpec{TopicKey: "auth-tokens", Content: "y"})}, map[string]string{"a": "SameTopic", "b": "SameTopic"}},
		{"one topic, same content", []resources.Object{mem("a", resources.MemSpec{TopicKey: "t", Content: "x y"}), mem("b", resources.MemSpec{TopicKey: "t", Content: "X, Y."})}, nil},
		{"one topic, replaced", []resources.Object{mem("a", resources.MemSpec{TopicKey: "t", Content: "x"}), mem("b", resources.MemSpec{TopicKey: "t", Content: "y", Supersedes: "a"})}, nil},
		{"one topic, purged", []resources.Object{mem("a", resources.MemSpec{TopicKey: "t", Content: "x", PurgedAt: resources.NewTime(graphtest.Noon)}), mem("b", resources.MemSpec{TopicKey: "t", Content: "y"})}, nil},
		{"other topics", []resources.Object{mem("a", resources.MemSpec{TopicKey: "t", Content: "x"}), mem("b", resources.MemSpec{TopicKey: "u", Content: "y"})}, nil},
		{"second head", []resources.Object{mem("a", resources.MemSpec{}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "a"})}, map[string]string{"b": "SecondHead", "c": "SecondHead"}},
		{"second head, of a chain", []resources.Object{mem("a", resources.MemSpec{}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "b"}), mem("d", resources.MemSpec{Supersedes: "a"})}, map[string]string{"c": "SecondHead", "d": "SecondHead"}},
		{"second head, of a circle", []resources.Object{mem("a", resources.MemSpec{Supersedes: "b"}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "a"}), mem("d", resources.MemSpec{Supersedes: "a"})}, map[string]string{"b": "Circle", "a": "Circle", "c": "SecondHead", "d": "SecondHead"}},
		{"second head, settled by the root of its chain", []resources.Object{mem("a", resources.MemSpec{}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "b"}), mem("d", resources.MemSpec{Supersedes: "c"}), mem("e", resources.MemSpec{Supersedes: "d"})}, nil},
		{"second head, settled", []resources.Object{mem("a", resources.MemSpec{}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "a", PurgedAt: resources.NewTime(graphtest.Noon)})}, nil},
		{"another shelf", []resources.Object{mem("a", resources.MemSpec{Shelf: "s"}), mem("b", resources.MemSpec{Supersedes: "a"})}, map[string]string{"b": "OtherShelf"}},
		{"a false path without a reason", []resources.Object{mem("a", resources.MemSpec{Type: resources.FalsePath}), mem("b", resources.MemSpec{Supersedes: "a"})}, map[string]string{"b": "ReasonMissing"}},
		{"a false path without a reason, ended by another", []resources.Object{mem("a", resources.MemSpec{Type: resources.FalsePath}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "a", SupersedeReason: "r"})}, nil},
		{"a false path with a reason", []resources.Object{mem("a", resources.MemSpec{Type: resources.FalsePath}), mem("b", resources.MemSpec{Supersedes: "a", SupersedeReason: "r"})}, nil},
		{"a false path purged", []resources.Object{mem("a", resources.MemSpec{Type: resources.FalsePath, PurgedAt: resources.NewTime(graphtest.Noon)})}, map[string]string{"a": "FalsePathKept"}},
		{"a circle", []resources.Object{mem("a", resources.MemSpec{Supersedes: "b"}), mem("b", resources.MemSpec{Supersedes: "a"})}, map[string]string{"a": "Circle", "b": "Circle"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := graphtest.SnapshotOf(test.mems...)
			for _, key := range s.List(resources.Mems) {
				reason := ""
				if c := resources.FindCondition(s.Derived(key).(*resources.MemStatus).Conditions, resources.Conflict); c != nil {
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
	objects := []resources.Object{graphtest.DaysOld(1, "root", resources.MemSpec{Content: "root"})}
	for i := range n {
		objects = append(objects, graphtest.DaysOld(1, fmt.Sprintf("t%04d", i), resources.MemSpec{Content: fmt.Sprint("says ", i), TopicKey: "t"}))
		objects = append(objects, graphtest.DaysOld(1, fmt.Sprintf("h%04d", i), resources.MemSpec{Content: fmt.Sprint("head ", i), Supersedes: "root"}))
	}
	s := graphtest.SnapshotOf(objects...)
	for name, want := range map[string]string{
		"t0001": `"t0000", "t0002", "t0003" and more say something else about topic "t"`,
		"h0001": `"h0000", "h0002", "h0003" and more take the place of "root" as well`,
	} {
		c := resources.FindCondition(s.Derived(resources.Key{Kind: resources.Mems, Name: name}).(*resources.MemStatus).Conditions, resources.Conflict)
		require.NotNil(t, c)
		assert.Contains(t, c.Message, want)
	}
	for _, key := range s.List(resources.Mems) {
		if c := resources.FindCondition(s.Derived(key).(*resources.MemStatus).Conditions, resources.Conflict); c != nil {
			require.Less(t, len(c.Message), 250)
		}
	}
}

// What Check lets through never makes a second head.
func TestSecondHeadsAreRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for range 1000 {
		var objects []resources.Object
		for i := range 12 {
			spec := resources.MemSpec{Content: fmt.Sprint(i)}
			if i > 0 && r.IntN(3) > 0 {
				spec.Supersedes = fmt.Sprintf("m%d", r.IntN(i))
			}
			m := graphtest.DaysOld(1, fmt.Sprintf("m%d", i), spec)
			if memory.Check(m, graphtest.SnapshotOf(objects...)) != nil {
				refused++
				continue
			}
			objects = append(objects, m)
		}
		s := graphtest.SnapshotOf(objects...)
		for _, o := range objects {
			require.Nil(t, resources.FindCondition(s.Derived(o.Key()).(*resources.MemStatus).Conditions, resources.Conflict))
		}
	}
	require.Positive(t, refused)
}

func TestTwoClocks(t *testing.T) {
	at := func(days int) resources.Time {
		return resources.NewTime(graphtest.Noon.Add(time.Duration(days) * status.Day))
	}
	old := graphtest.DaysOld(10, "old", resources.MemSpec{ValidFrom: at(-100)})
	heir := graphtest.DaysOld(4, "heir", resources.MemSpec{Supersedes: "old", ValidFrom: at(-6)})
	last := graphtest.DaysOld(1, "last", resources.MemSpec{Supersedes: "heir"})
	soon := graphtest.DaysOld(1, "soon", resources.MemSpec{Supersedes: "last", ValidFrom: at(2)})
	s := graphtest.SnapshotOf(old, heir, last, soon)
	status := s.Derived(old.Key()).(*resources.MemStatus)
	assert.Equal(t, "heir", status.SupersededBy)
	assert.Equal(t, at(-100), status.ValidFrom)
	assert.Equal(t, at(-6), status.ValidTo, "it was so until the other one was")
	assert.Equal(t, at(-10), status.RecordedAt)
	assert.Equal(t, at(-4), status.InvalidatedAt, "nobody knew before that was recorded")
	assert.Equal(t, resources.Fresh, s.Derived(last.Key()).(*resources.MemStatus).Phase, "what replaces it is not so yet")
	_, next := memory.Derive(last, s)
	assert.Equal(t, at(2).Time, next)
	for _, test := range []struct {
		days  int
		holds []string
	}{{-11, nil}, {-9, []string{"old"}}, {-5, []string{"old"}}, {-3, []string{"heir"}}, {0, []string{"last"}}, {3, []string{"soon"}}} {
		then := s.AsOf(at(test.days).Time)
		var holds []string
		for _, key := range then.List(resources.Mems) {
			if !memory.IsHidden(then.Derived(key).(*resources.MemStatus).Phase) {
				holds = append(holds, key.Name)
			}
		}
		assert.Equal(t, test.holds, holds, "%d days", test.days)
	}
}

// A mem that was there before it took another one's place is known to have done so since then.
func TestAnOlderMemTakesThePlace(t *testing.T) {
	at := func(days int) resources.Time {
		return resources.NewTime(graphtest.Noon.Add(time.Duration(days) * status.Day))
	}
	heir := graphtest.DaysOld(10, "heir", resources.MemSpec{Supersedes: "old", SupersedesSince: at(-2)})
	byHand := graphtest.DaysOld(10, "by-hand", resources.MemSpec{Supersedes: "other"})
	s := graphtest.SnapshotOf(graphtest.DaysOld(5, "old", resources.MemSpec{}), heir, graphtest.DaysOld(5, "other", resources.MemSpec{}), byHand)
	assert.Equal(t, at(-2), s.Derived(resources.Key{Kind: resources.Mems, Name: "old"}).(*resources.MemStatus).InvalidatedAt)
	assert.Equal(t, at(-5), s.Derived(resources.Key{Kind: resources.Mems, Name: "other"}).(*resources.MemStatus).InvalidatedAt, "not before it was recorded itself")
	for days, want := range map[int]string{-6: "", -4: resources.Fresh, -1: resources.Superseded} {
		status, _ := s.AsOf(at(days).Time).Derived(resources.Key{Kind: resources.Mems, Name: "old"}).(*resources.MemStatus)
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
		o, _, err := resources.Read(memX, []byte(text))
		if err != nil {
			return
		}
		s := graphtest.SnapshotOf(o, graphtest.Mem("y", resources.MemSpec{Supersedes: "x"}))
		status, _ := memory.Derive(o.(*resources.Mem), s)
		data, err := resources.Encode(o)
		require.NoError(t, err)
		again, _, err := resources.Read(memX, data)
		require.NoError(t, err)
		second, err := resources.Encode(again)
		require.NoError(t, err)
		require.Equal(t, string(data), string(second))
		require.GreaterOrEqual(t, status.Confidence, 0)
		require.LessOrEqual(t, status.Confidence, 100)
		_, err = resources.EncodeStatus(status)
		require.NoError(t, err)
	})
}

func dump(s *graph.Snapshot) string {
	text := ""
	for _, key := range s.List(resources.Mems) {
		data, _ := resources.Encode(s.Mem(key.Name))
		text += string(data)
	}
	return text
}
