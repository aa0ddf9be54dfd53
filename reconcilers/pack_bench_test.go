package reconcilers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/resources"
)

// BenchmarkPack packs for a session that works on one of ten thousand tasks, with ten
// thousand mems: what a prompt waits for.
func BenchmarkPack(b *testing.B) {
	s := newStage(b)
	s.plan("p", `,"state":"active"`)
	const size = 10_000
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := make([]string, 3000)
	for i := range vocabulary {
		vocabulary[i] = fmt.Sprintf("w%s%d", string(rune('a'+r.IntN(26))), r.IntN(5000))
	}
	text := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))]
		}
		return strings.Join(words, " ")
	}
	for i := range size {
		spec := fmt.Sprintf(`,"title":%q`, text(6))
		if i == 0 {
			spec += `,"state":"active"`
		}
		s.task(link(i), spec)
		s.file(fmt.Sprintf(".idumb/mems/m%05d.json", i), fmt.Sprintf(`{"spec": {"content": %q, "originTask": %q}}`, text(25), link(r.IntN(size))))
	}
	s.file(".idumb/sessions/s.json", `{"spec": {"host": "claude", "agent": "x", "activeTask": "t00000"}}`)
	packs := s.startPacking()
	defer s.end()
	require.NoError(b, s.manager.WaitSettled(context.Background()))
	c := s.manager.Client("bench")
	o, _ := c.Get(resources.Key{Kind: resources.Sessions, Name: "s"})
	b.ReportAllocs()
	for b.Loop() {
		text, _ := packs.Pack(hooks.PackReader{Name: "s", Record: o.(*resources.Session), Limit: 10_000})
		require.NotEmpty(b, text)
	}
}
