package source

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func TestFindText(t *testing.T) {
	const doc = "# Guide\n\nintro\n\n## Tokens ##\nopaque\n### Life\n30 days\n```\n## Not this\n```\n\n## Next\nx\n"
	const python = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
	const script = "import { limit } from './limit'\n// limit is 3\nexport function limit(): number {\n\treturn 3\n}\nuse(limit)\n"
	for _, test := range []struct{ name, file, section, data, want string }{
		{"heading", "a.md", "Tokens", doc, "## Tokens ##\nopaque\n### Life\n30 days\n```\n## Not this\n```"},
		{"with its marks, any case", "a.md", "## tokens", doc, "## Tokens ##\nopaque\n### Life\n30 days\n```\n## Not this\n```"},
		{"below", "a.md", "Life", doc, "### Life\n30 days\n```\n## Not this\n```"},
		{"the last", "a.md", "Next", doc, "## Next\nx"},
		{"the first holds all", "a.md", "Guide", doc, doc[:len(doc)-1]},
		{"in a fence", "a.md", "Not this", doc, ""},
		{"none", "a.md", "Nothing", doc, ""},
		{"a line", "a.x", "def f", python, "def f(self):\n        return 1"},
		{"a declaration", "a.x", "limit", script, "export function limit(): number {\n\treturn 3\n}"},
		{"other line ends", "a.md", "Next", "## Next\r\nx\r\n", "## Next\nx"},
		{"blank", "a.md", "  ", doc, ""},
		{"empty file", "a.md", "x", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			part := Find(test.file, test.section, []byte(test.data))
			if assert.Equal(t, test.want != "", part.Exists) && part.Exists {
				assert.Equal(t, sumOf([]string{test.want}), part.SHA256)
			}
		})
	}
}

// What declares a name in a language that no scanner reads, and what only mentions it.
func TestFindLine(t *testing.T) {
	for _, line := range []string{
		"export const limit = 3", "def limit(self):", "  limit: 3,", `"limit": 3`, "limit = 3", "public static int limit(int x) {", "pub fn limit() -> u8 {",
		"export default async function limit() {", "CREATE TABLE limit (", "limit() {", "type limit = string", "  async limit(x) {", "fun <T> limit(x: T) {", "function* limit() {",
	} {
		part := Find("a.x", "limit", []byte("x\nlimit\ny\n"+line+"\n"))
		assert.True(t, part.Exists && !part.Mentioned, line)
		assert.Equal(t, sumOf([]string{line}), part.SHA256, line)
		assert.True(t, part.Is(sumOf([]string{"limit"})), "recorded by an older release")
	}
	for _, line := range []string{
		"import { limit } from './limit'", "import limit from 'x'", "// limit: 3", "# limit = 3", "from x import limit", "use(limit, function() {", `const { limit } = x`,
		"return limit(3) {", "if (limit(x)) {", "} else if (limit(x)) {", "a.limit(b) {", "limit == 3", "* limit: how many", "export { limit }", "sublimit = 3", "x = limit(3) {",
	} {
		part := Find("a.x", "limit", []byte("x\n"+line+"\n"))
		assert.True(t, part.Mentioned, line)
	}
}

const limits = `// Package x has a Limit.
package x

import limit "example.com/Limit"

// Limit is how many.
func Limit() int {
	return 3 // Limit
}

const (
	A = iota
	B
	C, D = iota, "d"
)

var burst, rate = 1, 2

type Server[T any] struct {
	Limit int
}

func (s *Server[T]) Limit() int { return s.limit() }
func (s *Server[T]) limit() int { return limit.Of(A, B) }
`

// The lines of a part are those that its sum is over, or, of a declaration, those that it stands in.
func TestLines(t *testing.T) {
	text := []byte("# A\n\none\n\n## B\n\ntwo\n\n# C\nthree\n")
	for _, name := range []string{"A", "B", "C", "## B"} {
		assert.Equal(t, Find("a.md", name, text).SHA256, sumOf(Lines("a.md", name, text)), name)
	}
	assert.Equal(t, []string{"## B", "", "two", ""}, Lines("a.md", "B", text))
	assert.Nil(t, Lines("a.md", "D", text))
	settings := []byte("limit:\n  of: 3\nother: 4\n")
	assert.Equal(t, []string{"limit:", "  of: 3"}, Lines("a.yaml", "limit", settings))
	assert.Equal(t, Find("a.yaml", "limit", settings).SHA256, sumOf(Lines("a.yaml", "limit", settings)))
	assert.Equal(t, []string{"func Limit() int {", "\treturn 3 // Limit", "}"}, Lines("x.go", "Limit", []byte(limits)))
	assert.Len(t, Lines("x.go", "", []byte("a\nb")), 2)
	assert.Nil(t, Lines("x.go", "nothing", []byte(limits)))
}

