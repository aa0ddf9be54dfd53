package reconcilers

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// stage is a repository in a folder of its own, with a controller that can be
// stopped and started again.
type stage struct {
	t     testing.TB
	root  string
	store *filestore.Store
	repo  mutate.Repo // for the loops that make objects; zero: they do not run

	manager *controller.Manager
	runs    interface { // the manager, or the process that it runs in
		WaitSettled(context.Context) error
	}
	stop  context.CancelFunc
	ended chan error

	mu     sync.Mutex
	events []resources.Event
}

// quietPeriod is how long a missing file is doubted in tests.
const quietPeriod = 20 * time.Millisecond

func newStage(t testing.TB) *stage {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	return stageAt(t, root)
}

func stageAt(t testing.TB, root string) *stage {
	s, err := filestore.Open(root)
	require.NoError(t, err)
	return &stage{t: t, root: root, store: s}
}

// repository is a stage with a plan and two tasks, the second of which waits, where all
// loops run.
func repository(t testing.TB) *stage {
	s := newStage(t)
	s.repo = mutate.Open(s.store, time.Now, false)
	s.plan("p", `,"state":"active"`)
	s.task("first", "")
	s.task("second", `,"dependsOn":["first"]`)
	return s
}

// start runs a new controller over the repository.
func (s *stage) start() { s.startPacking() }

// startPacking also returns who packs.
func (s *stage) startPacking() *Packs {
	packs := NewPacks()
	s.manager = controller.New(s.store, All(packs, s.repo), controller.Options{
		QuietPeriod: quietPeriod, Log: slog.New(slog.NewTextHandler(testLog{s.t}, nil)),
		OnEvent: func(e resources.Event) { s.mu.Lock(); s.events = append(s.events, e); s.mu.Unlock() },
	})
	s.runs = s.manager
	ctx, cancel := context.WithCancel(context.Background())
	s.stop, s.ended = cancel, make(chan error, 1)
	go func(m *controller.Manager) { s.ended <- m.Run(ctx) }(s.manager)
	return packs
}

// end stops the controller, if one runs.
func (s *stage) end() {
	if s.manager != nil {
		s.stop()
		require.NoError(s.t, <-s.ended)
		s.manager = nil
	}
}

// testLog passes a log on to a test.
type testLog struct{ t testing.TB }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(line)))
	return len(line), nil
}

// path is a file of the repository.
func (s *stage) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// file writes a file of the repository, folders included.
func (s *stage) file(name, content string) {
	s.t.Helper()
	require.NoError(s.t, os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	require.NoError(s.t, os.WriteFile(s.path(name), []byte(content), 0o644))
}

// settled waits until the controller has nothing to do and every status on disk is
// the one that follows from the files on disk.
func (s *stage) settled() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var diff string
	for ctx.Err() == nil {
		require.NoError(s.t, s.runs.WaitSettled(ctx))
		if diff = s.unlikeSnapshot(); diff == "" {
			require.NoError(s.t, s.runs.WaitSettled(ctx))
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.t.Fatalf("the controller did not converge:\n%s", diff)
}

// unlikeSnapshot tells where the statuses on disk differ from those that a Snapshot
// of the disk computes.
func (s *stage) unlikeSnapshot() string {
	snapshot, err := s.store.Load(context.Background(), time.Now())
	require.NoError(s.t, err)
	want := map[string]string{}
	trajectory := resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}
	want[statusName(trajectory)] = encoded(s.t, snapshot.Derived(trajectory))
	for _, kind := range resources.Kinds() {
		for _, key := range snapshot.List(kind.Plural) {
			want[statusName(key)] = encoded(s.t, snapshot.Derived(key))
		}
	}
	return difference(want, s.statuses())
}

func statusName(key resources.Key) string { return key.Kind + "/" + key.Name + ".json" }

func encoded(t testing.TB, status any) string {
	data, err := resources.EncodeStatus(status)
	require.NoError(t, err)
	return withoutTimes(t, data)
}

// statuses are the files below .idumb/status, transition times taken out.
func (s *stage) statuses() map[string]string {
	all := s.tree(".idumb/status")
	for name, content := range all {
		all[name] = withoutTimes(s.t, []byte(content))
	}
	return all
}

// contexts are the files below .idumb/context.
func (s *stage) contexts() map[string]string { return s.tree(".idumb/context") }

// tree reads all files below a folder of the repository.
func (s *stage) tree(dir string) map[string]string {
	files := map[string]string{}
	base := s.path(dir)
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), layout.TempPrefix) || d.Name() == ".gitignore" { // who was killed leaves the former; git alone reads the latter
			return skipGone(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return skipGone(err)
		}
		name, _ := filepath.Rel(base, path)
		files[filepath.ToSlash(name)] = string(data)
		return nil
	})
	require.NoError(s.t, err)
	return files
}

func skipGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// withoutTimes takes out what was seen rather than computed: transition times and,
// for a file that cannot be read, which of its versions was looked at.
func withoutTimes(t testing.TB, status []byte) string {
	var fields map[string]any
	if err := json.Unmarshal(status, &fields); err != nil {
		return "no JSON: " + string(status)
	}
	for _, name := range []string{"startedAt", "completedAt", "purgedAt"} {
		delete(fields, name)
	}
	if fields["phase"] == resources.PhaseInvalid {
		delete(fields, "observedRevision")
	}
	conditions, _ := fields["conditions"].([]any)
	for _, c := range conditions {
		condition := c.(map[string]any)
		delete(condition, "lastTransitionTime")
		if condition["type"] == resources.Stale && condition["reason"] != "Expired" {
			delete(fields, "staleSince")
		}
	}
	slices.SortFunc(conditions, func(a, b any) int {
		return strings.Compare(a.(map[string]any)["type"].(string), b.(map[string]any)["type"].(string))
	})
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(fields))
	return out.String()
}

// difference lists the files in which two trees differ; "" if in none.
func difference(want, got map[string]string) string {
	var text strings.Builder
	names := slices.Collect(maps.Keys(want))
	for name := range got {
		if _, known := want[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if want[name] != got[name] {
			text.WriteString(name + "\n  want " + want[name] + "\n  got  " + got[name] + "\n")
		}
	}
	return text.String()
}

// twin is a copy of the repository, modification times included, without what a
// controller computes.
func (s *stage) twin(t testing.TB) *stage {
	root := t.TempDir()
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(s.root, path)
		target := filepath.Join(root, name)
		switch filepath.ToSlash(name) {
		case ".idumb/status", ".idumb/context", ".idumb/run":
			return filepath.SkipDir
		}
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		return copyFile(path, target)
	})
	require.NoError(t, err)
	return stageAt(t, root)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// task writes a task of plan p, by hand.
func (s *stage) task(name, spec string) {
	s.file(".idumb/tasks/"+name+".json", `{"spec":{"workPlan":"p","expectedOutput":"it works"`+spec+`}}`)
}

// plan writes a plan.
func (s *stage) plan(name, spec string) {
	s.file(".idumb/workplans/"+name+".json", `{"spec":{"title":"T","acceptance":["done"]`+spec+`}}`)
}

// told are the events so far, as "object reason".
func (s *stage) told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, e := range s.events {
		all = append(all, e.Object+" "+e.Reason)
	}
	return all
}

// eventually waits for something that comes by itself.
func (s *stage) eventually(what string, holds func() bool) {
	s.t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.t.Fatalf("it did not come to that: %s", what)
}

func (s *stage) exists(name string) bool {
	_, err := os.Lstat(s.path(name))
	return err == nil
}
