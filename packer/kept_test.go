package packer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
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
func randomMemory(t *testing.T, r *rand.Rand, n int) *graph.Snapshot {
	t.Helper()
	input := gathered(t)
	if r.IntN(4) == 0 { // nobody says what the work is
		input.Objects = slices.DeleteFunc(input.Objects, func(o resources.Object) bool { return o.Key().Kind != resources.Mems })
	}
	for i := range n {
		spec := randomSpec(r, i, n)
		o := decoded(t, resources.Mems, fmt.Sprintf("m-%04d", i), spec)
		o.Source().Revision = resources.Revision([]byte(spec))
		input.Objects = append(input.Objects, o)
	}
	return graph.NewSnapshot(input)
}

// A pack is the same, with the same reasons, whatever was kept of the mems that it is made of,
// and where nobody asks for the reasons.
func TestAPackIsTheSameFromWhatWasKept(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var last []byte
	entered := 0
	for range 60 {
		s := randomMemory(t, r, 1+r.IntN(80))
		reader := Reader{Limit: []int{0, 3000, 9000}[r.IntN(3)], Previous: last}
		want := Make(s, reader)
		reader.Stock = &Stock{}
		for range 2 { // what it finds, and what it has by then
			require.Equal(t, want, Make(s, reader))
		}
		reader.Terse = true
		terse := Make(s, reader)
		require.Empty(t, terse.Entries)
		terse.Entries = want.Entries
		require.Equal(t, want, terse)
		entered += strings.Count(string(want.Bytes), "(mems/")
		if last = want.Bytes; r.IntN(3) == 0 {
			last = nil
		}
	}
	require.Positive(t, entered)
}