func TestFindDeclaration(t *testing.T) {
	first := func(name string) resources.Part { return Find("x.go", name, []byte(limits)) }
	for _, name := range []string{"Limit", "Limit()", "A", "B", "C", "D", "burst", "rate", "Server", "Server.Limit", "(*Server).Limit", "limit", " limit "} {
		part := first(name)
		assert.True(t, part.Exists && part.Declaration && !part.Mentioned, name)
		assert.NotEmpty(t, part.SHA256, name)
	}
	assert.Equal(t, []string{"Limit"}, first("Limit").Names)
	several := []byte(limits + "\ntype other int\n\nfunc (other) limit() {}\n")
	assert.Equal(t, []string{"Server.limit", "other.limit"}, Find("x.go", "limit", several).Names, "of several all count")
	assert.NotEqual(t, first("limit").SHA256, Find("x.go", "limit", several).SHA256)
	for _, name := range []string{"x", "Of", "T", "s", "Server.A", "func Limit()", "// Limit is how many.", "return 3 // Limit"} {
		part := first(name)
		assert.True(t, !part.Exists || part.Mentioned, name)
	}
	assert.Equal(t, []string{"Limit", "A", "B", "C", "D", "burst", "rate", "Server", "Server.Limit", "Server.limit"}, Names("x.go", []byte(limits)))

	for _, test := range []struct {
		name, old, new string
		changed        string
	}{
		{"a body", "return 3", "return 99", "Limit"},
		{"a comment in it", "3 // Limit", "3 // Limit, of course", ""},
		{"its doc", "is how many", "is 4", ""},
		{"its form", "func Limit() int {\n\treturn 3 // Limit\n}", "func Limit(\n) int { return 3 }", ""},
		{"its result", "func Limit() int {", "func Limit() uint {", "Limit"},
		{"a constant before", "A = iota\n", "A = iota\n\tZ\n", "B C"},
		{"a neighbour", `"d"`, `"e"`, "D"},
		{"a group", "var burst, rate = 1, 2", "var (\n\tburst = 1 // one\n\trate = 2\n)", ""},
		{"a value", "rate = 1, 2", "rate = 1, 3", "rate"},
		{"a field", "\tLimit int\n", "\tLimit uint\n", "Server"},
		{"a method", "s.limit()", "limit()", "Server.Limit"},
		{"an import", `limit "example.com/Limit"`, `limit "example.com/v2/Limit"`, ""},
		{"line ends", "\n", "\r\n", ""},
	} {
		require.Contains(t, limits, test.old)
		after := []byte(strings.ReplaceAll(limits, test.old, test.new))
		var changed []string
		for _, name := range append(Names("x.go", []byte(limits)), "limit")[:11] {
			if part := Find("x.go", name, after); part.SHA256 != first(name).SHA256 {
				changed = append(changed, name)
			}
		}
		assert.Equal(t, test.changed, strings.Join(changed, " "), test.name)
	}
}

// As long as a file does not parse, what is broken or missing is not called changed or gone.
func TestFindInAFileThatDoesNotParse(t *testing.T) {
	broken := []byte(strings.Replace(limits, "return 3 // Limit", "return 3 + // Limit", 1))
	assert.Equal(t, resources.Part{Exists: true, Declaration: true}, shape(Find("x.go", "Limit", broken)))
	broken = []byte(strings.Replace(limits, "Of(A, B)", "Of(A B)", 1))
	assert.Equal(t, resources.Part{Exists: true, Declaration: true}, shape(Find("x.go", "limit", broken)))
	assert.Equal(t, Find("x.go", "Server.Limit", []byte(limits)).SHA256, Find("x.go", "Server.Limit", broken).SHA256, "its neighbours are read")
	torn := []byte(limits[:strings.Index(limits, "var burst")-5])
	assert.Equal(t, resources.Part{Exists: true, Declaration: true}, shape(Find("x.go", "Server", torn)))
	assert.Equal(t, resources.Part{Exists: true}, Find("x.go", "Limit", make([]byte, maxScanned+1)), "too large")
}

