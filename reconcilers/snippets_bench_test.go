package reconcilers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkTold is what is looked up at a tool call and at a prompt, with ten thousand mems: of a file
// that nothing, and that something is known of, of what was told while nothing changed, of a failure, and
// of a prompt.
func BenchmarkTold(b *testing.B) {
	s := newStage(b)
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("w%d", min(r.IntN(3000), r.IntN(3000)))
		}
		return strings.Join(words, " ")
	}
	for i := range 10_000 {
		kind := ""
		if i%20 == 0 {
			kind = `, "type": "false_path"`
		}
		s.file(fmt.Sprintf(".idumb/mems/m%05d.json", i), fmt.Sprintf(`{"spec": {"content": "%s in src/d%d/f%d.go", "appliesWhen": {"paths": ["src/d%d/**/*.ts"]}%s}}`, text(25), i%100, i, i%100, kind))
	}
	packs := s.startPacking()
	defer s.end()
	require.NoError(b, s.manager.WaitSettled(context.Background()))
	packs.PromptSnippets("first", never)
	for _, test := range []struct {
		name string
		ask  func(round int)
	}{
		{"file/nothing", func(int) { packs.FileSnippets("lib/none.go", anyWork, never) }},
		{"file/one", func(n int) { packs.FileSnippets(fmt.Sprintf("src/d%d/f%d.go", n%100, n%10_000), anyWork, never) }},
		{"ended/unchanged", func(int) { packs.ExpiredSnippets("s", func() []string { return nil }) }},
		{"failure", func(n int) {
			packs.FailureSnippets("error: "+fmt.Sprintf("w%d w%d cannot w%d", n%3000, n%2999, n%2998), true, never)
		}},
		{"prompt", func(n int) {
			packs.PromptSnippets(fmt.Sprintf("why is w%d the w%d of w%d?", n%3000, n%2999, n%2998), never)
		}},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				test.ask(n)
			}
		})
	}
}
