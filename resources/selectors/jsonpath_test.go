package selectors

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

const list = `{"kind": "List", "count": 2, "items": [
	{"metadata": {"name": "db", "labels": {"a.b/c": "x"}}, "spec": {"dependsOn": ["one", "two", "three"], "level": 2, "state": "active"}},
	{"metadata": {"name": "api"}, "spec": {"level": 10, "pinned": true}}]}`

func decoded(t testing.TB) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(list), &v))
	return v
}

func TestTemplates(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a path", `{.kind}`, "List"},
		{"without braces", `.kind`, "List"},
		{"without braces and dot", `kind`, "List"},
		{"from the root", `{$.kind}`, "List"},
		{"text around it", `kind={.kind}!`, "kind=List!"},
		{"every item", `{.items[*].metadata.name}`, "db api"},
		{"every value", `{.items[0].spec.*}`, `["one","two","three"] 2 active`},
		{"an index", `{.items[1].metadata.name}`, "api"},
		{"from the end", `{.items[-1].metadata.name}`, "api"},
		{"beyond the end", `{.items[7].metadata.name}`, ""},
		{"several", `{.items[0,1].metadata.name}`, "db api"},
		{"a slice", `{.items[0].spec.dependsOn[1:]}`, "two three"},
		{"a slice from the end", `{.items[0].spec.dependsOn[-2:-1]}`, "two"},
		{"a quoted key", `{.items[0].metadata.labels['a.b/c']}`, "x"},
		{"an escaped key", `{.items[0].metadata.labels.a\.b/c}`, "x"},
		{"several keys", `{.items[0]['spec','metadata']['state','name']}`, "active db"},
		{"what is missing prints nothing", `[{.items[*].spec.none}]`, "[]"},
		{"a number", `{.count}`, "2"},
		{"an object is JSON", `{.items[0].metadata}`, `{"labels":{"a.b/c":"x"},"name":"db"}`},
		{"at any depth", `{..name}`, "db api"},
		{"filter by equality", `{.items[?(@.metadata.name=="api")].spec.level}`, "10"},
		{"filter by difference", `{.items[?(@.metadata.name!='api')].spec.level}`, "2"},
		{"numbers compare as numbers", `{.items[?(@.spec.level > 9)].metadata.name}`, "api"},
		{"filter by existence", `{.items[?(@.spec.state)].metadata.name}`, "db"},
		{"filter by a flag", `{.items[?(@.spec.pinned==true)].metadata.name}`, "api"},
		{"a range", `{range .items[*]}{.metadata.name}{"\t"}{.spec.level}{"\n"}{end}`, "db\t2\napi\t10\n"},
		{"a range in a range", `{range .items[*]}{.metadata.name}:{range .spec.dependsOn[*]}{@},{end};{end}`, "db:one,two,three,;api:;"},
		{"the root inside a range", `{range .items[*]}{$.kind}{end}`, "ListList"},
		{"quotes and spaces in braces", `{ 'a' .kind "\x41" }`, "aListA"},
		{"several paths in braces", `{.kind .count}`, "List2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			template, err := ParseTemplate(tt.in)
			require.NoError(t, err)
			var b strings.Builder
			require.NoError(t, template.Write(&b, decoded(t)))
			assert.Equal(t, tt.want, b.String())
		})
	}
}

func TestBadTemplatesSayWhere(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{.kind`, `jsonpath "{.kind": at 7: a brace is not closed`},
		{`{range .items[*]}`, "{range} without {end}"},
		{`{end}`, "{end} without {range}"},
		{`{.items[}`, "is expected in [...]"},
		{`{.items[?(@.x=="y"]}`, ") expected"},
		{`{"x}`, "a quote is not closed"},
		{``, "a path is empty"},
		{strings.Repeat("{range .a}", 100), "more than 32 nested ranges"},
	} {
		_, err := ParseTemplate(tt.in)
		assert.ErrorContains(t, err, tt.want, tt.in)
	}
}

// Objects answer as their JSON would: fields that JSON leaves out are missing.
func TestStructsAnswerAsTheirJSON(t *testing.T) {
	kind, _ := resources.KindOf(resources.Tasks)
	task := kind.New().(*resources.Task)
	task.Metadata.Name = "db"
	task.Spec.DependsOn = []string{"a", "b"}
	for in, want := range map[string]string{
		`{.metadata.name}`: "db", `{.kind}`: "TaskNode", `{.spec.dependsOn[*]}`: "a b", `{.spec.title}`: "",
		`{.status.ready}`: "", `{.spec.temporalGate.after}`: "", `{.Origin}`: "",
	} {
		template, err := ParseTemplate(in)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, template.Write(&b, task))
		assert.Equal(t, want, b.String(), in)
	}
}

func FuzzParseTemplate(f *testing.F) {
	for _, seed := range []string{`{.a.b[0]}`, `{range .items[*]}{.x}{"\n"}{end}`, `{..a[?(@.x=="y")]}`, `.a['b\'c'][1:-1]`, `{$.a[0,1]['x',"y"]}`, "{@}"} {
		f.Add(seed)
	}
	value := decoded(f)
	f.Fuzz(func(t *testing.T, in string) {
		template, err := ParseTemplate(in)
		if err != nil {
			return
		}
		if err := template.Write(&strings.Builder{}, value); err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		template.Strings(value)
	})
}
