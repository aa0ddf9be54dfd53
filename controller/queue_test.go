package controller

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drainQueue takes and finishes every key that waits.
func drainQueue(q *Queue[string]) (keys []string) {
	for {
		key, ok := q.TryGet()
		if !ok {
			return keys
		}
		keys = append(keys, key)
		q.Done(key, false, 0)
	}
}

func TestQueueOrder(t *testing.T) {
	type add struct {
		key string
		p   Priority
	}
	for _, test := range []struct {
		name string
		adds []add
		want []string
	}{
		{"in the order of arrival", []add{{"a", Low}, {"b", Low}, {"c", Low}}, []string{"a", "b", "c"}},
		{"each key once", []add{{"a", Low}, {"b", Low}, {"a", Low}}, []string{"a", "b"}},
		{"edits before listings", []add{{"a", Low}, {"b", High}}, []string{"b", "a"}},
		{"a key that is edited moves up", []add{{"a", Low}, {"b", Low}, {"c", High}, {"b", High}}, []string{"c", "b", "a"}},
		{"a listing does not move an edit down", []add{{"a", High}, {"b", High}, {"a", Low}}, []string{"a", "b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := newQueue[string]()
			for _, a := range test.adds {
				q.Add(a.key, a.p)
			}
			assert.Equal(t, len(test.want), q.Len())
			assert.Equal(t, test.want, drainQueue(q))
			assert.Empty(t, q.items, "nothing is kept about keys that are done")
		})
	}
}

// next waits for a key, as a worker does; false when the queue is closed.
func next[K comparable](q *Queue[K]) (key K, ok bool) {
	for q.waitForKey() {
		if key, ok = q.TryGet(); ok {
			break
		}
	}
	return key, ok
}

func TestQueueGivesAKeyToOneWorkerAtATime(t *testing.T) {
	q := newQueue[string]()
	q.Add("a", High)
	key, _ := next(q)
	q.Add("a", High)
	_, ok := q.TryGet()
	assert.False(t, ok, "it is being processed")
	q.Done(key, false, 0)
	assert.Equal(t, []string{"a"}, drainQueue(q), "added meanwhile, it comes again")
}

func TestQueueBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue[string]()
		q.Add("a", High)
		began := time.Now()
		var moments []time.Duration
		for range 5 {
			key, _ := next(q)
			moments = append(moments, time.Since(began))
			q.Done(key, true, time.Hour) // a failure wins over a wish
		}
		ms := time.Millisecond
		assert.Equal(t, []time.Duration{0, 5 * ms, 15 * ms, 35 * ms, 75 * ms}, moments)
		key, _ := next(q)
		q.Done(key, false, 0)
		assert.Empty(t, q.items, "a success forgets the failures")
	})
}

func TestBackoff(t *testing.T) {
	for _, test := range []struct {
		failures int
		want     time.Duration
	}{
		{1, 5 * time.Millisecond},
		{2, 10 * time.Millisecond},
		{16, 163840 * time.Millisecond},
		{17, MaxBackoff},
		{1 << 40, MaxBackoff},
	} {
		assert.Equal(t, test.want, Backoff(test.failures), "%d failures", test.failures)
	}
}

func TestQueueAddAfter(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(q *Queue[string])
		want []time.Duration // when the key comes
	}{
		{"comes when the time has passed", func(q *Queue[string]) { q.AddAfter("a", time.Second) }, []time.Duration{time.Second}},
		{"the earliest wish counts", func(q *Queue[string]) {
			q.AddAfter("a", 2*time.Second)
			q.AddAfter("a", time.Second)
			q.AddAfter("a", 3*time.Second)
		}, []time.Duration{time.Second}},
		{"nothing to wait for", func(q *Queue[string]) { q.AddAfter("a", 0) }, []time.Duration{0}},
		{"a key that comes before takes the wish with it", func(q *Queue[string]) {
			q.AddAfter("a", time.Second)
			q.Add("a", Low)
		}, []time.Duration{0}},
		{"a wish during processing is kept", func(q *Queue[string]) {
			q.Add("a", High)
			next(q)
			q.AddAfter("a", time.Second)
			q.Done("a", false, 5*time.Second)
		}, []time.Duration{time.Second}},
		{"Done says when to look again", func(q *Queue[string]) {
			q.Add("a", High)
			next(q)
			q.Done("a", false, time.Minute)
		}, []time.Duration{time.Minute}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q, began := newQueue[string](), time.Now()
				test.do(q)
				time.AfterFunc(time.Hour, q.Close)
				var moments []time.Duration
				for {
					key, ok := next(q)
					if !ok {
						break
					}
					moments = append(moments, time.Since(began))
					q.Done(key, false, 0)
				}
				assert.Equal(t, test.want, moments)
			})
		})
	}
}

