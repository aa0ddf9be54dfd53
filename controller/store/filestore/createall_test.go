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

func TestCreateAll(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	s, err := Open(root)
	require.NoError(t, err)
	ctx := context.Background()
	var list []New
	for i := range 100 {
		list = append(list, New{resources.Key{Kind: resources.Anchors, Name: fmt.Sprintf("a-%d", i)}, []byte(fmt.Sprintf(`{"spec":{"content":"%d"}}`, i))})
	}
	require.NoError(t, s.Update(ctx, func(tx *Tx) error { return tx.CreateAll(list) }))
	for _, n := range list {
		r, err := s.Get(ctx, n.Key)
		require.NoError(t, err)
		assert.Equal(t, string(n.Spec), string(r.Spec))
	}
	free := New{resources.Key{Kind: resources.Anchors, Name: "free"}, []byte(`{"spec":{"content":"x"}}`)}
	err = s.Update(ctx, func(tx *Tx) error { return tx.CreateAll([]New{free, list[3]}) })
	assert.ErrorIs(t, err, store.ErrExists)
	err = s.Update(ctx, func(tx *Tx) error { return tx.CreateAll([]New{free, {list[3].Key, make([]byte, 2<<20)}}) })
	assert.ErrorContains(t, err, "too many")
	err = s.Update(ctx, func(tx *Tx) error {
		require.NoError(t, tx.CreateAll([]New{free}))
		return fmt.Errorf("something else went wrong")
	})
	assert.Error(t, err)
	_, err = s.Get(ctx, free.Key)
	assert.ErrorIs(t, err, store.ErrNotFound, "taken back")
	names, err := os.ReadDir(filepath.Join(root, ".idumb", "anchors"))
	require.NoError(t, err)
	assert.Len(t, names, 100)
	for _, n := range names {
		assert.False(t, strings.HasPrefix(n.Name(), "."), "no temporary file is left: %s", n.Name())
	}
}
