package packer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// edited is mems on their way through edits, as a store would hold them.
type edited struct {
	t       *testing.T
	objects map[resources.Key]resources.Object
	secrets map[string]resources.Key // the word that only that object says
	now     time.Time
	next    int
	stock   *Stock
}

func newMemory(t *testing.T) *edited {
	m := &edited{t: t, objects: map[resources.Key]resources.Object{}, secrets: map[string]resources.Key{}, stock: &Stock{}, now: day(12).Time}
	m.put(resources.WorkPlans, "p", `{"title": "Login", "acceptance": ["x"], "state": "active"}`)
	m.put(resources.Tasks, "t", `{"workPlan": "p", "title": "Build the login form", "expectedOutput": "a login form with session tokens", "state": "active"}`)
	m.put(resources.Trajectories, "trajectory", `{"activePlan": "p", "activeTasks": ["t"]}`)
	return m
}

func (m *edited) put(kind, name, spec string) {
	m.objects[resources.Key{Kind: kind, Name: name}] = decoded(m.t, kind, name, spec)
}

// mem writes a mem with a word of its own; more is the rest of its spec.
func (m *edited) mem(name, more string) {
	key := resources.Key{Kind: resources.Mems, Name: name}
	secret := ""
	for s, k := range m.secrets {
		if k == key {
			secret = s
		}
	}
	if secret == "" {
		secret = fmt.Sprintf("secret%dword", m.next)
		m.next++
		m.secrets[secret] = key
	}
	m.put(resources.Mems, name, fmt.Sprintf(`{"content": "the login form keeps session tokens: %s", "title": "%s title"%s}`, secret, secret, more))
}

// edit does one of the things that end mems, or that bring them back.
func (m *edited) edit(r *rand.Rand) {
	n := func() string { return fmt.Sprintf("n-%d", r.IntN(10)) }
	switch r.IntN(9) {
	case 0, 1:
		m.mem(n(), `, "originTask": "t"`)
	case 2:
		if heir, old := n(), n(); heir != old {
			m.mem(heir, fmt.Sprintf(`, "supersedes": "%s", "supersedeReason": "it changed"`, old))
		}
	case 3:
		m.mem(n(), `, "purgedAt": "2026-03-10T00:00:00Z", "purgeReason": "wrong"`)
	case 4:
		m.mem(n(), `, "validTo": "2026-03-11T00:00:00Z", "relatedTo": ["task/t"]`)
	case 5:
		m.mem(n(), `, "type": "false_path"`)
	case 6:
		delete(m.objects, resources.Key{Kind: resources.Mems, Name: n()}) // archived or deleted
	case 7:
		if one, other := n(), n(); one != other {
			m.mem(one, fmt.Sprintf(`, "relatedTo": ["%s"], "evidence": [{"path": "gone.md"}]`, other))
		}
	case 8:
		state := []string{"active", "abandoned"}[r.IntN(2)]
		m.put(resources.Tasks, "u", fmt.Sprintf(`{"workPlan": "p", "title": "taskword of the login form", "expectedOutput": "taskword", "state": "%s"}`, state))
	}
}

// check packs and recalls, and looks for words of what is dead.
func (m *edited) check(previous []byte) []byte {
	input := graph.SnapshotInput{Now: m.now}
	for _, o := range m.objects {
		input.Objects = append(input.Objects, o)
	}
	s := graph.NewSnapshot(input)
	for _, kind := range []string{resources.Mems, resources.Anchors, resources.Tasks, resources.WorkPlans} {
		for _, key := range s.List(kind) {
			m.stock.Invalidate(key)
		}
	}
	for _, f := range m.stock.facts {
		if f != nil {
			m.stock.Invalidate(f.key())
		}
	}
	pack := Make(s, Reader{Previous: previous, Stock: m.stock})
	require.Equal(m.t, Make(s, Reader{Previous: previous}), pack, "what was kept changes nothing")
	told := string(pack.Bytes)
	for _, e := range pack.Entries {
		told += e.Why + "\n"
	}
	for _, found := range Recall(s, m.stock, Question{Text: "the login form and its session tokens"}) {
		hit := found.Hit
		told += hit.Why() + "\n" + hit.ID + "\n"
		status, _ := memory.Derive(m.objects[resources.Key{Kind: resources.Mems, Name: strings.TrimPrefix(hit.ID, "mems/")}].(*resources.Mem), s)
		require.False(m.t, memory.IsHidden(status.Phase), "%s is %s, and was recalled", hit.ID, status.Phase)
	}
	for secret, key := range m.secrets {
		o, ok := m.objects[key].(*resources.Mem)
		if dead := !ok; !dead {
			status, _ := memory.Derive(o, s)
			dead = memory.IsHidden(status.Phase)
			if !dead {
				continue
			}
		}
		require.NotContains(m.t, told, secret, "%s is dead", key)
	}
	if task, ok := m.objects[resources.Key{Kind: resources.Tasks, Name: "u"}].(*resources.Task); ok && task.Spec.State == "abandoned" {
		require.NotContains(m.t, told, "taskword")
	}
	return pack.Bytes
}

// play makes edits in the order that the seed says, and checks after each.
func play(t *testing.T, seed uint64, edits int) {
	r := rand.New(rand.NewPCG(seed, 11))
	m := newMemory(t)
	var previous []byte
	for range edits {
		m.edit(r)
		previous = m.check(previous)
	}
}

// TestNothingDeadIsTold plays edits in many orders: what was superseded, purged, ended,
// abandoned, archived, or lost what it cites is in no pack, no explanation and no recall.
func TestNothingDeadIsTold(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		play(t, seed, 40)
	}
}

func FuzzNothingDeadIsTold(f *testing.F) {
	f.Add(uint64(1), byte(30))
	f.Fuzz(func(t *testing.T, seed uint64, edits byte) { play(t, seed, int(edits%60)) })
}
