package lint

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// texts are files by their contents.
type texts map[string]string

func (t texts) Paths() []string { return slices.Sorted(maps.Keys(t)) }

func (t texts) Read(path string) ([]byte, error) {
	text, found := t[path]
	if !found {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func (t texts) facts(path string) source.Facts { return source.Scan(path, []byte(t[path])) }

// tree is a repository that once had gone/, and in which the task "done" is completed.
func tree(files texts) Tree {
	return Tree{
		Files: files, Facts: files.facts, Graph: project.Build(files, files.facts),
		Was: func(p string) bool { return strings.HasPrefix(p, "gone/") }, Completed: func(task string) bool { return task == "done" },
	}
}

func told(all []Finding) (lines []string) {
	for _, f := range all {
		lines = append(lines, fmt.Sprintf("%s %s:%d %s: %s", f.Rule, f.File, f.Line, f.Symbol, f.Is))
	}
	return lines
}

func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		files texts
		want  []string
	}{
		"an import that nobody gives": {
			texts{"a.ts": "export const A = 1\n", "b.ts": "import type { A } from './a'\nimport { B } from './a'\n"},
			[]string{"gone-export b.ts:2 B: nothing there exports B"},
		},
		"a default that nobody gives":           {texts{"a.ts": "export const A = 1\n", "b.ts": "import a from './a'\n"}, []string{"gone-export b.ts:1 default: nothing there exports default"}},
		"what a package passes on":              {texts{"a.ts": "export * from './c'\n", "c.ts": "export const C = 1\n", "b.ts": "import { C } from './a'\n"}, nil},
		"what comes from outside":               {texts{"a.ts": "export * from 'react'\n", "b.ts": "import { C } from './a'\n"}, nil},
		"module.exports":                        {texts{"a.js": "module.exports = make()\n", "b.js": "const { c } = require('./a')\n"}, nil},
		"a generated file gives anything":       {texts{"a.ts": "// Code generated. DO NOT EDIT.\nexport const A = 1\n", "b.ts": "import { B } from './a'\n"}, nil},
		"a type in a comment of JavaScript":     {texts{"a.js": "/** @typedef {number} T */\nexport const A = 1\n", "b.ts": "import type { T } from './a'\n"}, nil},
		"declarations beside a file":            {texts{"a.d.ts": "export const A: number\n", "a.js": "export const A = 1, B = 2\n", "b.js": "import { B } from './a.js'\n"}, nil},
		"Python, what is not there":             {texts{"p/__init__.py": "", "p/a.py": "def f(): pass\n", "b.py": "from p.a import f, g\n"}, []string{"gone-export b.py:1 g: nothing there exports g"}},
		"Python, a module, __getattr__":         {texts{"p/__init__.py": "", "p/a.py": "def __getattr__(n): pass\n", "b.py": "from p import a\nfrom p.a import g\n"}, nil},
		"Python, under another name":            {texts{"p/__init__.py": "", "p/a.py": "from http import cookiejar as jar\n", "b.py": "from p.a import jar\n"}, nil},
		"Go, a variable named like its package": {texts{"go.mod": "module m\n", "a/a.go": "package a\n", "b.go": "package m\n\nimport \"m/a\"\n\nfunc f(a x) { a.B() }\n\nvar _ = a.C\n"}, nil},

		"a link to what is gone":           {texts{"docs/a.md": "# A\n\nSee [it](../gone/b.go).\n"}, []string{"gone-path docs/a.md:3 gone/b.go: there is no gone/b.go"}},
		"where it went":                    {texts{"docs/a.md": "# A\n\nSee [it](../gone/b.go).\n", "kept/b.go": "package b\n"}, []string{"gone-path docs/a.md:3 gone/b.go: there is no gone/b.go; a file of that name is kept/b.go"}},
		"a document that never was":        {texts{"docs/a.md": "# A\n\n[it](./b.md) [route](/b.md) [site](b.html) [bare](c.md)\n"}, []string{"gone-path docs/a.md:3 docs/b.md: there is no docs/b.md"}},
		"a link from the root, in rules":   {texts{".kiro/steering/a.md": "# A\n\n[b](.kiro/steering/b.md)\n", ".kiro/steering/b.md": "# B\n"}, nil},
		"a path in rules":                  {texts{"AGENTS.md": "# Rules\n\nRun `gone/b.go:12`, not `never/b.go`.\n"}, []string{"gone-path AGENTS.md:3 gone/b.go: there is no gone/b.go"}},
		"a guide, of another's project":    {texts{"docs/guide.md": "# Guide\n\n`gone/b.go`\n"}, nil},
		"a guide, of ours":                 {texts{"docs/guide.md": "# Guide\n\n`gone/b.go`\n", "gone/c.go": "package c\n"}, []string{"gone-path docs/guide.md:3 gone/b.go: there is no gone/b.go"}},
		"a line that says so":              {texts{"AGENTS.md": "# Rules\n\n`gone/b.go` was removed.\n\n```\n`gone/b.go`\n```\n"}, nil},
		"a path in a report":               {texts{"report.md": "# A report\n\n`gone/b.go`\n"}, nil},
		"a document that is over, archive": {texts{"CHANGELOG.md": "# Changes\n\n[b](gone/b.go)\n", "archive/a.md": "# A\n\n[b](../gone/b.go)\n", "plan.md": "# Plan\n\nStatus: completed\n\n[b](gone/b.go)\n"}, nil},

		"a note for a task that is done": {texts{"a.go": "package a\n\n// TODO(task/done) write it\n// TODO(task/open) write it\n// NOTE(task/done) why\n"}, []string{"done-todo a.go:3 : task/done is completed"}},
		"Go, a doc that is an order":     {texts{"a.go": "package a\n\n// Generate docs of it.\nfunc GenDocs() {}\n\nfunc Generate() {}\n"}, nil},
		"Go, it panics":                  {texts{"a.go": "package a\n\n// Open opens it. It never panics.\nfunc Open(n int) {\n\tif n == 0 {\n\t\tpanic(n)\n\t}\n}\n"}, []string{"false-doc a.go:3 Open: the body has: panic(n)"}},
		"Go, it recovers":                {texts{"a.go": "package a\n\n// Open never panics.\nfunc Open(n int) {\n\tdefer func() { recover() }()\n\tpanic(n)\n}\n"}, nil},
		"Go, on a condition":             {texts{"a.go": "package a\n\n// Open never panics if n is positive.\nfunc Open(n int) {\n\tpanic(n)\n}\n"}, nil},
		"Go, always one value":           {texts{"a.go": "package a\n\n// Is always returns true.\nfunc Is(n int) bool {\n\tif n == 0 {\n\t\treturn false\n\t}\n\treturn true\n}\n"}, []string{"false-doc a.go:3 Is: the body has: return false"}},
		"Go, that value":                 {texts{"a.go": "package a\n\n// Is always returns nil.\nfunc Is(n int) error {\n\treturn nil\n}\n"}, nil},
		"TypeScript, it throws":          {texts{"a.ts": "/**\n * Reads it.\n * Never throws.\n */\nexport function read(n: number) {\n  if (n < 0) {\n    throw new Error('n')\n  }\n}\n"}, []string{"false-doc a.ts:3 read: the body has: throw new Error('n')"}},
		"TypeScript, it catches":         {texts{"a.ts": "/** Never throws. */\nexport function read(n: number) {\n  try {\n    throw new Error('n')\n  } catch {}\n}\n"}, nil},
		"Python, it raises":              {texts{"a.py": "# It never raises.\ndef read(n):\n    raise ValueError(n)\n"}, []string{"false-doc a.py:1 read: the body has: raise ValueError(n)"}},
		"a knot": {
			texts{"a.ts": "import { B } from './b'\nexport const A = B\n", "b.ts": "import { A } from './a'\nexport const B = A\n"},
			[]string{"knot a.ts:1 : 2 files import one another; without the import of b.ts 2 of them do not"},
		},
		"fixtures": {texts{"testdata/b.ts": "import { B } from './a'\n", "testdata/a.ts": "export const A = 1\n", "examples/a.md": "[b](../gone/b.go)\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, told(Find(tree(test.files)))) })
	}
}

// What a file says is quoted on one line, and cannot speak to a terminal.
func TestWordsAreQuoted(t *testing.T) {
	found := Find(tree(texts{"a.md": "[it](gone/b.go) \x1b[31m\u202e" + strings.Repeat("x", 300) + "\n"}))
	assert.Len(t, found, 1)
	assert.Len(t, []rune(found[0].Words), longestQuote)
	assert.NotContains(t, found[0].Words, "\x1b")
	assert.NotContains(t, found[0].Words, "\u202e")
}

func TestNew(t *testing.T) {
	before := Find(tree(texts{"a.md": "[it](gone/b.go)\n"}))
	after := Find(tree(texts{"a.md": "# A\n\n[it](gone/b.go)\n\nand [more](gone/c.go)\n"}))
	assert.Equal(t, []string{"gone-path a.md:5 gone/c.go: there is no gone/c.go"}, told(New(before, after)), "one moved by two lines")
	assert.Empty(t, New(after, before))
}

func TestCovers(t *testing.T) {
	one := tree(texts{"a.md": "[it](gone/b.go)\n", "b.md": "[it](gone/b.go)\n"})
	one.Covers = func(path string) bool { return path == "b.md" }
	assert.Equal(t, []string{"gone-path b.md:1 gone/b.go: there is no gone/b.go"}, told(Find(one)))
}

func FuzzFind(f *testing.F) {
	f.Add("// Open opens it.\nfunc Close() {}", "[a](./b.md) `gone/x.go`")
	f.Add("/** what a.b() is */ function f(", "[a](")
	f.Fuzz(func(t *testing.T, code, text string) {
		all := Find(tree(texts{"a.ts": code, "a.go": code, "a.py": code, "a.php": code, "AGENTS.md": text}))
		for _, one := range all {
			assert.NotContains(t, one.Words+one.Is+one.Symbol, "\n")
			assert.Positive(t, one.Line)
		}
		assert.Empty(t, New(all, all))
	})
}

// A decision binds where it says so, by the name of a package or of a technology, in the versions that it
// means.
func TestDecisions(t *testing.T) {
	made := tree(texts{
		"package.json":          `{"workspaces": ["web", "api"]}`,
		"web/package.json":      "{\n \"dependencies\": {\"moment\": \"^2\",\n \"next\": \"15.1.0\"}}",
		"api/package.json":      `{"dependencies": {"moment": "^2"}}`,
		"fixtures/package.json": `{"dependencies": {"moment": "^2"}}`,
	})
	decided := &resources.Decision{}
	decided.Metadata.Name, decided.Spec.Avoids, decided.Spec.Paths = "dates", []string{"moment", "next@<15"}, []string{"web/**"}
	assert.Empty(t, Find(made), "nothing is decided")
	made.Decisions = []*resources.Decision{decided}
	assert.Equal(t, []string{"decision web/package.json:2 moment: decision dates avoids moment"}, told(Find(made)))
	decided.Spec.Avoids = []string{"next@<16"}
	assert.Equal(t, []string{"decision web/package.json:3 next: decision dates avoids next@<16"}, told(Find(made)))
}
