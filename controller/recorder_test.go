package controller

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestTheSameEventIsCountedNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var counts []int
		r := &recorder{scheduleFlush: func() {}, observe: func(e resources.Event) { counts = append(counts, e.Count) }}
		for range 9 {
			r.record(taskKey("a"), resources.Warning, "Broken", "test", "no")
			time.Sleep(time.Second)
		}
		assert.Equal(t, []int{0, 2, 4, 8}, counts)
		r.record(taskKey("a"), resources.Warning, "Broken", "test", "still no")
		r.record(taskKey("b"), resources.Warning, "Broken", "test", "no")
		r.record(taskKey("a"), resources.Normal, "Broken", "test", "no")
		assert.Equal(t, []int{0, 2, 4, 8, 0, 0, 0}, counts, "others are others")
		time.Sleep(EventWindow)
		r.record(taskKey("a"), resources.Warning, "Broken", "test", "no")
		assert.Equal(t, 0, counts[len(counts)-1], "after ten minutes it is new again")
	})
}

func TestRecorderForgetsTheOldestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{scheduleFlush: func() {}}
		for i := range maxEvents + 100 {
			r.record(taskKey(fmt.Sprint(i)), resources.Normal, "Made", "test", "it")
			time.Sleep(time.Millisecond)
		}
		assert.Len(t, r.tallies, maxEvents)
		assert.NotContains(t, r.tallies, eventIdentity{"task/99", resources.Normal, "Made", "it"})
		assert.Contains(t, r.tallies, eventIdentity{"task/100", resources.Normal, "Made", "it"})
	})
}

func TestEventsAreLinesOfTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		m := s.run(nil)
		m.Client("test").Event(taskKey("a"), resources.Normal, "Made", "by %s", "hand")
		require.NoError(t, m.WaitSettled(t.Context()))
		data, err := os.ReadFile(s.root.Abs(layout.EventPath(time.Now())))
		require.NoError(t, err)
		assert.Equal(t, `{"time":"2000-01-01T00:00:00Z","type":"Normal","reason":"Made","object":"task/a","message":"by hand","from":"test"}`, strings.TrimSpace(string(data)))
	})
}

func TestOldEventLogsAreRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(resources.Key{Kind: resources.Configs, Name: resources.ConfigName}, `{"spec": {"eventsKept": "72h"}}`)
		dir := s.root.Abs(layout.EventsDir)
		require.NoError(t, os.Mkdir(dir, 0o755))
		for _, name := range []string{"1999-12-28.jsonl", "1999-12-29.jsonl", "1999-12-31.jsonl", "notes.txt", "1999-12-01.jsonl.bak"} {
			require.NoError(t, os.WriteFile(dir+"/"+name, nil, 0o644))
		}
		m := s.run(nil)
		m.Client("test").Event(taskKey("a"), resources.Normal, "Made", "it")
		require.NoError(t, m.WaitSettled(t.Context()))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var left []string
		for _, e := range entries {
			left = append(left, e.Name())
		}
		assert.Equal(t, []string{"1999-12-01.jsonl.bak", "1999-12-29.jsonl", "1999-12-31.jsonl", "2000-01-01.jsonl", "notes.txt"}, left)
	})
}
