package exchange

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

func TestWhatOneClonesChangesStandsInAll(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	assert.Equal(t, []resources.Key{key}, a.must().Pushed)
	assert.Equal(t, []resources.Key{key}, b.must().Pulled)
	assert.Equal(t, plain, b.read(key), "verbatim")
	b.edit(key, `"T"`, `"B"`)
	a.edit(key, `"n"`, `"A"`)
	b.must()
	a.must()
	b.must()
	assert.Equal(t, strings.NewReplacer(`"T"`, `"B"`, `"n"`, `"A"`).Replace(plain), a.read(key))
	assert.Equal(t, a.read(key), b.read(key))
	assert.Empty(t, append(a.marks(), b.marks()...))
	for _, c := range []*clone{a, b} {
		r := c.must()
		assert.Empty(t, slices.Concat(r.Pushed, r.Pulled, r.PutBack, r.Marked), "twice is as good as once")
	}
}

// The team's value stands, ours is in a mark, which was there before anything was replaced.

func TestConflict(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	a.edit(key, `"T"`, `"A"`)
	b.edit(key, `"T"`, `"B"`)
	a.must()
	assert.Equal(t, []resources.Key{key}, b.must().Marked)
	a.must()
	assert.Contains(t, b.read(key), `"A"`)
	assert.Equal(t, a.read(key), b.read(key))
	require.Len(t, b.marks(), 1)
	m := b.marks()[0]
	assert.Equal(t, "spec.title", m.Fields[0].Field)
	assert.Equal(t, `"B"`, string(m.Fields[0].Ours))
	assert.Equal(t, "a", m.Author)
	assert.Contains(t, m.Ours, `"B"`)
	assert.Empty(t, a.marks())
}

// Who changes a field after a conflict about it decides that conflict: what was kept comes back over no later edit.
func TestEditEndsConflict(t *testing.T) {
	key := task("login")
	conflict := func(t *testing.T) (a, b *clone) {
		a, b = two(t)
		a.write(key, plain)
		a.must()
		b.must()
		a.edit(key, `"title": "T"`, `"title": "A", "description": "A"`)
		b.edit(key, `"title": "T"`, `"title": "B", "description": "B", "assignedTo": "b"`)
		a.must()
		b.must()
		a.must()
		require.Len(t, b.marks(), 1)
		return a, b
	}
	ours := func(t *testing.T, c *clone) string {
		require.Len(t, c.marks(), 1)
		m := c.marks()[0]
		text, err := m.OnTop([]byte(c.read(key)))
		require.NoError(t, err)
		return string(text)
	}
	t.Run("sent", func(t *testing.T) {
		a, b := conflict(t)
		b.edit(key, `"title": "A"`, `"title": "B2"`)
		b.must()
		assert.Contains(t, ours(t, b), `"B2"`)
		assert.Contains(t, ours(t, b), `"description": "B"`)
		b.edit(key, `"description": "A"`, `"description": "B2"`)
		b.must()
		assert.Empty(t, b.marks())
		a.must()
		assert.Equal(t, b.read(key), a.read(key))
	})
	t.Run("not sent", func(t *testing.T) {
		_, b := conflict(t)
		require.NoError(t, b.x.EndEdited(t.Context()))
		assert.Len(t, b.marks()[0].Fields, 2, "nothing was changed")
		b.edit(key, `"title": "A"`, `"title": "B2"`)
		b.edit(key, `"assignedTo": "b"`, `"assignedTo": "c"`)
		require.NoError(t, b.x.EndEdited(t.Context()))
		assert.Equal(t, []string{"spec.description"}, b.marks()[0].names())
		assert.Contains(t, ours(t, b), `"title": "B2"`)
		assert.Contains(t, ours(t, b), `"assignedTo": "c"`, "it was in no conflict")
	})
	t.Run("the team's", func(t *testing.T) {
		a, b := conflict(t)
		a.edit(key, `"title": "A"`, `"title": "A2"`)
		a.must()
		b.must()
		require.NoError(t, b.x.EndEdited(t.Context()))
		require.Len(t, b.marks(), 1)
		assert.Len(t, b.marks()[0].Fields, 2, "nobody here decided")
		assert.Contains(t, ours(t, b), `"title": "B"`)
	})
	t.Run("both", func(t *testing.T) {
		a, b := conflict(t)
		a.edit(key, `"title": "A"`, `"title": "A2"`)
		b.edit(key, `"title": "A"`, `"title": "B2"`)
		a.must()
		b.must()
		var kept []string
		for _, m := range b.marks() {
			for _, c := range m.Fields {
				kept = append(kept, c.Field+" "+string(c.Ours))
			}
		}
		assert.ElementsMatch(t, []string{`spec.title "B2"`, `spec.description "B"`}, kept)
	})
	t.Run("all of it", func(t *testing.T) {
		m := Mark{Kind: key.Kind, Base: `{"spec":{"title":"T"}}`, Ours: `{"spec":{"title":"B","notes":"b"}}`, Theirs: `{"spec":{"title":"A"}}`}
		text, err := m.OnTop([]byte(`{"spec":{"title":"B2"}}`))
		require.NoError(t, err)
		assert.JSONEq(t, `{"spec":{"title":"B2","notes":"b"}}`, string(text))
	})
}

