package resources_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

var foo = resources.Key{Kind: resources.Tasks, Name: "foo"}

const goodTask = `{"spec": {"workPlan": "auth", "expectedOutput": "a form"}}`

// badInput is a text that Decode refuses, with what it says; "" where it does not.
type badInput struct{ name, in, want string }

func badInputs() []badInput {
	return []badInput{
		{"empty", "", "the file is empty; write the object into it, or remove the file"},
		{"blank", " \n\t", "the file is empty; write the object into it, or remove the file"},
		{"truncated in an object", `{"spec": {"workPlan": "auth",`, `:1:30: spec: the file ends before the JSON does: a name in double quotes was expected; the file may still be being written; else complete it`},
		{"truncated in a string", `{"spec": {"workPlan": "au`, `:1:26: spec.workPlan: the file ends before the JSON does: the closing '"' of a string was expected; the file may still be being written; else complete it`},
		{"truncated in a literal", `{"spec": {"planAhead": tr`, `:1:26: spec.planAhead: the file ends before the JSON does: a value was expected; the file may still be being written; else complete it`},
		{"NUL", "{\"spec\":\n\x00}", ":2:1: the file has a NUL byte; remove it; the file may have been damaged"},
		{"BOM", "\xef\xbb\xbf{}", ":1:1: the file begins with a byte order mark; save it as UTF-8 without BOM"},
		{"invalid UTF-8", "{\"spec\": \"\xff\"}", ":1:11: byte 0xff is not valid UTF-8; save the file as UTF-8"},
		{"conflict", "{\n<<<<<<< HEAD\n}", ":2:1: the file has git conflict markers; resolve the conflict, then remove the lines that begin with <<<<<<<, ======= and >>>>>>>"},
		{"duplicate", `{"spec": {"workPlan": "a", "workPlan": "b"}}`, ":1:28: spec.workPlan: duplicate name; keep one of the two"},
		{"duplicate by escape", `{"spec": {"workPlan": "a", "\u0077orkPlan": "b"}}`, ":1:28: spec.workPlan: duplicate name; keep one of the two"},
		{"duplicate label", `{"metadata": {"labels": {"a": "1", "a": "2"}}}`, ":1:36: metadata.labels.a: duplicate name; keep one of the two"},
		{"wrong case", `{"spec": {"WorkPlan": "a"}}`, `:1:11: spec.WorkPlan: unknown field: names are case-sensitive; write "workPlan"`},
		{"misspelt", `{"spec": {"workPlna": "a"}}`, `:1:11: spec.workPlna: unknown field; did you mean "workPlan"?`},
		{"unknown", `{"spec": {"colour": "a"}}`, ":1:11: spec.colour: unknown field; remove it; idumb explain lists the fields"},
		{"number for a string", `{"spec": {"workPlan": 7}}`, ":1:23: spec.workPlan: a string is expected, found a number; see idumb explain"},
		{"string for a list", `{"spec": {"dependsOn": "a"}}`, `:1:24: spec.dependsOn: a list is expected, found a string; put the value into square brackets: ["..."]`},
		{"null metadata", `{"metadata": null, "spec": {}}`, ":1:14: metadata: an object is expected, found null; write {}, or leave it out"},
		{"null spec", `{"spec": null}`, ":1:10: spec: an object is expected, found null; write {}, or leave it out"},
		{"null document", `null`, ":1:1: the file must hold one JSON object, found null; begin it with \"{\""},
		{"null in a list", `{"spec": {"dependsOn": [null]}}`, ":1:25: spec.dependsOn[0]: a string is expected, found null; see idumb explain"},
		{"list for an object", `{"spec": {"temporalGate": []}}`, ":1:27: spec.temporalGate: an object is expected, found a list; see idumb explain"},
		{"bad time", `{"metadata": {"creationTimestamp": "yesterday"}}`, `:1:36: metadata.creationTimestamp: "yesterday" is no time; write it as RFC 3339 has it: "2026-11-21T07:50:00Z"`},
		{"trailing data", goodTask + "\n{}", ":2:1: there is something after the end of the object; remove it; a file holds one object"},
		{"a list at the top", `[1]`, `:1:1: the file must hold one JSON object, found a list; begin it with "{"`},
		{"control character", "{\"spec\": {\"title\": \"a\tb\"}}", `:1:22: spec.title: control character 0x09 in a string; write it as an escape, such as \n for a line break`},
		{"bad escape", `{"spec": {"title": "\q"}}`, `:1:20: spec.title: invalid escape in a string; use \" \\ \/ \b \f \n \r \t or \u and four hex digits`},
		{"missing comma", `{"spec": {"title": "a" "state": "b"}}`, `:1:24: spec: "," or "}" was expected, found '"'; correct the JSON; a JSON-aware editor shows the place`},
		{"version", `{"apiVersion": "v9", "spec": {}}`, `:1:16: apiVersion: unknown version "v9"; write "idumb.dev/v1alpha1", or leave it out`},
		{"unknown kind", `{"kind": "Pod", "spec": {}}`, `:1:10: kind: the kind is "Pod", but the file is one of tasks; write "TaskNode", or leave it out`},
		{"other kind", `{"kind": "Mem", "spec": {}}`, `:1:10: kind: the kind is "Mem", but the file is one of tasks; move the file to .idumb/mems, or write "TaskNode"`},
		{"other name", `{"metadata": {"name": "bar"}}`, `:1:23: metadata.name: the name is "bar", but the file is called foo.json; rename the file or correct the name`},
		{"bad unicode escape", `{"spec": {"title": "\ud800"}}`, ""},
	}
}

func TestDecodeNamesWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range badInputs() {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := resources.Decode(foo, []byte(c.in))
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
		})
	}
}

func TestDecodeRefusesWhatIsTooMuchBeforeReadingIt(t *testing.T) {
	_, _, err := resources.Decode(foo, []byte(strings.Repeat("[", 1_000_000)))
	assert.ErrorContains(t, err, "nested deeper than 32")
	_, _, err = resources.Decode(foo, make([]byte, 100<<20))
	assert.ErrorContains(t, err, "at most 1 MiB")
	_, _, err = resources.Decode(resources.Key{Kind: resources.Tasks, Name: "Foo"}, []byte(goodTask))
	assert.ErrorContains(t, err, "lower case")
}

func TestDecodeTakesWhatPeopleWrite(t *testing.T) {
	for name, in := range map[string]string{
		"short": goodTask,
		"CRLF":  "{\r\n\"spec\": {\r\n\"workPlan\": \"auth\", \"expectedOutput\": \"a form\"}}\r\n",
		"whole": `{"$schema": "../schemas/task.json", "apiVersion": "idumb.dev/v1alpha1", "kind": "TaskNode", "metadata": {"name": "foo", "labels": {"a": "b"}}, "spec": {"workPlan": "auth", "expectedOutput": "a form"}}`,
		"null":  `{"metadata": {"labels": null}, "spec": {"workPlan": "auth", "expectedOutput": "a form", "dependsOn": null, "temporalGate": null}}`,
	} {
		t.Run(name, func(t *testing.T) {
			o, warnings, err := resources.Decode(foo, []byte(in))
			require.NoError(t, err)
			assert.Empty(t, warnings)
			task := o.(*resources.Task)
			assert.Equal(t, foo, task.Key())
			assert.Equal(t, "auth", task.Spec.WorkPlan)
			assert.Equal(t, "a form", task.Spec.ExpectedOutput)
		})
	}
}

