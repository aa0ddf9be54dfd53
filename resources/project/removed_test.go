package project

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/source"
)

// scripts are facts of TypeScript made by hand.
type scripts map[string]source.Facts

func (s scripts) facts(path string) source.Facts {
	f := s[path]
	f.Language = "TypeScript"
	return f
}

func taken(from, kind string, names ...string) source.Import {
	return source.Import{From: from, Kind: kind, Names: names, Line: 1}
}

func passed(name, local, from string) source.Export {
	return source.Export{Name: name, Local: local, From: from, Line: 1}
}

func exported(names ...string) (f source.Facts) {
	for _, name := range names {
		f.Exports = append(f.Exports, source.Export{Name: name, Local: name, Line: 1})
	}
	return f
}

func (s scripts) graph() *Graph {
	return Build(listed{"barrel.ts", "lib.ts", "named.ts", "other.ts", "user.ts"}, s.facts)
}

// barrels are four files around lib.ts: one passes on all of it, one a name under another.
func barrels() scripts {
	return scripts{
		"lib.ts":    exported("one", "two", "default"),
		"other.ts":  exported("three"),
		"barrel.ts": {Imports: []source.Import{taken("./lib", source.ReExport, "*")}, Exports: []source.Export{passed("*", "", "./lib")}},
		"named.ts":  {Imports: []source.Import{taken("./lib", source.ReExport, "one")}, Exports: []source.Export{passed("uno", "one", "./lib")}},
		"user.ts": {Imports: []source.Import{
			taken("./lib", source.ValueImport, "one"), taken("./barrel", source.ValueImport, "one", "two"), taken("./named", source.TypeImport, "uno"),
			taken("./lib", source.ValueImport, "*"),
		}},
	}
}

// gone changes lib.ts to other facts.
func gone(s scripts, after source.Facts) []RemovedExport {
	g := s.graph()
	before := s.facts("lib.ts")
	s["lib.ts"] = after
	g.Change("lib.ts", s.facts("lib.ts"))
	return g.RemovedExports("lib.ts", before, s.facts("lib.ts"))
}

// A name that is gone is missed by who takes it from the file, from one that passes on all of
// it, and from one that gives it another name.
func TestGone(t *testing.T) {
	lost := gone(barrels(), exported("two", "default"))
	require.Len(t, lost, 1)
	assert.Equal(t, "one", lost[0].Name)
	var found [][2]string
	for _, e := range lost[0].Edges {
		found = append(found, [2]string{e.From, e.To})
	}
	assert.ElementsMatch(t, [][2]string{{"user.ts", "lib.ts"}, {"named.ts", "lib.ts"}, {"user.ts", "barrel.ts"}, {"user.ts", "named.ts"}}, found)
}

// A default is not passed on by a star; that nobody takes it is told as well.
func TestGoneDefault(t *testing.T) {
	assert.Equal(t, []RemovedExport{{"default", nil}}, gone(barrels(), exported("one", "two")))
}

// Nothing is gone while the file passes the name on from elsewhere, while a barrel has it from
// elsewhere, or where that cannot be known.
func TestNotGone(t *testing.T) {
	s := barrels()
	s["other.ts"] = exported("one")
	all := source.Facts{Exports: append(exported("two", "default").Exports, passed("*", "", "./other"))}
	assert.Empty(t, gone(s, all), "passed on by the file")

	all.Exports[2].From = "somewhere"
	assert.Empty(t, gone(barrels(), all), "perhaps passed on by the file")

	partial := exported("two", "default")
	partial.Partial = "too long"
	assert.Empty(t, gone(barrels(), partial), "partial")

	s = barrels()
	s["barrel.ts"] = source.Facts{Imports: s["barrel.ts"].Imports, Exports: append(exported("one").Exports, passed("*", "", "./lib"))}
	lost := gone(s, exported("two", "default"))
	require.Len(t, lost, 1)
	assert.NotContains(t, ends(lost[0].Edges, to), "barrel.ts")
}

// Barrels that pass on one another end.
func TestExportsOfRings(t *testing.T) {
	s := barrels()
	s["other.ts"] = source.Facts{Exports: []source.Export{passed("*", "", "./barrel"), passed("all", "*", "./lib")}}
	s["barrel.ts"] = source.Facts{Exports: []source.Export{passed("*", "", "./other"), passed("*", "", "./lib")}}
	assert.Equal(t, Names{map[string]bool{"all": true, "one": true, "two": true}, true}, s.graph().Exports("other.ts"))
}

// A declaration of Go that moved within its package is not gone.
func TestGoneOfGo(t *testing.T) {
	f := written(t, goModule)
	g := Build(f, scanned(f))
	before := source.Scan("b/two.go", []byte("package b\n\nconst (\n\tOne = 1\n\tTwo = 2\n)\n"))
	lost := g.RemovedExports("b/two.go", before, source.Scan("b/two.go", []byte("package b\n")))
	require.Len(t, lost, 1)
	assert.Equal(t, "Two", lost[0].Name)
}

