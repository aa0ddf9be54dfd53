package mems

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
)

var noon = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// shelf is a View in memory, to which mems can be added.
type shelf struct {
	mems  map[string]*resources.Mem
	files map[string]string
	now   time.Time
}

func newShelf(mems ...*resources.Mem) *shelf {
	s := &shelf{mems: map[string]*resources.Mem{}, files: map[string]string{"a.md": "1", "b.md": "2", "a.md#Part": "3"}, now: noon}
	for _, m := range mems {
		s.put(m)
	}
	return s
}

func (s *shelf) put(m *resources.Mem) { s.mems[m.Metadata.Name] = m }

func (s *shelf) Now() time.Time                 { return s.now }
func (s *shelf) Mem(name string) *resources.Mem { return s.mems[name] }
func (s *shelf) Mems() iter.Seq[*resources.Mem] { return maps.Values(s.mems) }
func (s *shelf) MemsSaying(text string) []*resources.Mem {
	var mems []*resources.Mem
	for _, name := range slices.Sorted(maps.Keys(s.mems)) {
		if m := s.mems[name]; memory.NormalText(m.Spec.Content) == text {
			mems = append(mems, m)
		}
	}
	return mems
}
func (s *shelf) Exists(key resources.Key) bool {
	return key.Kind != resources.Mems || s.mems[key.Name] != nil
}
func (s *shelf) Archived(key resources.Key) bool { return key.Name == "mem-task-archived" }
func (s *shelf) Superseders(name string) []*resources.Mem {
	return s.that(func(m *resources.Mem) bool { return m.Spec.Supersedes == name })
}
func (s *shelf) Topic(key string) []*resources.Mem {
	return s.that(func(m *resources.Mem) bool {
		return memory.NormalTopic(m.Spec.TopicKey) == memory.NormalTopic(key)
	})
}
func (s *shelf) that(fits func(*resources.Mem) bool) []*resources.Mem {
	var list []*resources.Mem
	for _, name := range slices.Sorted(maps.Keys(s.mems)) {
		if fits(s.mems[name]) {
			list = append(list, s.mems[name])
		}
	}
	return list
}
func (s *shelf) SourceFile(path string) (time.Time, string, bool) {
	sum, ok := s.files[path]
	return noon, sum, ok
}
func (s *shelf) SourceSection(path, section string) resources.Part {
	sum, ok := s.files[path+"#"+section]
	return resources.Part{Exists: ok, SHA256: sum, Mentioned: strings.HasPrefix(sum, "line")}
}
func (s *shelf) SourceMoved(path, section, sha256 string) string { return s.files["moved "+path] }
func (s *shelf) SourceNames(path string) (names []string) {
	for _, cited := range slices.Sorted(maps.Keys(s.files)) {
		if name, found := strings.CutPrefix(cited, path+"#"); found && s.files[cited] != "line" {
			names = append(names, name)
		}
	}
	return names
}

func mem(name string, spec resources.MemSpec) *resources.Mem {
	kind, _ := resources.KindOf(resources.Mems)
	m := kind.New().(*resources.Mem)
	m.Metadata.Name, m.Metadata.CreationTimestamp, m.Spec = name, resources.NewTime(noon.Add(-time.Hour)), spec
	return m
}