// shape leaves out what does not say how a declaration stands.
func shape(p resources.Part) resources.Part {
	p.Formers, p.Names = nil, nil
	return p
}

// Whoever looks for the file that a part moved to finds all that may have it by one word.
func TestWord(t *testing.T) {
	for name, word := range map[string]string{"Limit()": "Limit", "(*Server).Limit": "Limit", "func Limit() int": "func Limit() int"} {
		assert.Equal(t, word, Word("a.go", name))
	}
	assert.Equal(t, "It's v1.2 (new)", Word("a.md", "## It's v1.2 (new)"))
	assert.Equal(t, "a.b", Word("a.x", "a.b"))
	assert.Equal(t, "login", Word("a.ts", "Auth.login"))
}

// What older releases recorded counts as unchanged as long as it would have then.
func TestFormerSums(t *testing.T) {
	before := sumOf([]string{"// Package x has a Limit."})
	assert.True(t, Find("x.go", "Limit", []byte(limits)).Is(before))
	assert.False(t, Find("x.go", "Limit", []byte(strings.Replace(limits, "a Limit", "no Limit", 1))).Is(before))
}

// Nothing that a file may hold takes more than linear time, or the stack: what grows with the
// square of its size would take hours here.
func TestHostileFiles(t *testing.T) {
	size := maxScanned / 4
	if testing.Short() {
		size /= 8
	}
	for name, unit := range map[string]string{
		"brackets": "(", "braces": "{", "signs": "!", "stars": "*", "types": "[]", "ifs": "if x{}else ", "strings": "\"", "comments": "/*", "calls": "f(", "commas": ",", "names": "a\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, prefix := range []string{"package x\nvar a = ", "package x\nfunc a() {", "package x\nconst (\na = iota + 1\n", ""} {
				data := []byte(prefix + strings.Repeat(unit, size/len(unit)))
				began := time.Now()
				Find("x.go", "a", data)
				assert.Less(t, time.Since(began), time.Minute)
			}
		})
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a.md", "x", "# x\n```\n#")
	f.Add("a.py", "f", "f\n\t\n}\n")
	f.Add("a.go", "Limit", limits)
	f.Add("a.ts", "\xff", "\xff")
	f.Add("a.go", "A", "package x\nconst(A\nB=iota;C\n//line x:1\n)")
	f.Fuzz(func(t *testing.T, file, name, data string) {
		part := Find(file, name, []byte(data))
		if !part.Exists && part.SHA256 != "" {
			t.Fatal("the sum of nothing")
		}
		if Lines(file, name, []byte(data)) == nil && part.Exists && part.SHA256 != "" {
			t.Fatal("what has a sum has no lines")
		}
		for _, name := range Names("a.go", []byte(data)) {
			if part := Find("a.go", name, []byte(data)); !part.Exists {
				t.Fatalf("%q is listed and not found", name)
			}
		}
	})
}

// An import tells which names are used of it.
func TestGoImports(t *testing.T) {
	facts := Scan("a.go", []byte(`package a

import (
	"fmt"
	_ "embed"
	. "strings"
	mem "example.com/x/memory"
	"example.com/y/v2"
	"gopkg.in/yaml.v3"
)

var _ = fmt.Sprint(mem.Of(y.New(), yaml.Node{}), x.fmt.Not, fmt.lower)
`))
	want := map[string][]string{"fmt": {"Sprint"}, "embed": {}, "strings": {"*"}, "example.com/x/memory": {"Of"}, "example.com/y/v2": {"New"}, "gopkg.in/yaml.v3": {"Node"}}
	require.Len(t, facts.Imports, len(want))
	for _, i := range facts.Imports {
		assert.ElementsMatch(t, want[i.From], i.Names, i.From)
	}
}

// What stands inside a function is no symbol. What an older release recorded of it, by its line, holds
// as long as it stands there as it did.
func TestFormerSumsInsideAFunction(t *testing.T) {
	const text = "export function outer() {\n  const inner = () => {\n    return 1\n  }\n  return inner\n}\n"
	recorded := sumOf([]string{"const inner = () => {\n    return 1\n  }"})
	assert.True(t, Find("a.ts", "inner", []byte(text)).Is(recorded))
	assert.False(t, Find("a.ts", "inner", []byte(strings.Replace(text, "return 1", "return 2", 1))).Is(recorded))
	assert.NotContains(t, Names("a.ts", []byte(text)), "inner")
}