func TestAStatusInAFileIsIgnoredWithAWarning(t *testing.T) {
	o, warnings, err := resources.Decode(foo, []byte(`{"spec": {"workPlan": "a", "expectedOutput": "x"}, "status": {"phase": 7, "what": [{}]}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"status is ignored; the controller owns it"}, warnings)
	assert.Empty(t, o.(*resources.Task).Status.Phase)
}

func TestEncodeIsCanonicalAndDecodesToTheSame(t *testing.T) {
	in := `{"spec": {"workPlan": "a", "expectedOutput": "<b> & c", "dependsOn": ["x"], "temporalGate": {"after": "y"}}, "metadata": {"labels": {"z": "1", "a": "2"}}}`
	o, _, err := resources.Decode(foo, []byte(in))
	require.NoError(t, err)
	data, err := resources.Encode(o)
	require.NoError(t, err)
	assert.Equal(t, `{
  "apiVersion": "idumb.dev/v1alpha1",
  "kind": "TaskNode",
  "metadata": {
    "name": "foo",
    "labels": {
      "a": "2",
      "z": "1"
    }
  },
  "spec": {
    "workPlan": "a",
    "expectedOutput": "<b> & c",
    "dependsOn": [
      "x"
    ],
    "temporalGate": {
      "after": "y"
    }
  }
}
`, string(data))
	again, _, err := resources.Decode(foo, data)
	require.NoError(t, err)
	assert.Equal(t, o, again)
}

func TestCloneSharesNothing(t *testing.T) {
	o, _, err := resources.Decode(foo, []byte(`{"metadata": {"labels": {"a": "b"}}, "spec": {"workPlan": "a", "expectedOutput": "x", "dependsOn": ["x"], "temporalGate": {"after": "y"}}}`))
	require.NoError(t, err)
	c := resources.Clone(o).(*resources.Task)
	assert.Equal(t, o, resources.Object(c))
	c.Metadata.Labels["a"], c.Spec.DependsOn[0], c.Spec.TemporalGate.After = "changed", "changed", "changed"
	original := o.(*resources.Task)
	assert.Equal(t, "b", original.Metadata.Labels["a"])
	assert.Equal(t, "x", original.Spec.DependsOn[0])
	assert.Equal(t, "y", original.Spec.TemporalGate.After)
}

func TestPositionFindsAFieldOrWhatIsAroundIt(t *testing.T) {
	text := []byte("{\n  \"spec\": {\n    \"dependsOn\": [\"a\", \"b\"]\n  }\n}")
	for field, want := range map[string][2]int{"spec": {2, 11}, "spec.dependsOn[1]": {3, 24}, "spec.title": {2, 11}, "metadata.name": {1, 1}} {
		line, column := resources.Position(text, field)
		assert.Equal(t, want, [2]int{line, column}, field)
	}
}

func TestEveryKindDecodesItsOwnEncoding(t *testing.T) {
	for _, kind := range resources.Kinds() {
		name := "x"
		if kind.Single {
			name = kind.Plural
		}
		o := kind.New()
		o.Head().Metadata.Name = name
		data, err := resources.Encode(o)
		require.NoError(t, err)
		again, _, err := resources.Decode(o.Key(), data)
		require.NoError(t, err, "%s", data)
		assert.Equal(t, o, again)
	}
}

// FuzzDecode: whatever the bytes, Decode does not panic; what it accepts it accepts
// again after Encode, as the same object; and no strict prefix of an accepted text
// is accepted, so that a torn write is always seen.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{goodTask, `{"spec": {"dependsOn": ["a"], "temporalGate": {"after": "b"}, "planAhead": true, "evidence": [{"file": "*.go"}]}}`,
		`{"metadata": {"creationTimestamp": "2026-11-21T07:50:00.5+01:00", "labels": {"\u0061": "b"}}, "spec": {}, "status": {"a": [1.5e3, null, {}]}}`,
		"", "\xef\xbb\xbf{}", `{"spec":`, `[[[[`, "{\"a\":\x00}", `{"spec": {"workPlan": "\ud800"}}`, "<<<<<<< HEAD\n"} {
		f.Add(byte(1), []byte(seed))
	}
	for _, c := range badInputs() {
		f.Add(byte(1), []byte(c.in))
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		kinds := resources.Kinds()
		kind := kinds[int(which)%len(kinds)]
		key := resources.Key{Kind: kind.Plural, Name: "foo"}
		o, _, err := resources.Decode(key, data)
		if err != nil {
			return
		}
		resources.Validate(o)
		encoded, err := resources.Encode(o)
		if err != nil {
			t.Fatalf("accepted, not encodable: %v", err)
		}
		again, _, err := resources.Decode(key, encoded)
		if err != nil {
			t.Fatalf("encoding is refused: %v\n%s", err, encoded)
		}
		if second, _ := resources.Encode(again); string(second) != string(encoded) {
			t.Fatalf("encoding is not stable:\n%s\n%s", encoded, second)
		}
		trimmed := strings.TrimRight(string(data), " \t\r\n")
		for _, n := range []int{len(trimmed) - 1, len(trimmed) / 2, len(trimmed) / 3} {
			if _, _, err := resources.Decode(key, []byte(trimmed[:n])); err == nil {
				t.Fatalf("a strict prefix is accepted: %q", trimmed[:n])
			}
		}
	})
}

func twoKilobytes() []byte {
	return fmt.Appendf(nil, `{"apiVersion": "idumb.dev/v1alpha1", "kind": "TaskNode",
 "metadata": {"name": "foo", "uid": "1d8f0c6e-0f64-5a0e-9a52-5b4c8d7e6f10", "creationTimestamp": "2026-11-21T07:50:00Z", "labels": {"area": "auth", "team": "web"}},
 "spec": {"workPlan": "user-auth", "phase": "build", "title": "Build the login form", "expectedOutput": "%s", "state": "active", "assignedTo": "executor",
 "allowedTools": ["read", "write", "edit", "bash"], "dependsOn": ["db-schema", "session-endpoint", "design"], "temporalGate": {"after": "db-schema", "reason": "%s"},
 "evidence": [{"file": "web/auth/**"}, {"command": "npm test", "succeeds": true}], "fileLocks": ["web/auth/**"], "priority": "high"}}
`, strings.Repeat("A form at /login that posts to the endpoint. ", 24), strings.Repeat("The schema comes first. ", 8))
}

func BenchmarkDecode(b *testing.B) {
	data := twoKilobytes()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := resources.Read(foo, data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	o, _, err := resources.Decode(foo, twoKilobytes())
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := resources.Encode(o); err != nil {
			b.Fatal(err)
		}
	}
}