func TestSave(t *testing.T) {
	held := mem("held", resources.MemSpec{Content: "Tokens live 30 days", TopicKey: "tokens", Shelf: "web", Type: "decision", Tags: []string{"auth"}})
	trap := mem("trap", resources.MemSpec{Content: "AVOID x BECAUSE y INSTEAD z", Type: resources.FalsePath, TopicKey: "x"})
	for _, test := range []struct {
		name  string
		spec  resources.MemSpec
		what  string
		other string
		cause apierrors.Cause
	}{
		{"something new", resources.MemSpec{Content: "new"}, New, "", ""},
		{"the same words", resources.MemSpec{Content: "tokens, live 30 DAYS."}, Duplicate, "", ""},
		{"the same words, another topic", resources.MemSpec{Content: "tokens live 30 days", TopicKey: "other"}, Duplicate, "", ""},
		{"the same topic", resources.MemSpec{Content: "Tokens live a day", TopicKey: "Tokens"}, Revision, "held", ""},
		{"the same topic, another shelf", resources.MemSpec{Content: "Tokens live a day", TopicKey: "tokens", Shelf: "ops"}, "", "", OtherShelf},
		{"named", resources.MemSpec{Content: "Tokens live a day", Supersedes: "held"}, Revision, "held", ""},
		{"named, not there", resources.MemSpec{Content: "Tokens live a day", Supersedes: "nope"}, New, "", ""},
		{"a false path, without a reason", resources.MemSpec{Content: "x is fine", TopicKey: "x"}, "", "", NoReason},
		{"a false path, with a reason", resources.MemSpec{Content: "x is fine", TopicKey: "x", SupersedeReason: "fixed"}, Revision, "trap", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newShelf(held, trap)
			m := mem("m", test.spec)
			saved, err := Save(m, w)
			if test.cause != "" {
				var r *apierrors.Refusal
				require.ErrorAs(t, err, &r)
				assert.Equal(t, test.cause, r.Cause)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.what, saved.Operation)
			assert.Equal(t, test.other, saved.Replaced)
			switch test.other {
			case "held":
				assert.Equal(t, []string{"web", "decision", "tokens"}, []string{m.Spec.Shelf, m.Spec.Type, memory.NormalTopic(m.Spec.TopicKey)})
				assert.Equal(t, []string{"auth"}, m.Spec.Tags)
			case "trap":
				assert.Empty(t, m.Spec.Type, "what ends a false path is none")
			}
		})
	}
	assert.Equal(t, 0, held.Spec.Duplicates, "what is there is not changed in place")
}

// Whoever says that what one mem says holds in place of another one is believed, also where
// that mem is there already.
func TestSaveTheSameInPlaceOfAnother(t *testing.T) {
	old := mem("old", resources.MemSpec{Content: "beta", TopicKey: "t"})
	same := mem("same", resources.MemSpec{Content: "alpha"})
	known := mem("known", resources.MemSpec{Content: "gamma", TopicKey: "u"})
	base, heir := mem("base", resources.MemSpec{Content: "base"}), mem("heir", resources.MemSpec{Content: "heir", Supersedes: "base"})
	w := newShelf(old, same, known, base, heir)
	for _, test := range []struct {
		name  string
		spec  resources.MemSpec
		other string
		topic string
	}{
		{"named", resources.MemSpec{Content: "Alpha.", Supersedes: "old", SupersedeReason: "r"}, "old", ""},
		{"by topic", resources.MemSpec{Content: "Alpha.", TopicKey: "T"}, "old", "t"},
		{"itself", resources.MemSpec{Content: "Alpha.", Supersedes: "same"}, "", ""},
		{"it has another topic", resources.MemSpec{Content: "Gamma.", TopicKey: "t"}, "", "u"},
	} {
		t.Run(test.name, func(t *testing.T) {
			saved, err := Save(mem("m", test.spec), w)
			require.NoError(t, err)
			assert.Equal(t, Duplicate, saved.Operation)
			assert.Equal(t, test.other, saved.Replaced)
			assert.Equal(t, test.other, saved.Mem.Spec.Supersedes)
			assert.Equal(t, test.topic, memory.NormalTopic(saved.Mem.Spec.TopicKey))
			assert.Equal(t, 1, saved.Mem.Spec.Duplicates)
		})
	}
	_, err := Save(mem("m", resources.MemSpec{Content: "heir", Supersedes: "old"}), w)
	require.ErrorContains(t, err, `mem "heir" supersedes mem "base", which would become valid again; use the first mem of its chain: idumb supersede mem old --by base`)
}

