package resources_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// sample writes a value for a field of the table, with every field below it.
func sample(f *resources.Field) any {
	one := func() any {
		switch f.Shape {
		case resources.IntegerShape:
			return 7
		case resources.BooleanShape:
			return true
		case resources.TimeShape:
			return "2026-11-21T07:50:00Z"
		case resources.MapShape:
			return map[string]any{"a": "b"}
		case resources.ObjectShape:
			members := map[string]any{}
			for _, child := range f.Fields {
				members[child.Name] = sample(child)
			}
			return members
		}
		if f.Enum != nil {
			return f.Enum[len(f.Enum)-1]
		}
		return "text of \"" + f.Name + "\" \u2603"
	}
	if f.Repeated {
		return []any{one(), one()}
	}
	return one()
}

// byTheBook decodes the spec with encoding/json, which is slower and laxer.
func byTheBook(t *testing.T, key resources.Key, data []byte) any {
	t.Helper()
	kind, _ := resources.KindOf(key.Kind)
	spec := kind.New().SpecPointer()
	document := struct {
		Spec any `json:"spec"`
	}{spec}
	require.NoError(t, json.Unmarshal(data, &document))
	return spec
}

func TestDecodeFillsInEveryFieldOfEveryKind(t *testing.T) {
	for _, kind := range resources.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			spec, _ := kind.Fields().Field("spec")
			data, err := json.Marshal(map[string]any{"spec": sample(spec)})
			require.NoError(t, err)
			key := resources.Key{Kind: kind.Plural, Name: "foo"}
			o, _, err := resources.Decode(key, data)
			require.NoError(t, err)
			assert.Equal(t, byTheBook(t, key, data), o.SpecPointer())
			encoded, err := resources.Encode(o)
			require.NoError(t, err)
			again, _, err := resources.Decode(key, encoded)
			require.NoError(t, err)
			assert.Equal(t, o, again)
			assert.Equal(t, o, resources.Clone(o))
		})
	}
}

func TestDecodeNamesWhatPeopleTakeForJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"comma at the end of an object", `{"spec": {"title": "a",}}`, `:1:23: spec: trailing comma before '}'; remove the comma`},
		{"comma at the end of a list", "{\"spec\": {\"dependsOn\": [\"a\",\n]}}", `:1:28: spec.dependsOn[1]: trailing comma before ']'; remove the comma`},
		{"comment", "{\n// the task\n}", `:2:1: JSON has no comments; remove the comment`},
		{"single quotes", `{'spec': {}}`, `:1:2: a name in double quotes was expected, found '\''; write names and strings in straight double quotes: "..."`},
		{"typographic quotes", `{“spec”: {}}`, `:1:2: a name in double quotes was expected, found '“'; write names and strings in straight double quotes: "..."`},
		{"fraction", `{"kind": "Mem", "spec": {"confidence": 0.8}}`, `:1:40: spec.confidence: a whole number is expected, found 0.8; see idumb explain`},
		{"number beyond all bounds", `{"kind": "Mem", "spec": {"confidence": 1` + strings.Repeat("0", 90) + `}}`, `:1:40: spec.confidence: a whole number is expected, found 1` + strings.Repeat("0", 39) + `; see idumb explain`},
		{"leading zero", `{"kind": "Mem", "spec": {"confidence": 08}}`, `:1:41: spec: "," or "}" was expected, found '8'; correct the JSON; a JSON-aware editor shows the place`},
		{"year that cannot be written in UTC", `{"kind": "Mem", "metadata": {"creationTimestamp": "9999-12-31T23:59:59-23:59"}}`, `:1:51: metadata.creationTimestamp: "9999-12-31T23:59:59-23:59" is no time; write it as RFC 3339 has it: "2026-11-21T07:50:00Z"`},
		{"fields of another version", `{"apiVersion": "idumb.dev/v2", "spec": {"body": 1}}`, `:1:16: apiVersion: unknown version "idumb.dev/v2"; write "idumb.dev/v1alpha1", or leave it out`},
		{"fields of another kind", `{"kind": "WorkPlan", "spec": {"title": "t", "acceptance": ["a"]}}`, `:1:10: kind: the kind is "WorkPlan", but the file is one of mems; move the file to .idumb/workplans, or write "Mem"`},
		{"kind in another case", `{"kind": "mem"}`, `:1:10: kind: the kind is "mem", but the file is one of mems; write "Mem", or leave it out`},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := resources.Key{Kind: resources.Mems, Name: "foo"}
			if strings.Contains(c.want, "dependsOn") {
				key.Kind = resources.Tasks
			}
			_, _, err := resources.Decode(key, []byte(c.in))
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestAStrangersNameDoesNotReachTheTerminal(t *testing.T) {
	_, _, err := resources.Decode(foo, []byte(`{"spec": {"\u001b[2J\u202e": 1}}`))
	assert.EqualError(t, err, `:1:11: spec."\x1b[2J\u202e": unknown field; remove it; idumb explain lists the fields`)
	_, _, err = resources.Decode(foo, []byte(`{"spec": {"`+strings.Repeat("x", 1<<19)+`": 1}}`))
	assert.EqualError(t, err, `:1:11: spec.`+strings.Repeat("x", 80)+`...: unknown field; remove it; idumb explain lists the fields`)
	o := decoded(t, resources.Tasks, "foo", `{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "`+strings.Repeat("y", 1<<19)+`"}}`)
	assert.Less(t, len(resources.Invalid(foo, resources.Validate(o)).Error()), 500)
}

