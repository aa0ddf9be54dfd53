package migrate_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// sources are small files in the shapes of real ones.
func sources(t testing.TB) map[string]source {
	t.Helper()
	all := map[string]source{
		"small v1":       {migrate.Idumb, smallFiles(t, "idumb-v1")},
		"small v2":       {migrate.Idumb, smallFiles(t, "idumb")},
		"small renamed":  {migrate.Idumb, smallFiles(t, "idumb-renamed")},
		"small HiveMind": {migrate.Hivemind, smallFiles(t, "hivemind")},
		"small sessions": {migrate.Hivemind, smallFiles(t, "hivemind-sessions")},
	}
	return all
}

type source struct {
	convert migrate.Converter
	files   []migrate.File
}

// realSources are the real files.
func realSources(t testing.TB) map[string]source {
	t.Helper()
	dir := migratetest.DataDir(t)
	return map[string]source{
		"iDumb v1": {migrate.Idumb, migratetest.FilesBelow(t, filepath.Join(dir, "idumb", "28a64dd", ".idumb"), migrate.IsOldIdumb)},
		"iDumb v2": {migrate.Idumb, migratetest.FilesBelow(t, filepath.Join(dir, "idumb", "bea644f", ".idumb"), migrate.IsOldIdumb)},
		"HiveMind": {migrate.Hivemind, migratetest.FilesBelow(t, filepath.Join(dir, "hivemind", "81354632", ".hivemind"), func(p string, _ []byte) bool { return migrate.IsHivemind(p) })},
	}
}

// smallFiles are those of testdata.
func smallFiles(t testing.TB, name string) []migrate.File {
	t.Helper()
	return migratetest.FilesBelow(t, filepath.Join("testdata", name), func(path string, _ []byte) bool { return !strings.HasPrefix(path, "want") })
}

func TestNothingIsLost(t *testing.T) {
	for name, s := range sources(t) {
		t.Run(name, func(t *testing.T) {
			migratetest.RequireKept(t, s.files, s.convert(migrate.Input{Files: s.files}))
		})
	}
}

func TestNothingIsLostOfRealFiles(t *testing.T) {
	for name, s := range realSources(t) {
		t.Run(name, func(t *testing.T) {
			migratetest.RequireKept(t, s.files, s.convert(migrate.Input{Files: s.files}))
		})
	}
}

func TestTwiceIsOnce(t *testing.T) {
	all := sources(t)
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			store := map[resources.Key]resources.Object{}
			get := func(k resources.Key) (resources.Object, bool) { o, ok := store[k]; return o, ok }
			first := s.convert(migrate.Input{Files: s.files, Get: get})
			for _, o := range first.Objects {
				data, err := resources.Encode(o)
				require.NoError(t, err)
				store[o.Key()], _, err = resources.Read(o.Key(), data)
				require.NoError(t, err)
			}
			second := s.convert(migrate.Input{Files: s.files, Get: get})
			require.Empty(t, second.Objects)
			require.Empty(t, second.Report.Edited)
			require.Equal(t, first.Leftovers, second.Leftovers)
			require.Equal(t, first.Logs, second.Logs)

			shuffled := append([]migrate.File(nil), s.files...)
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			require.Empty(t, s.convert(migrate.Input{Files: shuffled, Get: get}).Objects, "the order of files does not matter")
		})
	}
}