// A mem that lets another one go to take the place of a third would bring it back.
func TestSupersedeBringsNothingBack(t *testing.T) {
	w := newShelf(mem("a", resources.MemSpec{}), mem("b", resources.MemSpec{Supersedes: "a"}), mem("c", resources.MemSpec{Supersedes: "a"}), mem("d", resources.MemSpec{Supersedes: "c"}), mem("x", resources.MemSpec{}))
	next, err := Supersede(w.Mem("b"), w.Mem("d"), "", w)
	require.NoError(t, err, "a is replaced by c as well")
	assert.Equal(t, "d", next.Spec.Supersedes)
	_, err = Supersede(w.Mem("d"), w.Mem("x"), "", w)
	require.ErrorContains(t, err, "idumb supersede mem x --by a")
	next, err = Supersede(w.Mem("a"), w.Mem("x"), "", w)
	require.NoError(t, err)
	w.put(next)
	assert.Equal(t, "x", next.Spec.Supersedes)
	assert.False(t, memory.Live(w.Mem("x"), w, noon))
}

func TestEvidence(t *testing.T) {
	w := newShelf()
	m := mem("m", resources.MemSpec{Evidence: []resources.MemEvidence{{Note: "a.md"}, {Note: "a.md#Part"}, {Note: "as told"}, {Note: "../a.md"}, {Note: "/a.md"}, {Path: "gone.md"}, {Path: "b.md", SHA256: "old"}, {Note: "no/such.go"}}})
	var saved Saved
	require.NoError(t, saved.cite(m, w))
	notes := saved.Notes
	assert.Equal(t, []resources.MemEvidence{
		{Path: "a.md", SHA256: "1"}, {Path: "a.md", Section: "Part", SHA256: "3"}, {Note: "as told"}, {Note: "../a.md"}, {Note: "/a.md"}, {Path: "gone.md"}, {Path: "b.md", SHA256: "old"}, {Note: "no/such.go"},
	}, m.Spec.Evidence)
	require.Len(t, notes, 4)
	assert.Contains(t, notes[2], "gone.md does not exist")
	w.files["big.bin"] = ""
	saved = Saved{}
	require.NoError(t, saved.cite(mem("m", resources.MemSpec{Evidence: []resources.MemEvidence{{Note: "big.bin"}}}), w))
	assert.Equal(t, []string{"big.bin is too large or unreadable: iDumb detects its removal, but no changes"}, saved.Notes)
}

func TestConfirm(t *testing.T) {
	m := mem("m", resources.MemSpec{Evidence: []resources.MemEvidence{{Path: "a.md", SHA256: "old"}}})
	w := newShelf(m, mem("then", resources.MemSpec{}), mem("now", resources.MemSpec{Supersedes: "then"}), mem("purged", resources.MemSpec{PurgedAt: resources.NewTime(noon)}),
		mem("lost", resources.MemSpec{Evidence: []resources.MemEvidence{{Path: "gone.md"}, {Note: "n"}}}))
	next, err := Confirm(m, Confirmation{Author: "ann"}, w)
	require.NoError(t, err)
	assert.Equal(t, "1", next.Spec.Evidence[0].SHA256, "it counts as it is now")
	assert.Len(t, next.Spec.Confirmations, 1)
	again, err := Confirm(next, Confirmation{Author: "ann"}, w)
	require.NoError(t, err)
	assert.Equal(t, next, again, "once a day")
	other, err := Confirm(next, Confirmation{Author: "bob"}, w)
	require.NoError(t, err)
	assert.Len(t, other.Spec.Confirmations, 2)
	for name, cause := range map[string]apierrors.Cause{"then": Replaced, "purged": OutOfUse, "lost": Changed} {
		_, err := Confirm(w.Mem(name), Confirmation{Author: "ann"}, w)
		var r *apierrors.Refusal
		require.ErrorAs(t, err, &r, name)
		assert.Equal(t, cause, r.Cause)
	}
	_, err = Confirm(m, Confirmation{Author: "check", Check: true}, w)
	assert.ErrorContains(t, err, "its evidence has changed: a.md")
	found, err := Confirm(w.Mem("lost"), Confirmation{Author: "ann", Evidence: []string{"b.md"}}, w)
	require.NoError(t, err)
	assert.Equal(t, []resources.MemEvidence{{Note: "n"}, {Path: "b.md", SHA256: "2"}}, found.Spec.Evidence)
	found, err = Confirm(found, Confirmation{Author: "bob", Evidence: []string{"b.md", "n", "a.md#Part"}}, w)
	require.NoError(t, err)
	assert.Len(t, found.Spec.Evidence, 3, "what it cites already is cited once")
}

