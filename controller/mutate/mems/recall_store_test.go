package mems

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// edits makes a folder of mems change as people and programs change one.
type edits struct {
	t   *testing.T
	r   *rand.Rand
	dir string

	stock   *packer.Stock
	objects map[resources.Key]resources.Object // that the stock knows of
}

func (e *edits) file() string {
	return filepath.Join(e.dir, fmt.Sprintf("m-%02d.json", e.r.IntN(50)))
}

func (e *edits) text() string {
	words := strings.Fields("session token cookie login cache queue retry hash renew expire endpoint")
	var text []string
	for range 3 + e.r.IntN(12) {
		text = append(text, words[e.r.IntN(len(words))])
	}
	more := []string{"", "", "", `, "purgedAt": "2026-03-02T10:00:00Z"`, `, "supersedes": "m-07"`, `, "type": "false_path"`, `, "relatedTo": ["m-03"], "originTask": "a"`,
		`, "evidence": [{"path": "gone.go"}]`, `, "validTo": "2026-03-01T10:00:00Z"`, `, "confirmations": [{"at": "2026-03-01T10:00:00Z"}]`, `, "staleAfter": "1h"`}[e.r.IntN(11)]
	return fmt.Sprintf(`{"metadata": {"creationTimestamp": "2026-02-%02dT10:00:00Z"}, "spec": {"content": %q%s}}`, 1+e.r.IntN(20), strings.Join(text, " "), more)
}

func (e *edits) write(path, text string) {
	require.NoError(e.t, os.WriteFile(path, []byte(text), 0o644))
}

// some changes a few files.
func (e *edits) some() {
	for range e.r.IntN(4) {
		path := e.file()
		data, err := os.ReadFile(path)
		info, _ := os.Stat(path)
		switch e.r.IntN(7) {
		case 0, 1:
			e.write(path, e.text())
		case 2: // in place, the same size and the same time
			if err == nil {
				e.write(path, strings.NewReplacer("token", "nekot", "cache", "token", "queue", "login").Replace(string(data)))
				require.NoError(e.t, os.Chtimes(path, info.ModTime(), info.ModTime()))
			}
		case 3:
			os.Remove(path)
		case 4:
			os.Rename(path, e.file())
		case 5: // as an editor saves
			e.write(path+"~", e.text())
			require.NoError(e.t, os.Rename(path+"~", path))
		case 6:
			e.write(path, "{broken")
		}
	}
}

// What is kept between two recalls never shows: whatever happened to the files, the answers,
// and why they are there, are those of a store that was read for the first time, by the way
// that looks at every mem.
func TestRecallIsTheSameWithAndWithoutWhatIsKept(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	root := t.TempDir()
	e := &edits{t: t, r: rand.New(rand.NewPCG(seed, 0)), dir: filepath.Join(root, ".idumb", "mems"), stock: &packer.Stock{}, objects: map[resources.Key]resources.Object{}}
	require.NoError(t, os.MkdirAll(e.dir, 0o755))
	for i := range 40 {
		e.write(filepath.Join(e.dir, fmt.Sprintf("m-%02d.json", i)), e.text())
	}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for round := range 40 {
		if round > 0 {
			e.some()
		}
		if e.r.IntN(3) == 0 {
			time.Sleep(110 * time.Millisecond) // or hardly a file would be trusted to be the same
		}
		for _, q := range []packer.Question{{Text: "how are session tokens renewed"}, {Text: "login cache m-07", History: true, Most: 3}, {Text: "queue retry", Type: resources.FalsePath}} {
			got := e.recall(root, now, q)
			require.Equal(t, e.plainly(root, now, q), got, "round %d", round)
		}
	}
}

// recall is what is done with what was analysed before.
func (e *edits) recall(root string, now time.Time, q packer.Question) string {
	s, err := filestore.Open(root)
	require.NoError(e.t, err)
	snapshot, err := s.Load(e.t.Context(), now, status.WorkKinds()...)
	require.NoError(e.t, err)
	e.follow(snapshot)
	return e.told(packer.Recall(snapshot, e.stock, q))
}

// follow tells the stock what changed, as a controller does. Other mems may have replaced one
// that is the same, so all of them are told.
func (e *edits) follow(s *graph.Snapshot) {
	before := e.objects
	e.objects = map[resources.Key]resources.Object{}
	for _, key := range s.List(resources.Mems) {
		e.objects[key], _ = s.Get(key)
		before[key] = nil
	}
	for key := range before {
		e.stock.Invalidate(key)
	}
}

// plainly is recall that keeps nothing and looks at all mems.
func (e *edits) plainly(root string, now time.Time, q packer.Question) string {
	s, err := filestore.Open(root)
	require.NoError(e.t, err)
	snapshot, err := s.Load(e.t.Context(), now, status.WorkKinds()...)
	require.NoError(e.t, err)
	var mems []packer.Mem
	for _, key := range snapshot.List(resources.Mems) {
		if m := snapshot.Mem(key.Name); m != nil {
			mems = append(mems, packer.Mem{Object: m, Status: assessed(m, snapshot)})
		}
	}
	documents := make([]search.Document, len(mems))
	for i := range mems {
		documents[i] = packer.DocumentOf(&mems[i])
		documents[i].Hidden = documents[i].Hidden && !q.History
	}
	var found []packer.Recalled
	most := q.Most
	if most == 0 {
		most = -1
	}
	hits := search.New(documents).Search(search.Query{Parts: []search.Part{{Text: q.Text}}}).Pick(most, func(i int) bool { return q.Type == "" || resources.MemType(mems[i].Object) == q.Type })
	for _, hit := range hits {
		found = append(found, packer.Recalled{Mem: mems[hit.Document], Hit: hit})
	}
	return e.told(found)
}

func assessed(m *resources.Mem, s *graph.Snapshot) resources.MemStatus {
	status, _ := memory.Assess(m, s)
	return status
}

func (e *edits) told(found []packer.Recalled) string {
	var b strings.Builder
	for i := range found {
		object, err := resources.Encode(found[i].Object)
		require.NoError(e.t, err)
		status, err := json.Marshal(found[i].Status)
		require.NoError(e.t, err)
		hit := found[i].Hit
		hit.Document = 0
		fmt.Fprintf(&b, "%s%s\n%+v\n%s\n", object, status, hit, found[i].Why())
	}
	return b.String()
}
