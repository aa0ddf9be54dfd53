package printers

import (
	"encoding/json"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Package text/template is the reference: each template gives the same text, or an error in both.
func TestGoTemplatesAsTextTemplate(t *testing.T) {
	var value any
	require.NoError(t, json.Unmarshal([]byte(`{"kind": "List", "n": 3, "half": 0.5, "yes": true, "no": false, "nothing": null, "empty": [], "text": "<b>\"é\"",
		"items": [{"metadata": {"name": "b", "labels": {"z": "1", "a": "2"}}, "spec": {"paths": ["x", "y"]}}, {"metadata": {"name": "a"}, "spec": {}}]}`), &value))
	for _, text := range []string{
		"", "plain", "{{.kind}}", "{{.}}", "{{$}}", "{{$.kind}} {{.n}} {{.half}} {{.yes}}", "{{.missing}} {{.nothing}}", "{{.kind.name}}", "{{.missing.name}}", "{{$.missing.name.x}}",
		"{{range .items}}{{.metadata.name}} {{$.kind}};{{end}}", "{{range $i, $e := .items}}{{$i}}={{$e.metadata.name}} {{end}}", "{{range $e := .items}}{{$e.metadata.name}}{{end}}",
		"{{range .empty}}x{{else}}none of {{.kind}}{{end}}", "{{range .missing}}x{{else}}none{{end}}", "{{range .kind}}x{{end}}", "{{range 3}}{{.}}{{end}}", "{{range $k, $v := (index .items 0).metadata.labels}}{{$k}}{{$v}} {{end}}",
		"{{range .items}}{{if eq .metadata.name \"b\"}}{{continue}}{{end}}{{.metadata.name}}{{end}}", "{{range .items}}{{.metadata.name}}{{break}}{{end}}!",
		"{{range .items}}{{range .spec.paths}}{{break}}{{end}}{{.metadata.name}}{{end}}",
		"{{if .yes}}a{{else}}b{{end}}{{if .no}}a{{else if .n}}c{{else}}b{{end}}", "{{with .items}}{{len .}}{{end}}{{with .no}}x{{else}}{{.kind}}{{end}}", "{{with $x := .n}}{{$x}}{{end}}",
		"{{$x := 1}}{{range .items}}{{$x = .metadata.name}}{{end}}{{$x}}", "{{$x := 1}}{{if .yes}}{{$x := 2}}{{$x}}{{end}}{{$x}}", "{{if .yes}}{{$y := 2}}{{end}}{{range .items}}{{$y := .metadata.name}}{{$y}}{{end}}",
		"{{if $x := .n}}{{$x}}{{else}}{{$x}}{{end}}", "{{if not .empty}}empty{{end}}{{if .empty}}x{{end}}{{if .half}}half{{end}}",
		"{{.text | html}} {{js .text}} {{urlquery .text}} {{.text | printf \"%q %v\" .n}} {{print 1 2 \"a\" nil}}{{println .kind}}", "{{printf}}", "{{printf .n}}", "{{printf \"%d %d\" 3 (len .items)}}",
		"{{index .items 1 \"metadata\" \"name\"}} {{index .kind 0}} {{slice .kind 1 3}} {{len (slice .items 1)}}", "{{index .items 9}}", "{{index .n 1}}", "{{len .n}}", "{{len}}", "{{slice .kind 9}}", "{{slice .kind}}",
		"{{and .yes .kind}} {{and .no .kind.x}} {{or .no .kind}} {{or .yes .kind.x}} {{and .no}} {{not .no}}", "{{.kind | and .yes}}", "{{and}}",
		"{{eq .kind \"List\"}} {{eq .kind \"a\" \"List\"}} {{ne .kind \"x\"}} {{lt 1 2}} {{le 2 2}} {{gt .n 2.5}} {{ge .half 0.5}} {{lt \"a\" \"b\"}} {{eq true .yes}} {{eq .nothing .missing}}", "{{eq .kind 1}}", "{{lt .items 1}}", "{{eq .items .items}}",
		`{{define "row"}}[{{.metadata.name}}]{{end}}{{range .items}}{{template "row" .}}{{end}}`, `{{template "gone"}}`, `{{block "b" .kind}}{{.}}{{end}}`, `{{define "e"}}{{.}}{{end}}{{template "e"}}`,
		"{{/* a comment */}}{{- .kind -}} \n x", "{{.kind .n}}", "{{.n | .kind}}", "{{1}} {{1.5}} {{\"s\"}} {{true}} {{'a'}}", "{{(index .items 0).metadata.name}}", "{{range $i, $e := .items}}{{$i}}{{end}}{{range $e := .items}}{{end}}",
	} {
		want, wantErr := "", error(nil)
		if reference, err := template.New("output").Parse(text); err != nil {
			wantErr = err
		} else {
			var b strings.Builder
			if wantErr = reference.Execute(&b, value); wantErr == nil {
				want = b.String()
			}
		}
		ours, err := parseGoTemplate(text)
		got := ""
		if err == nil {
			got, err = ours.execute(value)
		}
		assert.Equal(t, wantErr == nil, err == nil, "%s\nwant %v\ngot  %v", text, wantErr, err)
		if wantErr == nil {
			assert.Equal(t, want, got, text)
		}
	}
	endless, err := parseGoTemplate(`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`)
	require.NoError(t, err)
	_, err = endless.execute(nil)
	assert.ErrorContains(t, err, "calls itself without end")
	numbers, err := parseGoTemplate("{{eq .n 3}} {{gt .n 2}}") // text/template compares no float with an integer
	require.NoError(t, err)
	got, err := numbers.execute(value)
	require.NoError(t, err)
	assert.Equal(t, "true true", got)
}
