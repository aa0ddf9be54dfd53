package mutate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

const (
	saverVariable = "IDUMB_TEST_SAVER"
	saves         = 25 // of each process, under the topic and of the same words
)

// Eight processes save at once: none is refused because another one was quicker, the topic
// has one head that leads back over all revisions, and words that all of them say are stored
// once and counted.
func TestConcurrentSavers(t *testing.T) {
	const savers = 8
	repo := newRepo(t, planText)
	commands := make([]*exec.Cmd, savers)
	for i := range commands {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), fmt.Sprintf("%s=s%d", saverVariable, i), "IDUMB_TEST_ROOT="+string(repo.Store.Root()))
		c.Stderr = os.Stderr
		require.NoError(t, c.Start())
		commands[i] = c
	}
	for _, c := range commands {
		assert.NoError(t, c.Wait())
	}
	s, err := repo.Store.Load(t.Context(), repo.Now())
	require.NoError(t, err)
	live := 0
	for _, m := range s.Topic("auth/x") {
		if memory.Live(m, s, s.Now()) {
			live++
		}
	}
	assert.Len(t, s.Topic("auth/x"), savers*saves)
	assert.Equal(t, 1, live, "heads")
	for n := range saves {
		same := s.MemsSaying(fmt.Sprintf("the same words %d", n))
		if assert.Len(t, same, 1) {
			assert.Equal(t, savers-1, same[0].Spec.Duplicates)
		}
	}
}

func saveAlone(root, name string) error {
	repo, err := open(root, false)
	if err != nil {
		return err
	}
	kind, _ := resources.KindOf(resources.Mems)
	for n := range saves {
		revision, same := kind.New().(*resources.Mem), kind.New().(*resources.Mem)
		revision.Metadata.Name = fmt.Sprintf("%s-%d", name, n)
		revision.Spec.Content, revision.Spec.TopicKey = "content of "+revision.Metadata.Name, "auth/x"
		same.Spec.Content = fmt.Sprintf("the same words %d", n)
		for _, m := range []*resources.Mem{revision, same} {
			if err := saveInTurn(repo, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveInTurn saves a mem. It waits for the write lock as long as it takes: a store gives up after a fixed
// time, which a busy machine exceeds.
func saveInTurn(repo Repo, m *resources.Mem) error {
	for {
		trial := *m
		_, _, err := repo.SaveMem(context.Background(), &trial, mems.Save)
		if err == nil || !strings.Contains(err.Error(), "another process is writing") {
			return err
		}
	}
}