// A file that goes missing comes back; only who says so takes an object from the team.

func TestAbsenceIsNoDeletion(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	require.NoError(t, os.Remove(b.file(key)))
	assert.Equal(t, []resources.Key{key}, b.must().PutBack)
	assert.Equal(t, plain, b.read(key))

	b.edit(key, `"T"`, `"B"`) // it is not sent: the way is cut
	b.way.before = func() bool { return true }
	_, err := b.round()
	require.ErrorIs(t, err, errCut)
	require.NoError(t, os.Remove(b.file(key)))
	b.way.before = never
	b.open()
	b.must()
	a.must()
	assert.Contains(t, a.read(key), `"B"`, "what was edited and not sent is not lost with its file")

	r, err := a.store.Get(t.Context(), key)
	require.NoError(t, err)
	require.NoError(t, a.store.Archive(t.Context(), key, r.Rev))
	a.must()
	assert.Equal(t, []resources.Key{key}, b.must().SetAside)
	assert.Empty(t, b.read(key))
	assert.FileExists(t, b.root.Abs(layout.ArchivePath(key)))
	assert.Empty(t, b.must().Pulled)

	require.NoError(t, b.store.Restore(t.Context(), key))
	b.must()
	a.must()
	assert.Contains(t, a.read(key), `"B"`, "and it comes back to all")
}

// What is torn, secret, without proof or local stays here; what others send that is none stays out.

func TestWhatIsHeldBack(t *testing.T) {
	a, b := two(t)
	a.write(task("torn"), plain[:40])
	a.write(task("token"), strings.Replace(plain, `"n"`, `"use ghp_abcdefghijklmnop1234"`, 1))
	a.write(task("done"), strings.Replace(plain, `"notes": "n"`, `"state": "completed"`, 1))
	a.write(task("mine"), `{"metadata": {"labels": {"idumb.dev/sync": "local"}}, `+plain[1:])
	a.write(resources.Key{Kind: resources.Comments, Name: "c.local"}, `{"spec": {"about": "task/mine", "body": "b"}}`)
	a.write(resources.Key{Kind: resources.Roles, Name: "r"}, `{"spec": {}}`)
	r := a.must()
	var why []string
	for _, h := range r.NotPushed {
		why = append(why, h.Key.Name+": "+h.Reason)
	}
	require.Len(t, why, 3)
	assert.Contains(t, why[0], "done: it is completed without result.evidence")
	assert.Contains(t, why[1], "idumb sync resolve task/token --send")
	assert.Empty(t, r.Pushed)
	require.NoError(t, AgreeToSend(a.dir, []byte(a.read(task("token")))))
	assert.Equal(t, []resources.Key{task("token")}, a.must().Pushed)

	bad := map[string]string{
		"state/o/tasks/p/unknown":    `{"v":1}` + "\n" + `{"spec": {"workPlan": "p", "expectedOutput": "x", "colour": "red"}}`,
		"state/o/tasks/p/newer":      `{"v":2}` + "\n" + plain,
		"state/o/tasks/p/none":       plain,
		"state/o/tasks/p/deep":       `{"v":1}` + "\n" + strings.Repeat(`{"a":`, 40),
		"state/o/roles/_/r":          `{"v":1}` + "\n" + `{"spec": {}}`,
		"state/o/tasks/p/../x":       `{"v":1}` + "\n" + plain,
		"state/o/tasks/p/.hidden":    `{"v":1}` + "\n" + plain,
		"state/o/comments/_/x.local": `{"v":1}` + "\n" + `{"spec": {"about": "task/token", "body": "b"}}`,
	}
	for key, value := range bad {
		require.NoError(t, b.way.Txn(t.Context(), engine.Op{Key: key, Value: []byte(value)}))
	}
	r = b.must()
	assert.Len(t, r.Refused, len(bad))
	assert.Equal(t, []resources.Key{task("token")}, r.Pulled)
	assert.Len(t, b.marks(), 4, "those that say which object they are")
	for _, m := range b.marks() {
		assert.True(t, m.Incoming())
	}
	items, err := b.way.List(t.Context(), "state/o/tasks/p/unknown")
	require.NoError(t, err)
	require.NoError(t, b.way.Txn(t.Context(), engine.Op{Key: items[0].Key, Was: items[0].Rev, Value: pack("c", time.Now(), []byte(plain))}))
	b.must()
	assert.Len(t, b.marks(), 3, "a mark goes with its cause")
}

