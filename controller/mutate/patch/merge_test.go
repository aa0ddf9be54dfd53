package patch

import "testing"

// The cases are those of RFC 7386, appendix A, that patch with an object.
func TestMerge(t *testing.T) {
	tests := []struct{ name, document, patch, want string }{
		{"replace", `{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{"add", `{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{"remove", `{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{"array is replaced by a value", `{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{"value is replaced by an array", `{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{"nested", `{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{"arrays are not merged", `{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{"null in the document stays", `{"e":null}`, `{"a":1}`, `{"a":1,"e":null}`},
		{"null inside a new object is left out", `{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{"large numbers keep their digits", `{"a":12345678901234567890}`, `{"b":1.10}`, `{"a":12345678901234567890,"b":1.10}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Merge([]byte(test.document), []byte(test.patch))
			if err != nil || string(got) != test.want {
				t.Errorf("Merge(%s, %s) = %s, %v; want %s", test.document, test.patch, got, err, test.want)
			}
		})
	}
}

func TestMergeRefuses(t *testing.T) {
	for _, patch := range []string{``, `[]`, `"a"`, `{"a":`, `{} {}`, `null`} {
		if got, err := Merge([]byte(`{}`), []byte(patch)); err == nil {
			t.Errorf("Merge({}, %q) = %s; want an error", patch, got)
		}
	}
}
