package project

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/source"
)

// listed are files that are there by name alone.
type listed []string

func (l listed) Paths() []string { return l }

func (listed) Read(path string) ([]byte, error) { return nil, fmt.Errorf("%s is empty", path) }

// A knot of five files has the ring a, b, c and another one through d and e; without the import
// of b by a, only d and e are in a knot still.
func TestKnots(t *testing.T) {
	known := imports{
		"a.ts": {"./b"}, "b.ts": {"./c"}, "c.ts": {"./a", "./d"}, "d.ts": {"./e"}, "e.ts": {"./d", "./b"},
		"f.ts": {"./a"}, "x.ts": {"./x.test"}, "x.test.ts": {"./x"}, "self.ts": {"./self"},
	}
	g := Build(listed{"a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts", "self.ts", "x.test.ts", "x.ts"}, known.facts)
	knots := g.ImportCycles()
	require.Len(t, knots, 1)
	assert.Equal(t, []string{"a.ts", "b.ts", "c.ts", "d.ts", "e.ts"}, knots[0].Files)
	assert.Equal(t, []string{"d.ts", "e.ts"}, knots[0].Cycle)
	assert.Equal(t, Edge{"b.ts", "c.ts", source.ValueImport, []string{"*"}, 1}, knots[0].Cut)
	assert.Equal(t, 3, knots[0].FreedFiles)
}

// Imports of types alone make no knot, those through an index do.
func TestKnotsCountValues(t *testing.T) {
	facts := map[string][]source.Import{
		"a/index.ts": {{From: "./b", Kind: source.ReExport, Names: []string{"*"}, Line: 1}},
		"a/b.ts":     {{From: ".", Kind: source.ValueImport, Names: []string{"c"}, Line: 1}},
		"t.ts":       {{From: "./u", Kind: source.ValueImport, Line: 1}},
		"u.ts":       {{From: "./t", Kind: source.TypeImport, Line: 1}},
		"v.ts":       {{From: "./w", Kind: source.ValueImport, Line: 1}},
		"w.ts":       {{From: "./v", Kind: source.DynamicImport, Line: 1}},
	}
	g := Build(listed{"a/b.ts", "a/index.ts", "t.ts", "u.ts", "v.ts", "w.ts"}, func(path string) source.Facts { return source.Facts{Imports: facts[path]} })
	knots := g.ImportCycles()
	require.Len(t, knots, 1)
	assert.Equal(t, []string{"a/b.ts", "a/index.ts"}, knots[0].Cycle)
}

// Of every edge that is cut, the tangle is as it was afterwards, and no other edge frees more.
func TestCutIsTheBest(t *testing.T) {
	for seed := range 200 {
		const size = 9
		tangled := make(component, size)
		for i := range tangled { // a ring, with some chords
			tangled[i] = []int{(i + 1) % size}
			if to := (i*7 + seed*(i+3)) % size; seed>>(i%6)&1 == 1 && to != i && to != (i+1)%size {
				tangled[i] = append(tangled[i], to)
			}
		}
		all := func(int) bool { return true }
		best := 0
		for from, next := range tangled {
			for _, to := range next {
				best = max(best, tangled.freeNodes([2]int{from, to}, all))
			}
		}
		_, _, freed := tangled.cut(all)
		assert.Equal(t, best, freed, "%v", tangled)
	}
}

// A knot of everything takes bounded time.
func TestKnotOfAll(t *testing.T) {
	const files = 5000
	known := imports{}
	var paths listed
	for i := range files {
		p := fmt.Sprintf("%04d.ts", i)
		paths = append(paths, p)
		for _, step := range []int{1, 7, 113, 1999} {
			known[p] = append(known[p], fmt.Sprintf("./%04d", (i+step)%files))
		}
	}
	g := Build(paths, known.facts)
	began := time.Now()
	knots := g.ImportCycles()
	require.Len(t, knots, 1)
	assert.Len(t, knots[0].Files, files)
	assert.NotEmpty(t, knots[0].Cycle)
	assert.Less(t, time.Since(began), 20*time.Second)
}

func TestWhy(t *testing.T) {
	known := imports{"a.ts": {"./b", "./c"}, "b.ts": {"./c"}, "c.ts": {"./d", "./a"}}
	g := Build(listed{"a.ts", "b.ts", "c.ts", "d.ts", "e.ts"}, known.facts)
	assert.Equal(t, []string{"c.ts", "d.ts"}, ends(g.ImportChain("a.ts", "d.ts"), to))
	assert.Equal(t, []string{"a.ts", "c.ts"}, ends(g.ImportChain("a.ts", "d.ts"), from))
	for _, way := range [][2]string{{"d.ts", "a.ts"}, {"a.ts", "e.ts"}, {"a.ts", "a.ts"}, {"a.ts", "none.ts"}} {
		assert.Empty(t, g.ImportChain(way[0], way[1]), way)
	}
	f := written(t, goModule)
	assert.Equal(t, []string{"b/two.go"}, ends(Build(f, scanned(f)).ImportChain("a/a.go", "b/two.go"), to))
}
