package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// clone is one machine's, which may lose what it hears of the team.

// way is how a clone reaches the team: it may be cut before a change is made, or after.

var errCut = errors.New("no route to host")

// open begins anew with what is on disk, as a process does after another one.

// nothing is what else is said to the team.

func (nothing) Ops([]engine.Item) (map[string][]engine.Op, error) { return nil, nil }

func (nothing) RecordClaims(resources.Key) {}

// write is a person's editor.

const plain = `{
  "spec": {
    "workPlan": "p",
    "title": "T",
    "expectedOutput": "x",
    "notes": "n"
  }
}
`

func (slower) TxnAsOf(context.Context, string, ...engine.Op) (string, error) {
	return "", &engine.ConflictError{Keys: []string{"state/x"}}
}

// history is what clones did, by chance: every value that somebody wrote is one of a kind.

type history struct {
	r       *rand.Rand
	clones  []*clone
	next    int
	written map[string]bool // values that have to be found in the end
}

var edited = []string{"title", "notes", "description", "assignedTo"}

// act has one clone do something.

func (h *history) act() {
	c := h.clones[h.r.IntN(len(h.clones))]
	key := task(fmt.Sprintf("t%d", h.r.IntN(5)))
	switch text := c.read(key); {
	case text == "" && h.r.IntN(2) == 0:
		if c.x.base.entries[key] == nil { // else it is only missing
			c.write(key, `{"spec": {"workPlan": "p", "expectedOutput": "x", "title": "`+h.value()+`"}}`)
			require.NoError(c.t, c.x.Remember(c.t.Context()))
		}
	case text == "":
	case h.r.IntN(12) == 0:
		c.remove(key)
	case h.r.IntN(4) == 0:
		h.addItem(c, key, text)
	default:
		h.setField(c, key, text)
	}
}

func (h *history) value() string {
	h.next++
	v := fmt.Sprintf("v%d", h.next)
	h.written[v] = true
	return v
}

func (h *history) setField(c *clone, key resources.Key, text string) {
	object := h.parse(c, text)
	spec := object["spec"].(map[string]any)
	field := edited[h.r.IntN(len(edited))]
	if old, ok := spec[field].(string); ok {
		delete(h.written, old) // whoever wrote this one saw it
	}
	for _, m := range c.marks() { // and decides what is in conflict
		for _, f := range m.Fields {
			if m.Key() == key && f.Field == "spec."+field {
				delete(h.written, strings.Trim(string(f.Ours), `"`))
			}
		}
	}
	spec[field] = h.value()
	h.save(c, key, object)
}

func (h *history) addItem(c *clone, key resources.Key, text string) {
	object := h.parse(c, text)
	spec := object["spec"].(map[string]any)
	items, _ := spec["allowedTools"].([]any)
	spec["allowedTools"] = append(items, h.value())
	h.save(c, key, object)
}

func (h *history) parse(c *clone, text string) (object map[string]any) {
	require.NoError(c.t, json.Unmarshal([]byte(text), &object), text)
	return object
}

func (h *history) save(c *clone, key resources.Key, object map[string]any) {
	data, err := json.MarshalIndent(object, "", "  ")
	require.NoError(c.t, err)
	require.NoError(c.t, c.x.Remember(c.t.Context())) // as whoever is about to lose it does
	c.write(key, string(data))
	require.NoError(c.t, c.x.Remember(c.t.Context()))
}

// Whatever several clones do, with a way that is cut and processes that begin anew, in the end they and

// the team say the same, and each value that nobody who saw it replaced stands, or is in a mark.

func TestTheyConverge(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 8
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			converge(t, seed)
		})
	}
}

func converge(t *testing.T, seed uint64) {
	var team memengine.Engine
	h := &history{r: rand.New(rand.NewPCG(seed, 17)), written: map[string]bool{}}
	for n := range 2 + h.r.IntN(2) {
		c := join(t, &team, fmt.Sprintf("c%d", n))
		if c.tells = seed%2 == 1; c.tells {
			c.open()
		}
		c.way.most = 2 + h.r.IntN(6)
		c.way.before = func() bool { return h.r.IntN(10) == 0 }
		c.way.after = func() bool { return h.r.IntN(10) == 0 }
		h.clones = append(h.clones, c)
	}
	for range 60 {
		for range h.r.IntN(4) {
			h.act()
		}
		c := h.clones[h.r.IntN(len(h.clones))]
		if h.r.IntN(5) == 0 {
			c.open()
		}
		if _, err := c.round(); err != nil {
			require.ErrorIs(t, err, errCut)
		}
	}
	for _, c := range h.clones {
		c.way.before, c.way.after = never, never
	}
	for range 3 {
		for _, c := range h.clones {
			c.must()
		}
	}
	for _, c := range h.clones {
		assert.Equal(t, c.tells, c.way.alone > 0, "what names nothing new is sound by itself")
		c.open() // all is looked at
		r := c.must()
		assert.Empty(t, slices.Concat(r.Pushed, r.Pulled, r.PutBack, r.Marked), "%s has come to rest", c.name)
	}
	h.judge(t, &team)
}

func (h *history) judge(t *testing.T, team engine.Engine) {
	items, err := team.List(t.Context(), objects)
	require.NoError(t, err)
	state := map[string]string{}
	for _, item := range items {
		_, text, err := unpack(item.Value)
		require.NoError(t, err)
		state[item.Key] = string(text)
	}
	found := strings.Join(slices.Collect(maps.Values(state)), "\n")
	for _, c := range h.clones {
		for n := range 5 {
			key := task(fmt.Sprintf("t%d", n))
			assert.Equal(t, state[engineKey(objects, key, "p")], c.read(key), "%s: %s", c.name, key)
		}
		for _, m := range c.marks() {
			found += m.Ours
		}
	}
	for value := range h.written {
		assert.True(t, strings.Contains(found, `"`+value+`"`), "%s was lost", value)
	}
}