func TestQueueCloseWakesEverybodyAndStopsTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue[string]()
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				_, ok := next(q)
				assert.False(t, ok)
			})
		}
		q.AddAfter("a", time.Second)
		synctest.Wait()
		q.Close()
		workers.Wait()
		q.Add("b", High)
		q.AddAfter("c", time.Second)
		time.Sleep(time.Minute)
		assert.Empty(t, drainQueue(q))
	})
}

func TestLoadDoesNotTouchZeroBetweenAKeyAndItsConsequence(t *testing.T) {
	var l workCounter
	first, second := newQueue[string](&l), newQueue[string](&l)
	first.Add("a", High)
	key, _ := next(first)
	done := l.whenEmpty()
	second.Add("b", High)
	first.Done(key, false, 0)
	select {
	case <-done:
		t.Fatal("b is still open")
	default:
	}
	assert.Equal(t, []string{"b"}, drainQueue(second))
	<-done
	assert.True(t, l.isEmpty())
}

// model is a queue as slowly and plainly as it can be written.
type model struct {
	waiting    [2][]int
	processing map[int]bool
	again      map[int]Priority
}

func (m *model) add(key int, p Priority) {
	if m.processing[key] {
		if old, ok := m.again[key]; !ok || p > old {
			m.again[key] = p
		}
		return
	}
	if slices.Contains(m.waiting[High], key) || p == Low && slices.Contains(m.waiting[Low], key) {
		return
	}
	m.waiting[Low] = slices.DeleteFunc(m.waiting[Low], func(k int) bool { return k == key })
	m.waiting[p] = append(m.waiting[p], key)
}

func (m *model) get() (int, bool) {
	for _, p := range []Priority{High, Low} {
		if len(m.waiting[p]) > 0 {
			key := m.waiting[p][0]
			m.waiting[p] = m.waiting[p][1:]
			m.processing[key] = true
			return key, true
		}
	}
	return 0, false
}

func (m *model) done(key int) {
	delete(m.processing, key)
	if p, ok := m.again[key]; ok {
		delete(m.again, key)
		m.add(key, p)
	}
}

// FuzzQueue runs any sequence of calls against the model.
func FuzzQueue(f *testing.F) {
	f.Add([]byte{0, 0x10, 0x20, 0x40, 0x31, 0x80, 0x80, 0x40})
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		calls := make([]byte, 200)
		for i := range calls {
			calls[i] = byte(r.Uint32())
		}
		f.Add(calls)
	}
	f.Fuzz(func(t *testing.T, calls []byte) {
		q := newQueue[int]()
		m := &model{processing: map[int]bool{}, again: map[int]Priority{}}
		for _, call := range calls {
			step(t, q, m, call)
		}
		for key := range m.processing {
			q.Done(key, false, 0)
			m.done(key)
		}
		for range calls {
			step(t, q, m, 0xC0)
		}
		require.Empty(t, q.items)
		require.Zero(t, q.Len())
	})
}

func step(t *testing.T, q *Queue[int], m *model, call byte) {
	key := int(call & 0x0F)
	switch call >> 6 {
	case 0:
		q.Add(key, Low)
		m.add(key, Low)
	case 1:
		q.Add(key, High)
		m.add(key, High)
	case 2:
		if m.processing[key] {
			q.Done(key, false, 0)
			m.done(key)
		}
	default:
		got, ok := q.TryGet()
		want, wantOK := m.get()
		require.Equal(t, fmt.Sprint(want, wantOK), fmt.Sprint(got, ok))
		if call == 0xC0 && ok {
			q.Done(got, false, 0)
			m.done(got)
		}
	}
	require.Equal(t, len(m.waiting[0])+len(m.waiting[1]), q.Len())
}

func BenchmarkQueue(b *testing.B) {
	q := newQueue[string]()
	keys := make([]string, 1024)
	for i := range keys {
		keys[i] = fmt.Sprint("tasks/task-", i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q.Add(keys[i%len(keys)], High)
		key, _ := next(q)
		q.Done(key, false, 0)
	}
}
