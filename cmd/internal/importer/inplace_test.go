package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// older are small files in the shapes of older formats.
func older(t testing.TB, name string) []migrate.File {
	dir := filepath.Join("..", "..", "..", "resources", "migrate", "testdata", name)
	return migratetest.FilesBelow(t, dir, func(string, []byte) bool { return true })
}

// lay writes files below a folder.
func lay(t testing.TB, dir string, files []migrate.File) {
	t.Helper()
	for _, f := range files {
		at := filepath.Join(dir, filepath.FromSlash(f.Path))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, f.Data, 0o644))
	}
}

func open(t testing.TB, root string, dry bool) mutate.Repo {
	t.Helper()
	files, err := filestore.Open(root)
	require.NoError(t, err)
	return mutate.Open(files, time.Now, dry)
}

// contents are all files below a folder, those of run/ left out.
func contents(t testing.TB, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if strings.HasPrefix(filepath.ToSlash(rel), ".idumb/run/") || !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		all[filepath.ToSlash(rel)] = string(data)
		return err
	}))
	return all
}

// migrateAll is idumb migrate.
func migrateAll(t testing.TB, root string, dry bool) []Done {
	t.Helper()
	found, err := Find(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	var all []Done
	for _, s := range found {
		done, err := Migrate(context.Background(), open(t, root, dry), s, false, func(int, int) {})
		require.NoError(t, err)
		all = append(all, done)
	}
	return all
}

// requireKept checks that what each file held is there still, under its name or as a backup.
func requireKept(t testing.TB, before, after map[string]string) {
	t.Helper()
	for path, data := range before {
		kept := false
		for other, now := range after {
			if now == data && (other == path || strings.HasPrefix(other, path+".bak")) {
				kept = true
			}
		}
		require.True(t, kept, "%s is gone", path)
	}
}

func TestMigratingKeepsEveryByteAndRunsOnce(t *testing.T) {
	rounds := uint64(25)
	if testing.Short() {
		rounds = 4
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			root := t.TempDir()
			m := migratetest.NewMutator(seed)
			v2, hive := older(t, "idumb"), older(t, "hivemind")
			if seed > 0 {
				v2, hive = m.Files(v2), m.Files(hive)
			}
			lay(t, filepath.Join(root, ".idumb"), v2)
			lay(t, filepath.Join(root, ".hivemind"), hive)
			before := contents(t, root)

			migrateAll(t, root, true)
			require.Equal(t, before, contents(t, root), "a dry run writes nothing")

			migrateAll(t, root, false)
			once := contents(t, root)
			requireKept(t, before, once)
			snap, err := open(t, root, false).Store.Load(context.Background(), time.Now())
			require.NoError(t, err)
			for _, p := range snap.Problems() {
				if p.Key.Kind != resources.Configs || strings.Contains(once[".idumb/config.json"], "apiVersion") {
					assert.Fail(t, p.Error())
				}
			}
			migrateAll(t, root, false)
			require.Equal(t, once, contents(t, root), "a second run changes no byte")
		})
	}
}

func TestLogsAreAppendedOnce(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	repo := open(t, root, false)
	checkpoint := resources.Checkpoint{Time: resources.NewTime(time.Unix(1, 0)), Tool: "write", Summary: "made it"}
	tk := &conversion{repo: repo, progress: func(int, int) {}, outcome: migrate.Outcome{Logs: []migrate.Log{{Task: "a", Checkpoint: checkpoint}}}}
	for range 2 {
		require.NoError(t, tk.logs())
	}
	data, _, err := repo.Store.Root().ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: "a"})
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(data), "\n"))
}

