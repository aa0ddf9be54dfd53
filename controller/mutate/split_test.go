package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// read returns what Split makes of text, one line per document: key, line,
// revision and JSON, or the error.
func read(source, text string) []string {
	var got []string
	for d, err := range SplitManifests(source, []byte(text)) {
		if err != nil {
			got = append(got, "error: "+err.Error())
			continue
		}
		got = append(got, fmt.Sprintf("%s+%d@%s %s", d.Key, d.Line, d.Revision, strings.Join(strings.Fields(string(d.JSON)), "")))
	}
	return got
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name, source, text string
		want               []string
	}{
		{"one JSON object", "a.json", `{"kind":"TaskNode","metadata":{"name":"a"}}`,
			[]string{`tasks/a+0@ {"kind":"TaskNode","metadata":{"name":"a"}}`}},
		{"JSON objects in a row", "a.json", "{\"kind\":\"Mem\"}\n\n{\"kind\":\"Anchor\"}",
			[]string{`mems/+0@ {"kind":"Mem"}`, `anchors/+2@ {"kind":"Anchor"}`}},
		{"byte order mark and CRLF", "a.json", "\xef\xbb\xbf{\r\n\"kind\":\"Mem\"}\r\n",
			[]string{`mems/+0@ {"kind":"Mem"}`}},
		{"YAML documents, some empty", "a.yaml", "---\nkind: Mem\n---\n# nothing\n---\nkind: Anchor\n---\n",
			[]string{`mems/+0@ {"kind":"Mem"}`, `anchors/+0@ {"kind":"Anchor"}`}},
		{"a document on the line of its separator", "a.yaml", "kind: Mem\n--- {kind: Anchor}\n",
			[]string{`mems/+0@ {"kind":"Mem"}`, `anchors/+0@ {"kind":"Anchor"}`}},
		{"dashes inside a YAML text", "a.yaml", "kind: Mem\nspec:\n  content: |\n    a\n    ---\n    b\n",
			[]string{`mems/+0@ {"kind":"Mem","spec":{"content":"a\n---\nb\n"}}`}},
		{"List", "a.json", "{\"kind\":\"List\",\"items\":[\n{\"kind\":\"Mem\"},\n{\"kind\":\"Mem\"}]}",
			[]string{`mems/+1@ {"kind":"Mem"}`, `mems/+2@ {"kind":"Mem"}`}},
		{"what get prints", "a.json", `{"kind":"Mem","metadata":{"name":"a","resourceVersion":"r1"},"status":{"observedRevision":"r0"}}`,
			[]string{`mems/a+0@r1 {"kind":"Mem","metadata":{"name":"a"}}`}},
		{"revision of the status", "a.json", `{"kind":"Mem","metadata":{"name":"a"},"status":{"observedRevision":"r0"}}`,
			[]string{`mems/a+0@r0 {"kind":"Mem","metadata":{"name":"a"}}`}},
		{"kind and name from the path", ".idumb/tasks/foo.json", `{"spec":{}}`, []string{`tasks/foo+0@ {"spec":{}}`}},
		{"kind from the path of a single one", ".idumb/config.json", `{"spec":{}}`, []string{`config/config+0@ {"spec":{}}`}},
		{"nothing", "a.yaml", "\n", nil},
		{"no kind", "a.yaml", "spec: {}", []string{`error: a.yaml: kind: Required value: say which kind of object this is, for example "kind": "TaskNode"`}},
		{"unknown kind", "a.yaml", "kind: Tusk", []string{`error: a.yaml: no matches for kind "Tusk"; idumb api-resources lists the kinds`}},
		{"no object", "a.yaml", "- a", []string{`error: a.yaml: an object ({...}) is expected here, found: array`}},
		{"cut off", "a.json", "{\"kind\":", []string{`error: a.json: the JSON ends before the object does`}},
		{"no JSON", "a.json", "{\n\"kind\": nope}", []string{`error: a.json:2: invalid character 'o' in literal null (expecting 'u')`}},
		{"a field twice, beside a status", "a.json", `{"kind":"Mem","kind":"Mem","status":{}}`, []string{`error: a.json: kind: Duplicate value: the field occurs twice`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := read(test.source, test.text); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// A duplicate key in YAML is refused, and the documents after it are read.
func TestSplitYAMLDuplicate(t *testing.T) {
	got := read("a.yaml", "kind: Mem\nkind: Mem\n---\nkind: Anchor\n")
	if len(got) != 2 || !strings.Contains(got[0], `"kind" already set in map`) || !strings.HasPrefix(got[1], "anchors/") {
		t.Errorf("got %q; want an error for the first and the second one", got)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(`{"kind":"List","items":[{"kind":"Mem","status":{}}]}`))
	f.Add([]byte("kind: Mem\n---\nkind: Anchor\n"))
	f.Add([]byte("--- {a: &a [*a]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for d, err := range SplitManifests("a", data) {
			if err == nil && d.Key.Kind == "" {
				t.Errorf("a document without a kind: %q", d.JSON)
			}
		}
	})
}