func TestTimesAreKeptToTheSecondInUTC(t *testing.T) {
	for in, want := range map[string]string{
		`"2026-11-21T07:50:00Z"`:          `"2026-11-21T07:50:00Z"`,
		`"2026-11-21T08:50:00.999+01:00"`: `"2026-11-21T07:50:00Z"`,
		`"2026-11-21T07:50:00\u005a"`:     `"2026-11-21T07:50:00Z"`,
		`""`:                              `null`,
		`null`:                            `null`,
		`"9999-12-31T23:59:59Z"`:          `"9999-12-31T23:59:59Z"`,
		`"0000-01-01T00:00:00Z"`:          `"0000-01-01T00:00:00Z"`,
	} {
		var time resources.Time
		require.NoError(t, json.Unmarshal([]byte(in), &time), in)
		out, err := json.Marshal(time)
		require.NoError(t, err)
		assert.Equal(t, want, string(out), in)
	}
	for _, in := range []string{`"2026-11-21"`, `7`, `"9999-12-31T23:59:59-00:01"`, `"0000-01-01T00:00:00+00:01"`} {
		var time resources.Time
		assert.Error(t, json.Unmarshal([]byte(in), &time), in)
	}
}

func TestNullIsAsIfTheFieldWereNotThere(t *testing.T) {
	o := decoded(t, resources.Mems, "foo", `{"metadata": {"labels": {"a": null, "b": "c"}, "creationTimestamp": null}, "spec": {"content": "x", "confidence": null, "tags": null}, "status": null}`)
	mem := o.(*resources.Mem)
	assert.Equal(t, map[string]string{"b": "c"}, mem.Metadata.Labels)
	assert.Nil(t, mem.Spec.Confidence)
	assert.Nil(t, mem.Spec.Tags)
}

func TestProblemsOfOneFileAreBounded(t *testing.T) {
	data := []byte(`{"spec": {"workPlan": "p", "expectedOutput": "x", "allowedTools": [` + strings.Repeat(`"",`, 100_000) + `""]}}`)
	problems := resources.Problems(foo, data)
	require.Len(t, problems, 51)
	assert.Equal(t, "spec.allowedTools[49]", problems[49].Field)
	assert.Equal(t, "99951 more values are wrong", problems[50].Reason)
	o, _, err := resources.Decode(foo, data)
	require.NoError(t, err)
	assert.Contains(t, resources.Invalid(foo, resources.Validate(o)).Error(), "\n* and 99951 more")
}

func TestPathsAndRelationsStayInside(t *testing.T) {
	for spec, want := range map[string]string{
		`"source": {"file": "/etc/passwd"}`:    `spec.source.file: Invalid value: "/etc/passwd": must be a path from the repository's root, without a leading /`,
		`"source": {"file": "a/../../b"}`:      `spec.source.file: Invalid value: "a/../../b": must not leave the repository: ".." is not allowed`,
		`"source": {"file": "web/login..tsx"}`: "",
		`"relatedTo": ["task/a", "b"]`:         "",
		`"relatedTo": ["task/../config"]`:      `spec.relatedTo[0]: Invalid value: "task/../config": a name consists of lower case letters, digits, '-' and '.', and starts with a letter or a digit (for example "build-login-form")`,
	} {
		var got []string
		for _, e := range resources.Validate(decoded(t, resources.Anchors, "foo", `{"spec": {"content": "x", `+spec+`}}`)) {
			got = append(got, e.Error())
		}
		assert.Equal(t, want, strings.Join(got, "\n"))
	}
}

// FuzzDecodeAgrees: what Decode accepts, encoding/json accepts as well, and reads
// the same out of it.
func FuzzDecodeAgrees(f *testing.F) {
	for i, kind := range resources.Kinds() {
		spec, _ := kind.Fields().Field("spec")
		data, err := json.Marshal(map[string]any{"spec": sample(spec)})
		require.NoError(f, err)
		f.Add(byte(i), data)
	}
	f.Add(byte(1), []byte(`{"spec": {"dependsOn": [], "evidence": [{}, {"succeeds": true}], "temporalGate": {"after": "\ud83d\ude00"}}, "status": {"a": [-0.5e-3, null, {"b": false}]}}`))
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		kinds := resources.Kinds()
		key := resources.Key{Kind: kinds[int(which)%len(kinds)].Plural, Name: "foo"}
		for _, p := range resources.Problems(key, data) {
			if strings.ContainsAny(p.Error(), "\x00\x1b\r\n") {
				t.Fatalf("a message holds what a terminal acts on: %q", p.Error())
			}
		}
		o, _, err := resources.Decode(key, data)
		if err != nil {
			return
		}
		if want := byTheBook(t, key, data); !reflect.DeepEqual(o.SpecPointer(), want) {
			t.Fatalf("read %+v, encoding/json %+v", o.SpecPointer(), want)
		}
	})
}
