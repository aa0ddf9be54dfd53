package exchange

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func tasks(t testing.TB) *resources.Kind {
	k, ok := resources.KindOf(resources.Tasks)
	require.True(t, ok)
	return k
}

const base = `{
  "metadata": {"name": "a", "annotations": {"idumb.dev/updated-by": "create"}},
  "spec": {
    "title":   "T",
    "dependsOn": ["x", "y"],
    "state": "planned",
    "notes": "n"
  }
}
`

// Only the bytes of what changed are others; the rest of the team's file stands as it is laid out.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs [2]string // replaced in base
		want         [2]string // replaced in theirs
		fields       string
	}{
		{"another field", [2]string{`"T"`, `"O"`}, [2]string{`"n"`, `"m"`}, [2]string{`"T"`, `"O"`}, ""},
		{"both the same", [2]string{`"T"`, `"O"`}, [2]string{`"T"`, `"O"`}, [2]string{}, ""},
		{"the same field", [2]string{`"T"`, `"O"`}, [2]string{`"T"`, `"U"`}, [2]string{}, "spec.title"},
		{"a field that is new", [2]string{`"title":   "T"`, `"title":   "T", "phase": "p"`}, [2]string{`"n"`, `"m"`}, [2]string{`"title":   "T"`, "\"title\":   \"T\",\n    \"phase\": \"p\""}, ""},
		{"a field that is gone", [2]string{`"title":   "T",` + "\n    ", ``}, [2]string{`"n"`, `"m"`}, [2]string{`"title":   "T",` + "\n    ", ``}, ""},
		{"gone and changed", [2]string{`"title":   "T",` + "\n    ", ``}, [2]string{`"T"`, `"U"`}, [2]string{}, "spec.title"},
		{"items of both", [2]string{`"x", "y"`, `"x", "y", "o"`}, [2]string{`"x", "y"`, `"y", "t"`}, [2]string{`"t"`, `"t", "o"`}, ""},
		{"an item and none", [2]string{`"dependsOn": ["x", "y"],` + "\n    ", ``}, [2]string{`"x", "y"`, `"y", "t"`}, [2]string{`["y", "t"]`, `["t"]`}, ""},
		{"an item and an empty list", [2]string{`"x", "y"`, `"x", "y", "o"`}, [2]string{`["x", "y"]`, `[]`}, [2]string{`[]`, `["o"]`}, ""},
		{"who wrote last", [2]string{`"create"`, `"patch"`}, [2]string{`"create"`, `"edit"`}, [2]string{`"edit"`, `"patch"`}, ""},
		{"laid out anew", [2]string{`"x", "y"`, `"x","y"`}, [2]string{`"T"`, `"U"`}, [2]string{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := func(text string, r [2]string) string {
				require.True(t, r[0] == "" || strings.Contains(text, r[0]), "%q is not in %s", r[0], text)
				return strings.Replace(text, r[0], r[1], 1)
			}
			ours, theirs := change(base, c.ours), change(base, c.theirs)
			text, conflicts, err := MergeObject(tasks(t), []byte(base), []byte(ours), []byte(theirs))
			require.NoError(t, err)
			assert.Equal(t, change(theirs, c.want), string(text))
			var fields []string
			for _, c := range conflicts {
				fields = append(fields, c.Field)
			}
			assert.Equal(t, c.fields, strings.Join(fields, " "))
		})
	}
}

// What is not known to have been the same once is merged by its fields, and nothing gets lost.
func TestNoBase(t *testing.T) {
	text, conflicts, err := MergeObject(tasks(t), nil, []byte(`{"spec": {"title": "O", "phase": "p"}}`), []byte(`{"spec": {"title": "T"}}`))
	require.NoError(t, err)
	assert.Equal(t, `{"spec": {"title": "T","phase": "p"}}`, strings.ReplaceAll(string(text), `, "phase"`, `,"phase"`))
	require.Len(t, conflicts, 1)
	assert.Equal(t, `"O"`, string(conflicts[0].Ours))
}

// What is to yield does, also where only ours changed it.
func TestYield(t *testing.T) {
	ours := strings.Replace(strings.Replace(base, `"y"`, `"o"`, 1), `"T"`, `"O"`, 1)
	text, conflicts, err := MergeObject(tasks(t), []byte(base), []byte(ours), []byte(base), "spec.dependsOn")
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(base, `"T"`, `"O"`, 1), string(text))
	require.Len(t, conflicts, 1)
	assert.Equal(t, "spec.dependsOn", conflicts[0].Field)
}