// Two that are sound alone and wait for each other together: ours yields, in that field alone.

func TestNoCircleByMerging(t *testing.T) {
	a, b := two(t)
	for _, name := range []string{"x", "y"} {
		a.write(task(name), plain)
	}
	a.must()
	b.must()
	a.edit(task("x"), `"title"`, `"dependsOn": ["y"], "title"`)
	b.edit(task("y"), `"title": "T"`, `"dependsOn": ["x"], "title": "B"`)
	a.must()
	b.must()
	a.must()
	assert.Contains(t, b.read(task("x")), "dependsOn")
	assert.NotContains(t, b.read(task("y")), "dependsOn")
	assert.Contains(t, a.read(task("y")), `"B"`)
	require.Len(t, b.marks(), 1)
	assert.Contains(t, b.marks()[0].Reason, "x -> y -> x")
	assert.Contains(t, b.marks()[0].Ours, "dependsOn")
}

// What names an object that the team set aside meanwhile yields as well.

func TestNoDanglingNameByMerging(t *testing.T) {
	a, b := two(t)
	for _, name := range []string{"x", "y"} {
		a.write(task(name), plain)
	}
	a.must()
	b.must()
	r, err := a.store.Get(t.Context(), task("x"))
	require.NoError(t, err)
	require.NoError(t, a.store.Archive(t.Context(), task("x"), r.Rev))
	a.must()
	b.edit(task("y"), `"title"`, `"dependsOn": ["x"], "title"`)
	b.must()
	assert.NotContains(t, b.read(task("y")), "dependsOn")
	require.Len(t, b.marks(), 1)
	assert.Contains(t, b.marks()[0].Reason, "tasks/x, which the team archived")
}

// What a command wrote goes up, also where git took its file away before anybody looked; what was taken

// back again does not come up later.

func TestWhatCommandsWrote(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	wrote := strings.Replace(plain, `"T"`, `"B"`, 1)
	b.x.WrittenVersions = func(take func(resources.Key, []byte) error) error {
		defer func() { b.x.WrittenVersions = nil }()
		return take(key, []byte(wrote))
	}
	require.NoError(t, os.Remove(b.file(key)))
	b.must()
	a.must()
	assert.Equal(t, wrote, a.read(key))

	_, err := b.x.recordWrite(key, []byte(plain)) // and its file is as it was
	require.NoError(t, err)
	b.must()
	require.NoError(t, os.Remove(b.file(key)))
	b.must()
	assert.Equal(t, wrote, b.read(key))
}

// A place that lost what it had stops the exchange, and nothing is changed here.

func TestTheTeamLostObjects(t *testing.T) {
	a, _ := two(t)
	a.write(task("login"), plain)
	a.must()
	a.way.Strict = new(memengine.Engine)
	_, err := a.round()
	require.ErrorIs(t, err, ErrVanished)
	assert.Equal(t, plain, a.read(task("login")))
}

// What stood only here when a clone joined is not sent; what is made from then on is.