func TestMigratingGoesOnAfterItWasStopped(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, ".idumb"), older(t, "idumb"))
	before := contents(t, root)
	found, err := Find(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	require.Len(t, found, 1)
	stopped := errors.New("stopped")
	for _, where := range []string{"before", "after"} {
		tk := &conversion{repo: open(t, root, false), source: found[0], progress: func(int, int) {}, hiddenKeys: map[resources.Key]bool{{Kind: resources.Configs, Name: resources.ConfigName}: true}}
		tk.beforeWrite = tk.backUpReplaced
		if where == "before" {
			tk.beforeWrite = func() error { return errors.Join(tk.backUpReplaced(), stopped) }
		}
		err := tk.repo.Run(context.Background(), tk.run) // and no further: the rest of Migrate never happens
		if where == "before" {
			require.ErrorIs(t, err, stopped)
		} else {
			require.NoError(t, err)
		}
		requireKept(t, before, contents(t, root))
	}
	migrateAll(t, root, false)
	once := contents(t, root)
	requireKept(t, before, once)
	assert.NotContains(t, once, ".idumb/brain/tasks.json")
	assert.Equal(t, 2, strings.Count(once[".idumb/checkpoints/tn-1770100000001-2.jsonl"], "\n"), "no line of a log twice")
	migrateAll(t, root, false)
	assert.Equal(t, once, contents(t, root))
}

func TestAFileThatChangedMeanwhileStays(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, ".idumb"), older(t, "idumb"))
	found, err := Find(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	file := filepath.Join(root, ".idumb", "brain", "tasks.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"version":"2.0.0","epics":[]}`), 0o644))
	_, err = Migrate(context.Background(), open(t, root, false), found[0], false, func(int, int) {})
	assert.ErrorContains(t, err, "changed while it was converted")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, `{"version":"2.0.0","epics":[]}`, string(data))
}

func TestATextTooLongForOneFileIsKeptBeside(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("so it goes ", 200_000)
	text := fmt.Sprintf(`{"plans":[{"id":"p","title":%q}],"extra":%q}`, long, long)
	lay(t, filepath.Join(root, ".hivemind"), []migrate.File{{Path: "graph/plans.json", Data: []byte(text)}, {Path: "graph/mems.json", Data: fmt.Appendf(nil, `{"mems":[{"id":"m","content":%q}]}`, long)}})
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	done := migrateAll(t, root, false)
	require.Len(t, done, 1)
	all := contents(t, root)
	kept := 0
	for _, file := range done[0].Preserved {
		kept += strings.Count(all[file], strings.TrimSpace(long))
	}
	assert.Equal(t, 3, kept, "%v", done[0].Preserved)
	mem := all[".idumb/mems/m.json"]
	assert.Less(t, len(mem), resources.MaxFileSize)
	assert.Contains(t, mem, "see .idumb/archive/unmapped/")
}

func TestWhatNobodyReadsIsNamed(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, ".idumb"), append(older(t, "idumb"), migrate.File{Path: "brain/governance.db", Data: []byte("SQLite")}, migrate.File{Path: "modules/a.md", Data: []byte("x")}))
	lay(t, filepath.Join(root, ".hivemind"), append(older(t, "hivemind"), migrate.File{Path: "sessions/active/a.json", Data: []byte("{}")}, migrate.File{Path: "graph/graph.bin", Data: []byte("x")}))
	for range 2 {
		found, err := Find(root, imports.Formats(imports.Migrated))
		require.NoError(t, err)
		for _, s := range found {
			want := []string{"brain/governance.db: there is no rule for it"}
			if s.Format.Name == "hivemind" {
				want = []string{"graph/graph.bin: there is no rule for it", "sessions/: there is no rule for it"}
			}
			assert.Equal(t, want, s.Skipped)
		}
		migrateAll(t, root, false)
	}
	all := contents(t, root)
	for _, file := range []string{".idumb/brain/governance.db", ".idumb/modules/a.md", ".hivemind/sessions/active/a.json", ".hivemind/graph/graph.bin"} {
		assert.Contains(t, all, file)
	}
}

func TestWhatWasArchivedIsNotMadeAgain(t *testing.T) {
	root := t.TempDir()
	lay(t, filepath.Join(root, ".hivemind"), older(t, "hivemind"))
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	migrateAll(t, root, false)
	ctx, files := context.Background(), open(t, root, false).Store
	key := resources.Key{Kind: resources.Anchors, Name: "token-format"}
	record, err := files.Get(ctx, key)
	require.NoError(t, err)
	require.NoError(t, files.Archive(ctx, key, record.Rev))
	once := contents(t, root)
	done := migrateAll(t, root, false)
	assert.Empty(t, done[0].Report.Created)
	assert.Contains(t, done[0].Report.Unchanged, key)
	assert.Equal(t, once, contents(t, root))
}
