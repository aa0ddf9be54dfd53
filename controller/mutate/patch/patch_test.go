package patch

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The cases are those of RFC 6902, appendix A, and what is refused.
func TestJSON(t *testing.T) {
	for _, tc := range []struct{ name, document, patch, want, fails string }{
		{"add a member", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`, `{"baz":"qux","foo":"bar"}`, ""},
		{"add an element", `{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`, `{"foo":["bar","qux","baz"]}`, ""},
		{"remove a member", `{"baz":"qux","foo":"bar"}`, `[{"op":"remove","path":"/baz"}]`, `{"foo":"bar"}`, ""},
		{"remove an element", `{"foo":["bar","qux","baz"]}`, `[{"op":"remove","path":"/foo/1"}]`, `{"foo":["bar","baz"]}`, ""},
		{"replace", `{"baz":"qux","foo":"bar"}`, `[{"op":"replace","path":"/baz","value":"boo"}]`, `{"baz":"boo","foo":"bar"}`, ""},
		{"move a value", `{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`, `[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`, ""},
		{"move an element", `{"foo":["all","grass","cows","eat"]}`, `[{"op":"move","from":"/foo/1","path":"/foo/3"}]`, `{"foo":["all","cows","eat","grass"]}`, ""},
		{"test", `{"baz":"qux","foo":["a",2,"c"]}`, `[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]`, `{"baz":"qux","foo":["a",2,"c"]}`, ""},
		{"test of another value", `{"baz":"qux"}`, `[{"op":"test","path":"/baz","value":"bar"}]`, ``, "patch 0: test: /baz is another value"},
		{"add a nested member", `{"foo":"bar"}`, `[{"op":"add","path":"/child","value":{"grandchild":{}}}]`, `{"child":{"grandchild":{}},"foo":"bar"}`, ""},
		{"unknown members of the patch", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux","xyz":123}]`, `{"baz":"qux","foo":"bar"}`, ""},
		{"add to what is not there", `{"foo":"bar"}`, `[{"op":"add","path":"/baz/bat","value":"qux"}]`, ``, "there is no /baz/bat"},
		{"escapes", `{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":10}]`, `{"/":9,"~1":10}`, ""},
		{"strings are no numbers", `{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":"10"}]`, ``, "another value"},
		{"add an array", `{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`, `{"foo":["bar",["abc","def"]]}`, ""},
		{"copy is no alias", `{"a":{"b":1}}`, `[{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/d","value":2}]`, `{"a":{"b":1},"c":{"b":1,"d":2}}`, ""},
		{"digits stay", `{"n":12345678901234567890.10}`, `[]`, `{"n":12345678901234567890.10}`, ""},
		{"null is a value", `{"a":1}`, `[{"op":"add","path":"/a","value":null}]`, `{"a":null}`, ""},
		{"no value", `{}`, `[{"op":"add","path":"/a"}]`, ``, "value is missing"},
		{"into itself", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, ``, "into itself"},
		{"an index too far", `{"a":[1]}`, `[{"op":"add","path":"/a/2","value":1}]`, ``, "there is no /a/2"},
		{"no index", `{"a":[1]}`, `[{"op":"remove","path":"/a/01"}]`, ``, "there is no /a/01"},
		{"the whole", `{}`, `[{"op":"replace","path":"","value":{}}]`, ``, "name a path"},
		{"no pointer", `{}`, `[{"op":"remove","path":"a"}]`, ``, "must begin with /"},
		{"no operation", `{}`, `[{"op":"twist","path":"/a"}]`, ``, "patch 0: twist: no operation"},
		{"no list", `{}`, `{"a":1}`, ``, "must be a list of operations"},
		{"all or none", `{"a":1}`, `[{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}]`, ``, "patch 1: remove: there is no /a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := JSON([]byte(tc.document), []byte(tc.patch))
			if tc.fails != "" {
				require.ErrorContains(t, err, tc.fails)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, string(got))
		})
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":[1,{"b":2}]}`, `[{"op":"move","from":"/a/1","path":"/a/0"},{"op":"remove","path":"/a/-"},{"op":"copy","from":"","path":"/x"}]`)
	f.Fuzz(func(t *testing.T, document, patch string) {
		if !json.Valid([]byte(document)) {
			return // objects are
		}
		got, err := JSON([]byte(document), []byte(patch))
		if err == nil && !json.Valid(got) {
			t.Fatalf("%s", got)
		}
	})
}