func TestConfirmAMemWhoseCommitIsOnNoBranch(t *testing.T) {
	m := mem("m", resources.MemSpec{Source: "commit/1"})
	m.Metadata.Annotations = map[string]string{memory.AnnotationSourceLost: "2026-01-01T00:00:00Z", resources.AnnotationSourceDigest: "d"}
	_, err := Confirm(m, Confirmation{Author: "task/x", Check: true}, newShelf(m))
	require.ErrorContains(t, err, "commit/1 is not on any branch")
	next, err := Confirm(m, Confirmation{Author: "ann"}, newShelf(m))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{resources.AnnotationSourceDigest: "d"}, next.Metadata.Annotations)
	assert.Len(t, m.Metadata.Annotations, 2, "what is there is not changed in place")
}

func TestCited(t *testing.T) {
	assert.Equal(t, []string{"a", "b.c", "d"}, Cited("see mem/a, (mems/b.c) and `mem/d`. mem/a again; task/x mem/ mem/Bad mem"))
	assert.Len(t, Cited(strings.Repeat("mem/x", 1)+fmt.Sprint(numbered(100))), maxCited)
}

func numbered(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("mem/n%d", i))
	}
	return list
}

func FuzzCited(f *testing.F) {
	f.Add("mem/a mems/b, mem/\x00")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range Cited(text) {
			require.NoError(t, resources.CheckName(name))
		}
	})
}

// In whatever order mems are saved, of each topic one mem lives in the end, no two live
// ones say the same, and what was saved so often was counted so often.
func TestTheOrderOfSavingDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var specs []resources.MemSpec
		for range 8 {
			specs = append(specs, resources.MemSpec{Content: []string{"A b", "a, b", "c", "d"}[r.IntN(4)], TopicKey: []string{"", "t", "u"}[r.IntN(3)]})
		}
		r.Shuffle(len(specs), func(i, j int) { specs[i], specs[j] = specs[j], specs[i] })
		w, written, counted := newShelf(), 0, 0
		for i, spec := range specs {
			w.now = noon.Add(time.Duration(i) * time.Minute)
			m := mem(fmt.Sprintf("m%d", i), spec)
			m.Metadata.CreationTimestamp = resources.NewTime(w.now)
			saved, err := Save(m, w)
			require.NoError(t, err)
			w.put(saved.Mem)
			if saved.Operation != Duplicate {
				written++
			}
		}
		topics, texts := map[string]int{}, map[string]int{}
		for m := range w.Mems() {
			counted += m.Spec.Duplicates
			if !memory.Live(m, w, w.now) {
				continue
			}
			texts[memory.NormalText(m.Spec.Content)]++
			if topic := memory.NormalTopic(m.Spec.TopicKey); topic != "" {
				topics[topic]++
			}
		}
		require.Equal(t, len(specs), written+counted, "each was stored or counted")
		require.Len(t, w.mems, written)
		for text, n := range texts {
			require.Equal(t, 1, n, text)
		}
		for topic, n := range topics {
			require.Equal(t, 1, n, topic)
		}
	}
}
