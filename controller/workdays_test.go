package controller

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// moveHead makes the branch main stand at a commit, made on that day. What git says of the
// commit is in place already, so that no git is asked.
func (s *stage) moveHead(id string, day int) {
	s.t.Helper()
	data, err := json.Marshal(map[string]any{"head": id, "days": []int{day}})
	require.NoError(s.t, err)
	for name, text := range map[string]string{
		layout.CommitDaysFile:  string(data),
		store.HeadFile:         "ref: refs/heads/main\n",
		".git/refs/heads/main": id + "\n",
	} {
		require.NoError(s.t, os.MkdirAll(filepath.Dir(s.root.Abs(name)), 0o755))
		require.NoError(s.t, os.WriteFile(s.root.Abs(name), []byte(text), 0o644))
	}
}

// told lists which of the test's changes said that HEAD moved, and which mems were looked at.
func (s *stage) told() (moves int, mems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.changes {
		switch c.Key.Kind {
		case store.FilesKind:
			moves++
		case resources.Mems:
			mems = append(mems, c.Key.Name)
		}
	}
	s.changes = nil
	return moves, mems
}

// All mems are looked at when HEAD moves, whether the branch's file says so first or
// somebody who asks for the days; and only then.
func TestMemsAreLookedAtWhenHeadMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(resources.Key{Kind: resources.Mems, Name: "m"}, `{"metadata": {"creationTimestamp": "1970-01-02T00:00:00Z"}, "spec": {"content": "x"}}`)
		s.moveHead(strings.Repeat("a", 40), 10)
		m := s.run(nil)
		branch := resources.Key{Kind: store.FilesKind, Name: ".git/refs/heads/main"}
		s.told()

		s.hint(m, branch)
		moves, mems := s.told()
		assert.Zero(t, moves, "nobody has asked for the days")
		assert.Empty(t, mems)
		assert.Equal(t, status.WorkDays{1, 10}, m.world.WorkDays())

		s.hint(m, branch)
		moves, mems = s.told()
		assert.Zero(t, moves, "nothing moved")
		assert.Empty(t, mems)

		s.moveHead(strings.Repeat("b", 40), 20)
		s.hint(m, branch) // within the same tick of every clock
		moves, mems = s.told()
		assert.Equal(t, 1, moves)
		assert.Equal(t, []string{"m"}, mems)
		assert.Equal(t, status.WorkDays{1, 20}, m.world.WorkDays())

		s.moveHead(strings.Repeat("c", 40), 30) // and nobody tells
		time.Sleep(headInterval)
		assert.Equal(t, status.WorkDays{1, 30}, m.world.WorkDays())
		synctest.Wait()
		require.NoError(t, m.WaitSettled(t.Context()))
		moves, mems = s.told()
		assert.Equal(t, 1, moves)
		assert.Equal(t, []string{"m"}, mems, "those who asked before ask again")
	})
}
