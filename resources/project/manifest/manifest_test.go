package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// outline is a node with all below it: key=value@line, children in brackets.
func outline(n *manifest.Node) string {
	var b strings.Builder
	type open struct {
		node *manifest.Node
		next int
	}
	for stack := []open{{node: n}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == 0 && len(stack) > 1 {
			fmt.Fprintf(&b, "%s=%s@%d", top.node.Key, top.node.Value, top.node.Line)
			if len(top.node.Children) > 0 {
				b.WriteString("[")
			}
		}
		if top.next < len(top.node.Children) {
			if top.next > 0 {
				b.WriteString(" ")
			}
			top.next++
			stack = append(stack, open{node: top.node.Children[top.next-1]})
			continue
		}
		if len(top.node.Children) > 0 && len(stack) > 1 {
			b.WriteString("]")
		}
		stack = stack[:len(stack)-1]
	}
	return b.String()
}

func TestTOML(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1 # c\nb.c = \"x\\ty\"\nb.d = 'z\\'\n":              `a=1@1 b=@2[c=x	y@2 d=z\@3]`,
		"[a.\"b c\"]\nd = true\n[a.e]\nf = 1\n":                  `a=@1[b c=@1[d=true@2] e=@3[f=1@4]]`,
		"[[p]]\nn = 1\n[[p]]\nn = 2\n[p.q]\nr = 3":               `p=@1[n=1@2] p=@3[n=2@4 q=@5[r=3@6]]`,
		"a = [\n  \"x\", # one\n  {y = 1, z.w = [2]},\n]\nb = 2": `a=@1[=x@2 =@3[y=1@3 z.w=@3[=2@3]]] b=2@5`,
		"a = \"\"\"\none\ntwo\"\"\"\nb = 1\n":                    "a=\none\ntwo@1 b=1@4",
		"oops\n= 1\n[x\ny = 1\n[z]\nw = 1979-05-27":              `z=@5[w=1979-05-27@6]`,
		"\ufeffa = 1\r\nb = 2\r\n":                               `a=1@1 b=2@2`,
	} {
		assert.Equal(t, want, outline(manifest.TOML([]byte(text))), text)
	}
}

func TestYAML(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1 # c\nb:\n  c: 'x: y'\n  \"d e\": z\n":           `a=1@1 b=@2[c=x: y@3 d e=z@4]`,
		"a:\n- x\n- y: 1\n  z: 2\nb: 3":                       `a=@1[=x@2 =@3[y=1@3 z=2@4]] b=3@5`,
		"a:\n  - - x\n    - y\n":                              `a=@1[=- x@2[=y@3]]`,
		"a: |\n  b: 1\n\n  c: 2\nd: >-\n  e\nf: 1":            `a=@1 d=@5 f=1@7`,
		"a: [x, \"y\"]\nb: {c: 1, d: 2}\nc: []":               `a=@1[=x@1 =y@1] b=@2[c=1@2 d=2@2] c=@3`,
		"---\na: &x 1\nb: !tag v\n...\n# n\nhttp://x:80/ y\n": `a=1@2 b=v@3`,
	} {
		assert.Equal(t, want, outline(manifest.YAML([]byte(text))), text)
	}
}

func TestJSON(t *testing.T) {
	n, err := manifest.JSON([]byte("\ufeff{\"a\": {\"b\": [1, \"x\",\n null]},\n \"c\": 1.50}"))
	require.NoError(t, err)
	assert.Equal(t, "a=@1[b=@1[=1@1 =x@1 =@2]] c=1.50@3", outline(n))
	n, err = manifest.JSON([]byte("{\"a\": 1,\n \"b\": {\"c\": 2, oops"))
	assert.ErrorContains(t, err, "line 2")
	assert.Equal(t, "a=1@1 b=@2[c=2@2]", outline(n), "what stands before the mistake")
	_, err = manifest.JSON([]byte(strings.Repeat("[", 300)))
	assert.ErrorContains(t, err, "nested deeper than 256 levels")
}

func TestStreamJSON(t *testing.T) {
	var found []string
	text := "{\"a\": {\"b\": \"x\"},\n\"c\": [{\"d\": 1}, 2]}"
	require.NoError(t, manifest.StreamJSON(strings.NewReader(text), func(keys []string, value string, line int) {
		found = append(found, fmt.Sprintf("%s=%s@%d", strings.Join(keys, "/"), value, line))
	}))
	assert.Equal(t, []string{"a/b=x@1", "c//d=1@2", "c/=2@2"}, found)
}

func TestXML(t *testing.T) {
	n, err := manifest.XML([]byte("<?xml version=\"1.0\"?>\n<a b=\"1\">\n<!-- c -->\n<d> x </d><e/>\n</a>"))
	require.NoError(t, err)
	assert.Equal(t, "b=1@2 d=x@4 e=@4", outline(n))
	assert.Equal(t, "a", n.Key)
	_, err = manifest.XML([]byte("<a><b"))
	assert.Error(t, err)
	_, err = manifest.XML([]byte(strings.Repeat("<a>", 300)))
	assert.ErrorContains(t, err, "nested deeper")
}

func TestGet(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "k%d = %d\n", i, i)
	}
	n := manifest.TOML([]byte(many.String() + "k7 = again\n[t]\nx = 1"))
	assert.Equal(t, "7", n.Text("k7"), "the first of a name")
	assert.Equal(t, "1", n.Text("t", "x"))
	assert.Empty(t, n.Text("t", "y", "z"))
	assert.Nil(t, n.Get("no").Get("such"))
}

// Every reader ends, keeps lines inside the text, and reads the same text the same way.
func fuzz(f *testing.F, read func(data []byte) *manifest.Node, seeds ...string) {
	for _, seed := range append(seeds, "", "\x00\xff", strings.Repeat("[", 400), strings.Repeat("a.", 400), "\"", "'''", "a: |") {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n := read(data)
		require.NotNil(t, n)
		assert.Equal(t, outline(n), outline(read(data)))
		most := strings.Count(string(data), "\n") + 1
		for nodes := []*manifest.Node{n}; len(nodes) > 0; {
			last := nodes[len(nodes)-1]
			require.True(t, last.Line >= 0 && last.Line <= most, "line %d of %d", last.Line, most)
			nodes = append(nodes[:len(nodes)-1], last.Children...)
		}
	})
}

func FuzzTOML(f *testing.F) {
	fuzz(f, manifest.TOML, "[a]\nb = {c = [1, '''x\ny''']}\n[[d.e]]\n", "a = \"\\u00e9\" # c", "a=\"\"\"x")
}

func FuzzYAML(f *testing.F) { fuzz(f, manifest.YAML, "a:\n - b: {c: d}\n", "- - - a: 'b", "a: &b *c") }

func FuzzJSON(f *testing.F) {
	fuzz(f, func(data []byte) *manifest.Node { n, _ := manifest.JSON(data); return n }, `{"a": [1, {"b": null}]}`, `{"a": 1`)
}

func FuzzXML(f *testing.F) {
	fuzz(f, func(data []byte) *manifest.Node { n, _ := manifest.XML(data); return n }, `<a b="c">d<e/></a>`, `<a>&x;</a>`, `</a>`)
}
