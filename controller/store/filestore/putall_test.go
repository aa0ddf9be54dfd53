package filestore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

func TestPutAll(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	s, err := Open(root)
	require.NoError(t, err)
	ctx := context.Background()
	anchor := func(name, content, rev string) store.Write {
		return store.Write{Key: resources.Key{Kind: resources.Anchors, Name: name}, Spec: fmt.Appendf(nil, `{"spec":{"content":%q}}`, content), Rev: rev}
	}
	var list []store.Write
	for i := range 100 {
		list = append(list, anchor(fmt.Sprintf("a-%d", i), fmt.Sprint(i), ""))
	}
	all := func(list []store.Write) (errs []error) {
		require.NoError(t, s.Update(ctx, func(tx store.Tx) error {
			errs = tx.PutAll(list, nil)
			return nil
		}))
		return errs
	}
	holds := func(w store.Write) {
		r, err := s.Get(ctx, w.Key)
		require.NoError(t, err)
		assert.Equal(t, string(w.Spec), string(r.Spec))
	}
	assert.Equal(t, make([]error, 100), all(list))
	for _, w := range list {
		holds(w)
	}

	// Each is written or refused, whatever becomes of the others.
	changed := anchor("a-1", "changed", resources.Revision(list[1].Spec))
	same := anchor("a-2", "2", resources.Revision(list[2].Spec))
	tooLarge := store.Write{Key: resources.Key{Kind: resources.Anchors, Name: "large"}, Spec: make([]byte, 2<<20)}
	free := anchor("free", "x", "")
	errs := all([]store.Write{list[3], changed, same, anchor("a-4", "late", "another"), tooLarge, free})
	assert.ErrorIs(t, errs[0], store.ErrExists)
	assert.NoError(t, errs[1])
	assert.NoError(t, errs[2])
	assert.ErrorIs(t, errs[3], store.ErrConflict)
	assert.ErrorContains(t, errs[4], "too many")
	assert.NoError(t, errs[5])
	for _, w := range []store.Write{list[3], changed, same, list[4], free} {
		holds(w)
	}

	other := anchor("other", "x", "")
	require.NoError(t, s.Update(ctx, func(tx store.Tx) error {
		refused := fmt.Errorf("somebody was faster")
		assert.Equal(t, []error{refused}, tx.PutAll([]store.Write{other}, func() error { return refused }))
		return nil // that no temporary file is left is looked at below
	}))
	err = s.Update(ctx, func(tx store.Tx) error {
		require.Equal(t, []error{nil, nil}, tx.PutAll([]store.Write{other, anchor("a-5", "changed", resources.Revision(list[5].Spec))}, nil))
		return fmt.Errorf("something else went wrong")
	})
	assert.Error(t, err)
	_, err = s.Get(ctx, other.Key)
	assert.ErrorIs(t, err, store.ErrNotFound, "taken back")
	holds(list[5])
	names, err := os.ReadDir(filepath.Join(root, ".idumb", "anchors"))
	require.NoError(t, err)
	assert.Len(t, names, 101)
	for _, n := range names {
		assert.False(t, strings.HasPrefix(n.Name(), "."), "no temporary file is left: %s", n.Name())
	}
}
