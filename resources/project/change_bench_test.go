package project

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/idumb-dev/idumb/resources/source"
)

// texts are files by their contents.
type texts map[string]string

func (t texts) Paths() []string { return slices.Sorted(maps.Keys(t)) }

func (t texts) Read(path string) ([]byte, error) { return []byte(t[path]), nil }

// monorepo has 1,000 packages of 98 files each, with a manifest and a tsconfig: a file imports
// five neighbours, two files of other packages, its package's index and two packages from outside.
func monorepo(packages int) (texts, func(path string) source.Facts) {
	files := texts{"package.json": `{"workspaces": ["packages/*"]}`, "tsconfig.base.json": `{"compilerOptions": {"target": "es2022"}}`}
	known := imports{}
	for p := range packages {
		dir := fmt.Sprintf("packages/p%d/", p)
		files[dir+"package.json"] = fmt.Sprintf(`{"name": "@acme/p%d", "version": "1.0.0", "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}, "./*": "./dist/*.js"}}`, p)
		files[dir+"tsconfig.json"] = `{"extends": "../../tsconfig.base.json", "compilerOptions": {"paths": {"~/*": ["./src/*"]}}}`
		files[dir+"src/index.ts"] = ""
		for n := range 97 {
			path := fmt.Sprintf("%ssrc/part%d/f%d.ts", dir, n/20, n)
			files[path] = ""
			all := []string{"react", "node:fs", ".."}
			for step := 1; step <= 5; step++ {
				all = append(all, fmt.Sprintf("~/part%d/f%d", (n+step)%97/20, (n+step)%97))
			}
			known[path] = append(all, fmt.Sprintf("@acme/p%d", (p*7+n)%packages), fmt.Sprintf("@acme/p%d/part1/f%d", (p+n)%packages, 20+n%20))
		}
	}
	return files, known.facts
}

// One file is changed, taken away and added again, and its dependents are asked for: what a write
// of an agent costs. Its p95 is to stay below 5 ms.
func BenchmarkChange(b *testing.B) {
	files, facts := monorepo(1000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	g := Build(files, facts)
	built := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&after)
	began = time.Now()
	g.ImportCycles()
	knots := time.Since(began)
	paths := files.Paths()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		path := paths[i*7919%len(paths)]
		for _, change := range []func(){
			func() { g.Change(path, facts(path)) },
			func() { g.Remove(path); g.Change(path, facts(path)) },
		} {
			best := time.Hour // of five: others are using this machine
			for range 5 {
				began := time.Now()
				change()
				g.Dependents(path)
				best = min(best, time.Since(began))
			}
			took = append(took, best)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(built.Milliseconds()), "build-ms")
	b.ReportMetric(float64(knots.Milliseconds()), "knots-ms")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(files)), "B/file")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