// What a file passes on is missed by who takes it from there, whatever kind of import passes it on, and what
// only sounds like the name, a method or an import for itself, does not give it.
func TestGoneByWhatItIs(t *testing.T) {
	for name, of := range map[string]struct{ file, files, by string }{
		"a type that is passed on": {"a.ts", "-- a.ts --\nexport type One = 1\n-- index.ts --\nexport type { One } from './a'\n-- b.ts --\nimport type { One } from './index'\n", "b.ts"},
		"all types are":            {"a.ts", "-- a.ts --\nexport type One = 1\n-- index.ts --\nexport type * from './a'\n-- b.ts --\nimport type { One } from './index'\n", "b.ts"},
		"a method beside it":       {"a/a.go", "-- go.mod --\nmodule x\n-- a/a.go --\npackage a\n\ntype One int\n-- a/b.go --\npackage a\n\nfunc (t T) One() {}\n-- b.go --\npackage b\n\nimport \"x/a\"\n\nvar b a.One\n", "b.go"},
		"a method of any name":     {"p/a.py", "-- p/__init__.py --\n-- p/a.py --\nclass One: pass\nclass Two:\n  def __getattr__(self, n): pass\n-- p/b.py --\nfrom p.a import One\n", "p/b.py"},
		"who takes it privately":   {"src/lib.rs", "-- Cargo.toml --\n[package]\nname = \"x\"\n-- src/lib.rs --\nmod a;\npub use a::*;\npub struct One;\n-- src/a.rs --\nuse super::One;\n", "src/a.rs"},
		"a class of Java":          {"src/p/One.java", "-- src/p/One.java --\npackage p;\npublic class One {}\n-- src/q/B.java --\npackage q;\nimport p.One;\nclass B { One x; }\n", "src/q/B.java"},
		"a member of Java":         {"src/p/A.java", "-- src/p/A.java --\npackage p;\npublic class A { static int One() { return 1; } }\n-- src/q/B.java --\npackage q;\nimport static p.A.One;\nclass B {}\n", "src/q/B.java"},
		"a class within one":       {"src/p/A.java", "-- src/p/A.java --\npackage p;\npublic class A { public static class One {} }\n-- src/q/B.java --\npackage q;\nimport p.A.One;\nclass B {}\n", "src/q/B.java"},
		"a use of Rust":            {"src/a.rs", "-- Cargo.toml --\n[package]\nname = \"x\"\n-- src/lib.rs --\nmod a;\nmod b;\n-- src/a.rs --\npub struct One;\npub struct Two;\n-- src/b.rs --\nuse crate::a::{Two, One as Uno};\n", "src/b.rs"},
		"of one by another name":   {"p/y.py", "-- p/__init__.py --\n-- p/y.py --\ndef One(): pass\n-- q.py --\nimport os, p.y as why\ndef f():\n  return why.One()\n", "q.py"},
		"of one by its name":       {"y.py", "-- y.py --\ndef One(): pass\n-- q.py --\nimport y\ndef f():\n  return y.One()\n", "q.py"},
		"of a module of Python":    {"p/y.py", "-- p/__init__.py --\n-- p/y.py --\ndef One(): pass\n-- q.py --\nfrom p import y as why\ndef f():\n  return why.One()\n", "q.py"},
		"a star over itself":       {"src/a.rs", "-- Cargo.toml --\n[package]\nname = \"x\"\n-- src/lib.rs --\nmod a;\npub use a::{One};\n-- src/a.rs --\nuse super::*;\npub struct One;\n", "src/lib.rs"},
	} {
		t.Run(name, func(t *testing.T) {
			f := written(t, of.files)
			facts := scanned(f)
			after := map[string]source.Facts{}
			g := Build(f, func(path string) source.Facts {
				if changed, known := after[path]; known {
					return changed
				}
				return facts(path)
			})
			data, err := f.Read(of.file)
			require.NoError(t, err)
			after[of.file] = source.Scan(of.file, []byte(strings.ReplaceAll(string(data), "One", "Other")))
			g.Change(of.file, after[of.file])
			lost := g.RemovedExports(of.file, facts(of.file), after[of.file])
			require.Len(t, lost, 1)
			assert.Equal(t, "One", lost[0].Name)
			assert.Contains(t, ends(lost[0].Edges, from), of.by)
		})
	}
}

func TestPackages(t *testing.T) {
	known := imports{"a/x.ts": {"../b/x"}, "b/x.ts": {"../c/x"}, "c/y.ts": {"./x"}, "d/x.ts": {"../a/x"}}
	g := Build(listed{"a/package.json", "a/x.ts", "b/package.json", "b/x.ts", "c/package.json", "c/x.ts", "c/y.ts", "d/x.ts"}, known.facts)
	packages := map[string]bool{}
	for _, file := range []string{"a/x.ts", "b/x.ts", "c/x.ts", "c/y.ts", "d/x.ts"} {
		packages[g.Package(file)] = true
	}
	assert.Equal(t, []string{"", "a", "b", "c"}, slices.Sorted(maps.Keys(packages)))
	assert.Equal(t, "a", g.Package("a/deep/x.ts"))
	assert.Equal(t, "", g.Package("d/x.ts"))
	assert.Equal(t, []string{"b/x.ts", "c/y.ts"}, ends(g.Dependents("c/x.ts"), from))
	assert.Equal(t, []string{"", "a"}, g.DependentPackages("c/x.ts"))
}
