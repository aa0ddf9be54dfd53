package mutate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// many are documents of n anchors.
func many(t *testing.T, n int, content string) []Manifest {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "{\"kind\": \"Anchor\", \"metadata\": {\"name\": \"a-%d\"}, \"spec\": {\"content\": %q}}\n", i, content)
	}
	var all []Manifest
	for d, err := range SplitManifests("many.json", []byte(text.String())) {
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

// written counts the objects with that content. Each file is a whole object, and there is no
// other one.
func written(t *testing.T, root, content string) (n int) {
	folder := filepath.Join(root, ".idumb", "anchors")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, e := range entries {
		name, isObject := strings.CutSuffix(e.Name(), ".json")
		require.True(t, isObject && !strings.HasPrefix(name, "."), e.Name())
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		require.NoError(t, err)
		o, _, err := resources.Read(resources.Key{Kind: resources.Anchors, Name: name}, data)
		require.NoError(t, err)
		if o.(*resources.Anchor).Spec.Content == content {
			n++
		}
	}
	return n
}

func opened(t *testing.T, root string) Repo {
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb"), 0o755))
	repo, err := open(root, false)
	require.NoError(t, err)
	return repo
}

func TestAnInterruptedApplyKeepsWhatItWroteAndSaysHowFarItCame(t *testing.T) {
	root := t.TempDir()
	repo := opened(t, root)
	_, err := repo.Apply(t.Context(), many(t, 600, "old"), CreateOrReplace)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var told []string
	repo.Progress = func(done, of int) {
		told = append(told, fmt.Sprint(done, " of ", of))
		cancel()
	}
	applied, err := repo.Apply(ctx, many(t, 600, "new"), CreateOrReplace)
	var stopped *Stopped
	require.ErrorAs(t, err, &stopped)
	assert.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "stopped after 256 of 600 objects; the remaining objects are unchanged: interrupted; apply the files again")
	assert.Equal(t, []string{"256 of 600"}, told)
	assert.Equal(t, 256, written(t, root, "new"))
	assert.Equal(t, 344, written(t, root, "old"))
	assert.Equal(t, Configured, applied[255].Operation)
	assert.Empty(t, applied[256].Operation)

	repo.Progress = nil
	applied, err = repo.Apply(t.Context(), many(t, 600, "new"), CreateOrReplace)
	require.NoError(t, err)
	assert.Equal(t, Unchanged, applied[0].Operation)
	assert.Equal(t, 600, written(t, root, "new"))
}

func TestApplyRefusesASecondDocumentAboutOneObject(t *testing.T) {
	root := t.TempDir()
	repo := opened(t, root)
	applied, err := repo.Apply(t.Context(), append(many(t, 2, "first"), many(t, 1, "second")...), CreateOrReplace)
	require.NoError(t, err)
	assert.NoError(t, applied[0].Err)
	assert.EqualError(t, applied[2].Err, "anchors/a-0: Duplicate value: another document is about the same object; keep one of the two")
	assert.Equal(t, 2, written(t, root, "first"))
}

// A document with a revision replaces only that revision. One that changes nothing is unchanged.
func TestApplyRefusesAnOutdatedRevision(t *testing.T) {
	root := t.TempDir()
	repo := opened(t, root)
	apply := func(content, revision string) Application {
		documents := many(t, 1, content)
		documents[0].Revision = revision
		applied, err := repo.Apply(t.Context(), documents, CreateOrReplace)
		require.NoError(t, err)
		return applied[0]
	}
	first := apply("old", "").New.Source().Revision
	second := apply("new", first)
	require.NoError(t, second.Err)
	assert.Equal(t, Configured, second.Operation)

	late := apply("late", first)
	var status *apierrors.Status
	require.ErrorAs(t, late.Err, &status)
	assert.Equal(t, "Conflict", status.Reason)
	assert.Equal(t, 1, written(t, root, "new"))

	same := apply("new", first)
	require.NoError(t, same.Err)
	assert.Equal(t, Unchanged, same.Operation)
}