func TestKeptBack(t *testing.T) {
	a, b := two(t)
	a.write(task("old"), plain)
	n, err := a.x.KeepBack(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	a.open()
	a.write(task("new"), plain)
	r := a.must()
	assert.Equal(t, []resources.Key{task("new")}, r.Pushed)
	assert.Equal(t, 1, r.LocalOnly)
	require.NoError(t, a.x.PushLocalOnly())
	assert.Equal(t, []resources.Key{task("old")}, a.must().Pushed)
	assert.Len(t, b.must().Pulled, 2)
}

// A task that moves to another plan stands once with the team.

func TestMovedToAnotherPlan(t *testing.T) {
	a, b := two(t)
	a.write(task("x"), plain)
	a.must()
	b.must()
	a.edit(task("x"), `"p"`, `"q"`)
	a.must()
	b.must()
	assert.Contains(t, b.read(task("x")), `"q"`)
	items, err := b.way.List(t.Context(), objects)
	require.NoError(t, err)
	require.Len(t, items, 1)
	assert.Equal(t, "state/o/tasks/q/x", items[0].Key)
}

// An engine that makes only so many changes at once gets them in parts, with what belongs together in one;

// what a claim is about goes with it.

func TestInParts(t *testing.T) {
	a, b := two(t)
	const many = 10
	for n := range many {
		a.write(task(fmt.Sprintf("t%d", n)), plain)
	}
	a.way.most = 4
	assert.Len(t, a.must().Pushed, many)
	assert.Equal(t, many/2, a.way.made, "each has two: itself and its name")
	assert.Len(t, b.must().Pulled, many)

	w := Plan{Ops: []Batch{{Object: task("x"), Ops: make([]engine.Op, 2)}, {Object: task("y"), Ops: make([]engine.Op, 2)}}}
	all := w.related(map[string][]engine.Op{"y": {{Key: "claims/y"}}, "z": {{Key: "claims/z"}}})
	require.Len(t, all, 3)
	assert.Equal(t, "claims/y", all[1].Ops[2].Key)
	parts := batches(a.way, all)
	require.Len(t, parts, 2)
	assert.Equal(t, [][]Batch{all[:1], all[1:]}, parts)
	long := engine.Op{Value: make([]byte, engine.MaxValue/2+1)}
	assert.Len(t, batches(a.way, []Batch{{Ops: []engine.Op{long}}, {Ops: []engine.Op{long}}}), 2, "values are as long together as one may be")
	assert.Len(t, batches(a.way.Strict, all), 1, "others make any number")
}

// Somebody is faster for as long as anybody looks: that is an error, and no more.

func TestOthersAreAlwaysFaster(t *testing.T) {
	a, _ := two(t)
	a.write(task("x"), plain)
	synctest.Test(t, func(t *testing.T) {
		_, err := a.x.Round(t.Context(), slower{a.way}, nothing{})
		require.ErrorContains(t, err, "change faster than they can be read; 1 changes wait here")
	})
}

// slower is an engine at which somebody else always was faster.

type slower struct{ *way }

// What does not go up, or come in, is named with its place: it may stand in no file.
func TestWhatIsWrongIsNamed(t *testing.T) {
	_, err := decodeStrict(task("x"), []byte(`{"metadata": {"name": "y"}}`))
	assert.ErrorContains(t, err, `tasks/x:1:23: metadata.name: the name is "y"`)
}

// What is made late, after it was abandoned and what stood here was edited once more, is not taken for somebody
// else's: it is what the edit was made of.
func TestWhatIsMadeLateIsOurs(t *testing.T) {
	for n := range 4 {
		reopened, onTop := n%2 == 1, n > 1
		a, b := two(t)
		key := task("login")
		a.write(key, plain)
		a.must()
		b.must()
		a.edit(key, `"T"`, `"1"`)
		first := a.read(key)
		a.way.before = func() bool { return true }
		_, err := a.round()
		require.ErrorIs(t, err, errCut)
		a.edit(key, `"1"`, `"2"`)
		late := true
		a.way.before = func() bool {
			if !late {
				return false
			}
			late = false
			items, err := a.team.List(t.Context(), objects)
			require.NoError(t, err)
			require.Len(t, items, 1)
			require.NoError(t, a.team.Txn(t.Context(), engine.Op{Key: items[0].Key, Was: items[0].Rev, Value: pack("a", time.Now(), []byte(first))}))
			if onTop { // and somebody else changes that, before it is seen here
				b.must()
				b.edit(key, `"n"`, `"N"`)
				b.must()
			}
			return false
		}
		if reopened {
			a.open()
		}
		a.must()
		b.must()
		assert.Contains(t, a.read(key), `"2"`)
		assert.Equal(t, onTop, strings.Contains(a.read(key), `"N"`))
		assert.Equal(t, a.read(key), b.read(key))
		assert.Empty(t, append(a.marks(), b.marks()...))
	}
}
