package packer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// randomSpec is the spec of the i-th of n mems, in JSON, that says something in every way.
func randomSpec(r *rand.Rand, i, n int) string {
	var parts []string
	add := func(chance int, format string, args ...any) {
		if r.IntN(chance) == 0 {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	name := func() string { return fmt.Sprintf("m-%04d", (i+1+r.IntN(n))%(n+1)) }
	add(4, `"supersedes": "%s", "supersedeReason": "newer"`, name())
	add(3, `"relatedTo": ["%s", "task/audit", "mem/%s"]`, name(), name())
	add(4, `"parent": "%s"`, name())
	add(3, `"originTask": "%s"`, []string{"login", "other"}[r.IntN(2)])
	add(3, `"evidence": [{"path": "web/auth.ts", "sha256": "%064d"}, {"note": "seen in the log"}]`, r.IntN(2))
	add(3, `"confirmations": [{"at": "2026-03-01T10:00:00Z", "by": "a"}, {"at": "2036-03-01T10:00:00Z"}]`)
	add(4, `"type": "false_path"`)
	add(5, `"purgedAt": "2026-03-02T10:00:00Z"`)
	add(5, `"confidence": %d`, r.IntN(101))
	add(6, `"pinned": true`)
	add(6, `"critical": true`)
	add(3, `"tags": ["auth", "t%d"], "topicKey": "auth/tokens%d"`, r.IntN(3), r.IntN(3))
	add(3, `"appliesWhen": {"cues": ["when tokens expire"], "paths": ["web/**"], "tags": ["login"], "symbols": ["Store.Put"]}`)
	add(2, `"title": "Session %d"`, r.IntN(9))
	words := strings.Fields("login session token form endpoint cookie cache queue retry hash store")
	text := ""
	for range r.IntN(30) * r.IntN(2) {
		text += words[r.IntN(len(words))] + " "
	}
	return "{" + strings.Join(append(parts, fmt.Sprintf(`"content": %q`, text+"zebra")), ", ") + "}"
}

// randomMemory is a snapshot with n random mems, a broken one among them.
func randomMemory(t *testing.T, r *rand.Rand, n int) *resources.Snapshot {
	t.Helper()
	input := gathered(t)
	if r.IntN(4) == 0 { // nobody says what the work is
		input.Objects = slices.DeleteFunc(input.Objects, func(o resources.Object) bool { return o.Key().Kind != resources.Mems })
	}
	for i := range n {
		o := decoded(t, resources.Mems, fmt.Sprintf("m-%04d", i), randomSpec(r, i, n))
		o.Source().Revision = fmt.Sprint("r", i)
		input.Objects = append(input.Objects, o)
	}
	return resources.NewSnapshot(input)
}

// A catalogue says of each mem what is said of the whole mem.
func TestACatalogueSaysWhatTheMemsSay(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		s := randomMemory(t, r, 1+r.IntN(60))
		mems, c := allOf(s), NewCatalogue(s)
		require.Len(t, c.Documents, len(mems))
		whole := make([]search.Document, len(mems))
		for i := range mems {
			require.Equal(t, mems[i], c.Mem(i))
			whole[i] = DocumentOf(&mems[i])
			require.Equal(t, whole[i], c.Document(i))
			bare := whole[i]
			bare.Title, bare.Text, bare.Tags, bare.Cues, bare.Symbols, bare.Globs, bare.Paths = "", "", nil, nil, nil, nil, nil
			require.Equal(t, bare, c.Documents[i])
		}
		q := search.Query{Parts: []search.Part{{Text: "how are session tokens renewed in web/auth.ts"}}}
		require.Equal(t, search.New(nil, whole).Search(q).Hits(-1), c.Index(nil).Search(q).Hits(-1))
	}
}

// plainly is what Gather returns with all mems made.
func plainly(s *resources.Snapshot, reader Reader) Input {
	in := Gather(s, reader)
	in.Memory, in.Mems = nil, allOf(s)
	return in
}

// allOf is all mems that can be read, with what AssessMem says of them.
func allOf(s *resources.Snapshot) []Mem {
	var mems []Mem
	for _, key := range s.List(resources.Mems) {
		if m := s.Mem(key.Name); m != nil {
			mems = append(mems, assessed(m, s))
		}
	}
	return mems
}

// A pack of mems that are only made where they may enter is the pack of all of them, with
// the same reasons, whatever was kept of them, and what is worth keeping is the same.
func TestAPackFromACatalogueIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var last []byte
	var kept []byte
	entered, refused := 0, 0
	for range 60 {
		s := randomMemory(t, r, 1+r.IntN(80))
		reader := Reader{Limit: []int{0, 3000, 9000}[r.IntN(3)], Previous: last, Index: kept}
		want, whole := BuildIndexed(plainly(s, reader))
		got, bare := BuildIndexed(Gather(s, reader))
		require.Equal(t, want, got)
		require.Equal(t, string(want.Bytes), string(got.Bytes))
		reader.Terse = true
		terse := Build(Gather(s, reader))
		require.Equal(t, string(want.Bytes), string(terse.Bytes))
		require.Equal(t, want.Tokens, terse.Tokens)
		var told []Entry
		for _, e := range want.Entries {
			if e.In || e.Section != insights.String() || slices.ContainsFunc(terse.Entries, func(o Entry) bool { return o.ID == e.ID && o.Section == e.Section }) {
				told = append(told, e)
			}
		}
		require.Equal(t, told, terse.Entries, "those that entered, and why")
		refused += len(want.Entries) - len(terse.Entries)
		require.Equal(t, whole.Stale(), bare.Stale())
		require.Equal(t, whole.Bytes(), bare.Bytes())
		require.Equal(t, Index(plainly(s, reader)).Bytes(), Index(Gather(s, reader)).Bytes())
		entered += strings.Count(string(got.Bytes), "<mem id=")
		if last = got.Bytes; r.IntN(3) == 0 {
			last = nil
		}
		kept = bare.Bytes()
	}
	require.Positive(t, entered)
	require.Positive(t, refused)
}

// Names of any length have IDs that stay as they are.
func TestSlab(t *testing.T) {
	var s slab
	r := rand.New(rand.NewPCG(1, 1))
	want, got := []string{}, []string{}
	for range 3000 {
		name := strings.Repeat("n", r.IntN(60))
		if r.IntN(300) == 0 {
			name = strings.Repeat("long", 9000)
		}
		want, got = append(want, "mems/"+name), append(got, s.id(name))
	}
	require.Equal(t, want, got)
}
