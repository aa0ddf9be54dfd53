package packer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// randomInput returns a repository of random size, with texts of random length
// and a random budget.
func randomInput(r *rand.Rand) Input {
	in := userAuth()
	words := func(most int) string { return strings.Repeat("login session token ", r.IntN(most)) }
	for i := range r.IntN(60) {
		spec := resources.MemSpec{Content: "note " + words(30)}
		if r.IntN(3) == 0 {
			spec.Type = resources.FalsePath
		}
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("extra-%d", i), 1+i%20, r.IntN(101), resources.Fresh, spec))
	}
	for i := range r.IntN(10) {
		priority := []string{"critical", "high", "normal"}[r.IntN(3)]
		in.Anchors = append(in.Anchors, anchorOf(fmt.Sprintf("extra-%d", i), 1+i, resources.Fresh, resources.AnchorSpec{Priority: priority, Content: "fact " + words(20)}))
	}
	in.Tasks[2].Object.Spec.ExpectedOutput += words(120)
	in.Tasks[2].Object.Spec.Description, in.Tasks[2].Object.Spec.Notes = words(90), "# Plan\n"+words(90)+"\n## Tests\n"+words(9)
	config := *in.Config
	config.ContextWindow, config.ContextShare, config.ContextMinCharacters = 1000+r.IntN(40000), 1+r.IntN(30), r.IntN(9000)
	in.Config = &config
	if r.IntN(2) == 0 {
		in.Limit = r.IntN(8000)
	}
	return in
}

func TestNeverAboveTheCeiling(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	overflows := 0
	for range rounds(800) {
		p := Build(randomInput(r))
		text := string(p.Bytes)
		require.Equal(t, tokens.Measure(text).Characters, p.Characters)
		require.Equal(t, tokens.Estimate(text), p.Tokens)
		require.True(t, p.Budget.contains(tokens.Measure(text)), "%d characters, %d tokens, allowed: %s", p.Characters, p.Tokens, p.Budget)
		reservedLost := strings.Contains(text, "<overflow>")
		require.Equal(t, p.Overflow != "", reservedLost)
		if !reservedLost {
			require.Contains(t, text, "Expected output: ")
			require.Contains(t, text, "You act in the role executor.")
			require.Contains(t, text, "anchors/httponly-cookies)")
		} else {
			overflows++
		}
		wellFormed(t, p.Bytes)
	}
	assert.Greater(t, overflows, rounds(30), "the test should meet overflows")
	assert.Less(t, overflows, 750, "the test should meet packs that fit")
}

func TestBudget(t *testing.T) {
	for _, test := range []struct {
		name                      string
		window, share, characters int
		limit                     int
		want                      Budget
	}{
		{"defaults", 200000, 12, 15000, 0, Budget{Tokens: 24000, Characters: 15000}},
		{"a host's limit", 200000, 12, 15000, 10000, Budget{Tokens: 24000, Characters: 15000, Limit: 10000}},
		{"a limit that holds nothing", 200000, 12, 15000, 5, Budget{Tokens: 24000, Characters: 15000, Limit: MinLimit}},
		{"a floor that holds nothing", 1000, 1, 0, 0, Budget{Tokens: 10, Characters: MinLimit}},
		{"a mistyped window", 1 << 62, 100, 15000, 0, Budget{Tokens: maxWindow, Characters: 15000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := resources.ConfigSpec{ContextWindow: test.window, ContextShare: test.share, ContextMinCharacters: test.characters}
			assert.Equal(t, test.want, budgetOf(&config, test.limit))
		})
	}
}

func TestEitherTokensOrCharactersMayHold(t *testing.T) {
	b := Budget{Tokens: 100, Characters: 1000}
	assert.True(t, b.contains(tokens.Size{Characters: 5000, Milli: 100000}), "few tokens")
	assert.True(t, b.contains(tokens.Size{Characters: 1000, Milli: 900000}), "few characters")
	assert.False(t, b.contains(tokens.Size{Characters: 1001, Milli: 100001}))
	b.Limit = 900
	assert.False(t, b.contains(tokens.Size{Characters: 901, Milli: 1}), "the host's limit holds in any case")
}

func TestOverflowIsLoudAndNamesWhatIsMissing(t *testing.T) {
	in := userAuth()
	in.Tasks[2].Object.Spec.ExpectedOutput = strings.Repeat("much ", 2000)
	in.Limit = 5000
	p := Build(in)
	assert.Contains(t, p.Overflow, "CONTEXT OVERFLOW: 1 parts")
	text := string(p.Bytes)
	assert.Contains(t, text, "<overflow>CONTEXT OVERFLOW")
	assert.Contains(t, text, "- 1 found no room: tasks/build-login-form\n", "the entry that did not fit is named at the end")
	assert.Contains(t, text, "Title: Build the login form [active]", "the rest of the task is there")
	assert.NotContains(t, text, "much", "an entry is dropped whole, never cut")
}

// False paths that are not told are counted, and the first of them named: those that do not fit, those
// beyond ten, and stale ones, which come last.
func TestFalsePathsThatAreLeftOutAreCounted(t *testing.T) {
	for _, traps := range []int{11, 300} {
		in := userAuth()
		for i := range traps {
			in.Mems = append(in.Mems, memOf(fmt.Sprintf("trap-%03d", i), 1, 80, resources.Fresh, resources.MemSpec{Type: resources.FalsePath, Title: fmt.Sprint("trap ", i), Content: strings.Repeat("trap ", 60)}))
		}
		in.Mems = append(in.Mems, memOf("stale-trap", 1, 40, resources.StalePhase, resources.MemSpec{Type: resources.FalsePath, Content: "old"}))
		in.Limit = 6000
		p := Build(in)
		require.Empty(t, p.Overflow)
		_, end, _ := strings.Cut(string(p.Bytes), "<left_out>")
		out := 0
		for _, e := range p.Entries {
			if !e.In && e.Section == "anti_patterns" {
				out++
			}
		}
		assert.Greater(t, out, traps-11)
		found := regexp.MustCompile(`- (\d+) found no room: (.*)`).FindStringSubmatch(end)
		require.NotNil(t, found, end)
		count, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		assert.GreaterOrEqual(t, count, out)
		titles := strings.Split(found[2], " | ")
		assert.Len(t, titles, min(out, 3))
		assert.Contains(t, found[2], "mems/stale-trap")
		assert.Contains(t, found[2], "trap ")
	}
}

func TestFalsePathsLeaveRoomForOtherThings(t *testing.T) {
	in := userAuth()
	for i := range 200 {
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("trap-%03d", i), 1, 80, resources.Fresh, resources.MemSpec{Type: resources.FalsePath, Content: fmt.Sprint("AVOID this ", i)}))
	}
	in.Limit = 8000
	p := Build(in)
	text := string(p.Bytes)
	assert.Contains(t, text, "mems/form-library)")
	assert.Contains(t, text, "<chain>")
	assert.Equal(t, 10, strings.Count(text, "- AVOID "))
}
