package migrate_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

func TestAReportSendsNothingToTheTerminal(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\u202e\r\n\u009b31m" + strings.Repeat("long", 500)
	text := migrate.Text(evil).JSON()
	files := []migrate.File{
		{Path: "graph/" + evil + ".json", Data: []byte("{}")},
		{Path: "graph/tasks.json", Data: []byte(`{"version":` + string(text) + `,"tasks":[{"id":` + string(text) + `,"title":"x","status":` + string(text) + `,"priority":` + string(text) +
			`,"dependsOn":[` + string(text) + `],` + string(text) + `:1}],` + string(text) + `:[1]}`)},
	}
	out := migrate.Hivemind(migrate.Input{Files: files})
	var b bytes.Buffer
	require.NoError(t, out.Report.Print(&b))
	for _, r := range b.String() {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("%q in %s", r, b.String())
		}
	}
	assert.Contains(t, b.String(), "1 task", "it was made all the same")
	for _, l := range out.Leftovers {
		assert.Regexp(t, `^hivemind/[A-Za-z0-9._/-]+$`, l.Path)
		assert.Less(t, len(l.Path), 300)
	}
	for _, o := range out.Objects {
		require.NoError(t, resources.CheckName(o.Key().Name))
	}
}

func TestInstantsInEveryForm(t *testing.T) {
	const want = "2026-02-25T13:51:18Z"
	for _, text := range []string{
		`"2026-02-25T13:51:18Z"`, `"2026-02-25T13:51:18.912Z"`, `"2026-02-25T14:51:18+01:00"`, `"2026-02-25 13:51:18"`,
		"1772027478", "1772027478912", `"1772027478912"`, "1772027478912000", "1772027478912000000", "1.772027478912e12",
	} {
		v, _, err := migrate.Parse([]byte(text))
		require.NoError(t, err)
		at, ok := migrate.ParseTime(v)
		assert.True(t, ok, text)
		assert.Equal(t, want, resources.NewTime(at).Format("2006-01-02T15:04:05Z"), text)
	}
	for _, text := range []string{`"Invalid Date"`, `"NaN"`, "0", "-1", `""`, "null", "true", "12", `"2026-13-45"`, "1e300"} {
		v, _, err := migrate.Parse([]byte(text))
		require.NoError(t, err)
		_, ok := migrate.ParseTime(v)
		assert.False(t, ok, text)
	}
}
