package packer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// learned is a repository with mems of many sizes about much and little of the task.
func learned(r *rand.Rand) Input {
	in := userAuth()
	words := strings.Fields("login form session cookie token renew queue mail cache key deploy metrics backup search layout endpoint server tests browser redirect password reset limiter audit locale schema index replica tracing alert")
	for i := range 10 + r.IntN(60) {
		in.Mems = append(in.Mems, savedMem(r, fmt.Sprintf("m-%03d", i), words))
	}
	in.Limit = []int{0, 3500, 6000, 9200}[r.IntN(4)]
	return in
}

func savedMem(r *rand.Rand, name string, words []string) Mem {
	text := fmt.Sprint(name, ":")
	for range 2 + r.IntN(40) {
		text += " " + words[r.IntN(len(words))]
	}
	spec := resources.MemSpec{Content: text}
	if r.IntN(4) == 0 {
		spec.AppliesWhen = &resources.AppliesWhen{Cues: []string{"login form " + words[r.IntN(len(words))], "posts to the session endpoint"}}
	}
	return memOf(name, 1+r.IntN(9), 40+r.IntN(61), resources.Fresh, spec)
}

// TestSavingDisplacesNoMoreThanItsSize: a mem more pushes out what it needs the room or the place of,
// and nothing else, however well it fits the task.
func TestSavingDisplacesNoMoreThanItsSize(t *testing.T) {
	t.Parallel()
	words := strings.Fields("login form session endpoint inline errors person log out authentication write web auth npm test")
	entered, displaced := 0, 0
	for seed := range uint64(rounds(300)) {
		r := rand.New(rand.NewPCG(seed, 61))
		in := learned(r)
		before := Build(in)
		in.Previous = PreviousIn(before.Bytes)
		saved := savedMem(r, "saved", words)
		in.Mems = append(in.Mems[:len(in.Mems):len(in.Mems)], saved)
		after := Build(in)
		is := tokensIn(after)
		room := is["mems/saved"]
		if room > 0 {
			entered++
		}
		gone, most := 0, 0
		for id, tokens := range tokensIn(before) {
			if is[id] == 0 {
				gone, most = gone+tokens, max(most, tokens)
				displaced++
			}
		}
		require.LessOrEqual(t, gone-most, room, "seed %d", seed)
		require.False(t, gone > 0 && room == 0, "seed %d: it is not in, and something went", seed)
	}
	assert.Greater(t, entered, rounds(100))
	assert.Positive(t, displaced)
}

// tokensIn are the mems of a pack, each with the tokens that it takes.
func tokensIn(p Pack) map[string]int {
	in := map[string]int{}
	for _, e := range p.Entries {
		if e.In && e.Section == insights.String() {
			in[e.ID] = e.Tokens
		}
	}
	return in
}

// One well-cued mem does not push out what is merely good.
func TestOneStrongMemEvictsNobody(t *testing.T) {
	in := userAuth()
	in.Mems = append(in.Mems, memOf("good", 5, 80, resources.Fresh, resources.MemSpec{Content: "The session endpoint answers 401 when the login form is stale."}))
	require.True(t, entryOf(t, Build(in), "insights", "mems/good").In)
	in.Mems = append(in.Mems, memOf("strong", 6, 100, resources.Fresh, resources.MemSpec{
		Title: "Build the login form", Content: "A form at /login that posts to the session endpoint. Errors are shown inline.", OriginTask: "build-login-form",
		AppliesWhen: &resources.AppliesWhen{Cues: []string{"build the login form", "a user can log in and out", "session endpoint"}, Paths: []string{"web/auth/**"}},
	}))
	p := Build(in)
	assert.True(t, entryOf(t, p, "insights", "mems/strong").In)
	assert.True(t, entryOf(t, p, "insights", "mems/good").In, entryOf(t, p, "insights", "mems/good").Why)
}

func TestNearDuplicatesAreToldOnce(t *testing.T) {
	in := userAuth()
	say := func(name, content string) {
		in.Mems = append(in.Mems, memOf(name, 5, 80, resources.Fresh, resources.MemSpec{Content: content, OriginTask: "build-login-form"}))
	}
	say("once", "The login form posts to the session endpoint, as JSON.")
	say("again", "the login form posts to the session endpoint as JSON")
	say("other", "the login form posts to the session endpoint as JSON, 2 times")
	say("never", "the login form never posts to the session endpoint as JSON")
	p := Build(in)
	assert.Equal(t, 1, strings.Count(string(p.Bytes), "mems/once)")+strings.Count(string(p.Bytes), "mems/again)"))
	for _, name := range []string{"mems/other", "mems/never"} {
		assert.True(t, entryOf(t, p, "insights", name).In, name)
	}
}

// Mems of one topic contradict each other until one replaces the other: both are told, side by side and
// marked, even where one of them alone has little to do with the task.
func TestWhatContradictsStandsTogether(t *testing.T) {
	in := userAuth()
	in.Mems = append(in.Mems,
		memOf("a-says", 5, 80, resources.Fresh, resources.MemSpec{Content: "The session endpoint of the login form answers 401.", TopicKey: "auth/answer"}),
		memOf("between", 5, 80, resources.Fresh, resources.MemSpec{Content: "The login form has a session endpoint of its own."}),
		memOf("b-says", 8, 80, resources.Fresh, resources.MemSpec{Content: "It is 403.", TopicKey: "Auth/Answer"}))
	text := string(Build(in).Bytes)
	assert.Contains(t, text, "- [2026-03-05] The session endpoint of the login form answers 401. (contradicts mems/b-says; mems/a-says)\n- [2026-03-08] It is 403. (contradicts mems/a-says; mems/b-says)\n")
}
