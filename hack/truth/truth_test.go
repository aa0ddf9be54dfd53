package main

import (
	"flag"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/resources/admission"
)

func TestMain(m *testing.M) {
	drive.ServeClient()
	flag.Parse()
	code := m.Run()
	if bin, err := built(); err == nil {
		_ = bin.Remove()
	}
	os.Exit(code)
}

// built returns the programs that the worlds run.
var built = sync.OnceValues(func() (drive.Bin, error) { return drive.Build("idumb", "idumb-hook", "idumb-mcp", "idumb-controller") })

var seeds = flag.Int("seeds", 60, "how many fixed worlds to try")

// Every statement in the fixed worlds is true and every way out leads out, but for the kinds that known.txt lists. A listed kind
// that is not seen any more fails as well.
func TestFixedWorlds(t *testing.T) {
	worlds := make([]*world, *seeds)
	for i := range worlds {
		worlds[i] = newWorld(uint64(i + 1))
	}
	seen, stats := playAll(t, worlds)
	for _, kind := range knownKinds() {
		assert.True(t, seen[kind] || rare(kind), "known.txt lists %q, and no world shows it any more: remove the line", kind)
	}
	for _, c := range claims {
		assert.Positive(t, stats["claim: "+c.name], "no program states: %s", c.name)
	}
	for _, what := range []string{"ways that led out", "starts refused", "handovers refused", "starts", "writes", "completions", "offers in <next>", "offers of next", "plans counted", "phases"} {
		assert.Positive(t, stats[what], what)
	}
}

// Each rule denies a call of some trap, and each way out of a trap leads out, in every host.
func TestTraps(t *testing.T) {
	bin, err := built()
	require.NoError(t, err)
	template = t.TempDir()
	repo := &drive.Repo{Dir: template, Bin: bin, Vars: []string{"HOME=" + t.TempDir(), "IDUMB_AUTOSTART=off"}}
	out, ok := repo.Shell(`git init -q -b trunk; idumb init --agent none --roles full`)
	require.True(t, ok, out)
	for _, host := range hosts {
		t.Run(host, func(t *testing.T) {
			var worlds []*world
			for _, s := range snares() {
				if s.Host == host {
					worlds = append(worlds, &world{Snare: s, Default: s.Role})
				}
			}
			_, stats := playAll(t, worlds)
			for _, rule := range admission.RuleNames() {
				if rule != admission.SharedPlans || host != "claude" { // Claude Code asks its user instead
					assert.Positive(t, stats["rule: "+rule], "no trap meets the rule %s", rule)
				}
			}
			assert.Positive(t, stats["ways out of traps"])
		})
	}
}

// playAll plays worlds, fails for each unknown fault, and returns the kinds of faults and the counts.
func playAll(t *testing.T, worlds []*world) (seen map[string]bool, stats map[string]int) {
	bin, err := built()
	require.NoError(t, err)
	seen, stats = map[string]bool{}, map[string]int{}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(workers)
	for _, w := range worlds {
		group.Go(func() error {
			r, err := play(bin, w)
			mu.Lock()
			defer mu.Unlock()
			if !assert.NoError(t, err, "%s", w) {
				return nil
			}
			for _, f := range r.faults {
				if !seen[f.Kind] && slices.Contains(knownKinds(), f.Kind) {
					t.Logf("known fault: %s\n%s\nSAID: %.700s\nTRUE: %s", f.Kind, w, f.Text, f.True)
				}
				seen[f.Kind] = true
			}
			for _, f := range unknown(r.faults) {
				t.Errorf("%s\n%s\nSAID: %s\nTRUE: %s", f.Kind, w, f.Text, f.True)
			}
			for what, n := range r.stats {
				stats[what] += n
			}
			return nil
		})
	}
	_ = group.Wait()
	for _, what := range slices.Sorted(maps.Keys(stats)) {
		t.Logf("%5d %s", stats[what], what)
	}
	return seen, stats
}
