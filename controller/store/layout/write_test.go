package layout

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

var checkpoint = resources.Checkpoint{Time: resources.NewTime(time.Unix(1e9, 0)), Tool: "edit"}

func TestReplace(t *testing.T) {
	r := repository(t)
	path := StatusPath(task("a"))
	require.NoError(t, r.Replace(path, []byte("1")))
	before, err := os.Stat(r.Abs(path))
	require.NoError(t, err)
	require.NoError(t, r.Replace(path, []byte("1")))
	after, err := os.Stat(r.Abs(path))
	require.NoError(t, err)
	assert.True(t, os.SameFile(before, after), "the same bytes are not written again")

	require.NoError(t, os.Chmod(r.Abs(path), 0o640))
	require.NoError(t, r.Replace(path, []byte("2")))
	got, info, err := r.Read(path, MaxSpec)
	require.NoError(t, err)
	assert.Equal(t, "2", string(got))
	assert.Equal(t, os.FileMode(0o640), info.Mode.Perm(), "the mode is kept")
	assert.Equal(t, []string{"a.json"}, namesIn(t, r, StatusDir+"/tasks"), "nothing is left behind")

	require.NoError(t, r.Remove(path))
	require.NoError(t, r.Remove(path), "twice is no error")
	require.NoError(t, r.Remove(QuarantinePath(task("a"))), "nor without the folder")
}

func namesIn(t *testing.T, r Root, path string) []string {
	t.Helper()
	d, err := r.Open(path)
	require.NoError(t, err)
	defer d.Close()
	names, err := d.Names()
	require.NoError(t, err)
	return names
}

func TestLogLinesAreNeverTooLong(t *testing.T) {
	long := strings.Repeat("ü\"\x01", 3000)
	files := strings.Split(strings.Repeat("src/some/file.go ", 800), " ")
	for _, test := range []struct {
		name string
		in   resources.Checkpoint
	}{
		{"short", checkpoint},
		{"command", resources.Checkpoint{Tool: "shell", Command: long}},
		{"summary", resources.Checkpoint{Tool: "shell", Summary: long}},
		{"both", resources.Checkpoint{Tool: "shell", Summary: long, Command: long}},
		{"files", resources.Checkpoint{Tool: "edit", FilesModified: files}},
		{"all", resources.Checkpoint{Tool: "shell", Summary: long, Command: long, FilesModified: files}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := repository(t)
			require.NoError(t, r.AppendCheckpoint("a", test.in))
			require.NoError(t, r.AppendCheckpoint("a", checkpoint))
			data, err := os.ReadFile(r.Abs(CheckpointPath("a")))
			require.NoError(t, err)
			line, rest, _ := strings.Cut(string(data), "\n")
			assert.LessOrEqual(t, len(line)+1, store.MaxLogLine)
			assert.True(t, utf8.ValidString(line))
			var got resources.Checkpoint
			require.NoError(t, json.Unmarshal([]byte(line), &got))
			assert.Equal(t, test.in.Tool, got.Tool)
			assert.Equal(t, 1, strings.Count(rest, "\n"))
		})
	}
}

func TestEventsGoToTheirDay(t *testing.T) {
	r := repository(t)
	at := time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("", -2*3600))
	require.NoError(t, r.AppendEvent(
		resources.Event{Time: resources.NewTime(at.Add(-3 * time.Hour)), Message: "the day before"},
		resources.Event{Time: resources.NewTime(at), Message: strings.Repeat("long ", 3000)},
		resources.Event{Time: resources.NewTime(at), Message: "last"},
	))
	before, err := os.ReadFile(r.Abs(".idumb/events/2026-11-21.jsonl"))
	require.NoError(t, err)
	assert.Contains(t, string(before), "the day before")
	data, err := os.ReadFile(r.Abs(".idumb/events/2026-11-22.jsonl"))
	require.NoError(t, err)
	long, last, _ := strings.Cut(string(data), "\n")
	assert.LessOrEqual(t, len(long)+1, store.MaxLogLine)
	assert.Contains(t, long, "long long")
	assert.Contains(t, last, `"last"`)
}

func TestAppendRefusesWhatIsNoFile(t *testing.T) {
	r := repository(t)
	outside := t.TempDir() + "/target"
	require.NoError(t, os.Mkdir(r.Abs(CheckpointsDir), 0o755))
	require.NoError(t, os.Symlink(outside, r.Abs(CheckpointPath("a"))))
	require.ErrorIs(t, r.AppendCheckpoint("a", checkpoint), store.ErrUnreadable)
	assert.NoFileExists(t, outside)
	assert.Error(t, r.AppendCheckpoint("../a", checkpoint))
}

func TestLastGood(t *testing.T) {
	r := repository(t)
	_, _, ok := r.LastGood(task("a"))
	assert.False(t, ok, "no mark")
	mark, err := json.Marshal(store.Mark{LastGood: []byte("{}\n"), Revision: "r", Problem: resources.Problem{Reason: "why"}})
	require.NoError(t, err)
	require.NoError(t, r.Replace(QuarantinePath(task("a")), mark))
	data, rev, ok := r.LastGood(task("a"))
	assert.True(t, ok)
	assert.Equal(t, "{}\n", string(data))
	assert.Equal(t, "r", rev)
	require.NoError(t, os.WriteFile(r.Abs(QuarantinePath(task("a"))), []byte("torn"), 0o600))
	_, _, ok = r.LastGood(task("a"))
	assert.False(t, ok, "a mark that cannot be read is none")
}

func TestSourceFile(t *testing.T) {
	r := repository(t)
	require.NoError(t, os.WriteFile(r.Abs("main.go"), []byte("package main\n"), 0o644))
	outside := t.TempDir() + "/secret"
	require.NoError(t, os.WriteFile(outside, []byte("x"), 0o644))
	require.NoError(t, os.Symlink(outside, r.Abs("link")))
	_, hash, exists := r.SourceFile("./main.go")
	assert.True(t, exists)
	assert.Equal(t, "df1d036cbbf3df46e204", hash[:20])
	for _, name := range []string{"", "..", "../x", "/etc/passwd", "link", "nothing", ".idumb"} {
		_, _, exists := r.SourceFile(name)
		assert.False(t, exists, "%q", name)
	}
}