func TestNoJSON(t *testing.T) {
	for _, bad := range []string{``, `{`, `[]`, `{"a":1,"a":2}`, strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), `{"a": "` + strings.Repeat("x", resources.MaxFileSize) + `"}`} {
		_, _, err := MergeObject(tasks(t), nil, []byte(bad), []byte(base))
		assert.Error(t, err, "%.20s", bad)
		_, _, err = MergeObject(tasks(t), nil, []byte(base), []byte(bad))
		assert.Error(t, err, "%.20s", bad)
		assert.Equal(t, maxDistance, Distance([]byte(bad), []byte(base)))
	}
}

func TestDistance(t *testing.T) {
	assert.Zero(t, Distance([]byte(base), []byte(strings.ReplaceAll(base, "  ", ""))))
	assert.Equal(t, 2, Distance([]byte(base), []byte(strings.NewReplacer(`"T"`, `"U"`, `"n"`, `"m"`).Replace(base))))
}

func FuzzMerge3(f *testing.F) {
	f.Add(base, strings.Replace(base, `"T"`, `"O"`, 1), strings.Replace(base, `"n"`, `"m"`, 1))
	f.Add(`{}`, `{"spec":{"dependsOn":["a"]}}`, `{"spec":{"dependsOn":["b"],"temporalGate":{"after":"x"}}}`)
	f.Add(`{"metadata":{"labels":{"a":"1"}}}`, `{"metadata":{"labels":{}}}`, `{"metadata":{"labels":{"a":"1","b":"2"}}}`)
	f.Add(`{"spec":{"dependsOn":["a","b"],"source":{"file":"a","line":1}}}`, `{"spec":{"source":{"file":"b","line":1}}}`, `{"spec":{"dependsOn":["b","a"],"source":null}}`)
	f.Add(`{"a":1,"b":2}`, `{"b":2}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		b, err := parse([]byte(base))
		o, wrong := parse([]byte(ours))
		u, broken := parse([]byte(theirs))
		if err != nil || wrong != nil || broken != nil || !utf8.ValidString(base+ours+theirs) {
			return
		}
		kind := tasks(t)
		merge := func(b, o, t2 string) (string, []Conflict) {
			text, conflicts, err := MergeObject(kind, []byte(b), []byte(o), []byte(t2))
			require.NoError(t, err)
			return string(text), conflicts
		}
		text, conflicts := merge(base, ours, ours)
		assert.Equal(t, ours, text, "merge(b, x, x) is x")
		assert.Empty(t, conflicts)
		text, conflicts = merge(base, ours, base)
		m, err := parse([]byte(text))
		require.NoError(t, err)
		assert.True(t, equal(m, o), "only ours changed: %s", text)
		assert.Empty(t, conflicts)
		text, _ = merge(base, base, theirs)
		assert.Equal(t, theirs, text, "only theirs changed")

		text, conflicts = merge(base, ours, theirs)
		other, back := merge(base, theirs, ours)
		oneSided(t, "", b, o, u, must(t, text))
		assert.Equal(t, fields(conflicts), fields(back))
		x, y := withoutConflicts(t, text, conflicts), withoutConflicts(t, other, conflicts)
		assert.True(t, reflect.DeepEqual(x, y), "both orders agree up to marks:\n%s\n%s", text, other)
	})
}

func must(t *testing.T, text string) *node {
	n, err := parse([]byte(text))
	require.NoError(t, err)
	return n
}

// oneSided looks that what only one of two changed is as they left it.
func oneSided(t *testing.T, path string, b, o, u, m *node) {
	names := map[string]bool{}
	for _, n := range []*node{b, o, u} {
		if n != nil {
			for _, member := range n.members {
				names[member.name] = true
			}
		}
	}
	for name := range names {
		at := joinField(path, name)
		bv, ov, uv, mv := b.member(name), o.member(name), u.member(name), m.member(name)
		switch {
		case equal(bv, ov):
			assert.True(t, equal(mv, uv), "%s: only theirs changed", at)
		case equal(bv, uv):
			assert.True(t, equal(mv, ov), "%s: only ours changed", at)
		case bv.kind() == '{' && ov.kind() == '{' && uv.kind() == '{':
			oneSided(t, at, bv, ov, uv, mv)
		}
	}
}

func fields(conflicts []Conflict) (all []string) {
	for _, c := range conflicts {
		all = append(all, c.Field)
	}
	slices.Sort(all)
	return all
}

// withoutConflicts is a text as values, with lists in the order of their items, and without what is in conflict.
func withoutConflicts(t *testing.T, text string, conflicts []Conflict) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return strip("", v, fields(conflicts))
}

func strip(path string, v any, without []string) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			at := joinField(path, name)
			if list, ok := value.([]any); ok && len(list) == 0 || slices.Contains(without, at) { // an empty list is none
				delete(v, name)
			} else {
				v[name] = strip(at, value, without)
			}
		}
		return v
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			text, _ := json.Marshal(strip(path, item, nil))
			items[i] = string(text)
		}
		slices.Sort(items)
		return slices.Compact(items)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
	}
	return v
}
