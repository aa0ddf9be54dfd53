package onboarding_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/onboarding"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// repository is an empty one, and how it is changed.
func repository(t testing.TB) (layout.Root, mutate.Repo) {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb/run"), 0o755))
	files, err := filestore.Open(root)
	require.NoError(t, err)
	return layout.Root(root), mutate.Open(files, time.Now, false)
}

// A task that somebody worked on stays, and so does what it hangs on; both are named.
func TestUndoKeepsWhatWasChanged(t *testing.T) {
	root, repo := repository(t)
	plan := onboarding.Make(onboarding.ScanResult{}, nothing{}, nil, "")
	done := 0
	require.NoError(t, onboarding.CarryOut(t.Context(), repo, root, plan, func(onboarding.Step) { done++ }))
	assert.Equal(t, len(plan.Steps), done)
	file := root.Abs(".idumb/tasks/bootstrap-purpose.json")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(data, '\n'), 0o644))

	all, err := onboarding.Undo(t.Context(), repo, root)
	require.NoError(t, err)
	kept := map[string]string{}
	for _, u := range all {
		if u.KeptReason != "" {
			kept[u.Subject] = u.KeptReason
		}
	}
	assert.Len(t, kept, 2)
	assert.Equal(t, "it was changed since", kept[".idumb/tasks/bootstrap-purpose.json"])
	assert.Contains(t, kept[".idumb/workplans/bootstrap.json"], "tasks/bootstrap-purpose")
	assert.FileExists(t, file)
	assert.NoFileExists(t, root.Abs(".idumb/tasks/bootstrap-commands.json"))

	all, err = onboarding.Undo(t.Context(), repo, root)
	require.NoError(t, err)
	assert.Empty(t, all, "what stayed is a user's now")
}

// Lines that a person edited stay, and are named; others go, dry or not.
func TestUndoKeepsEditedLines(t *testing.T) {
	root, repo := repository(t)
	text := agents.FittedText("- to test: `npm test`\n")
	record, err := json.Marshal(map[string]any{"blocks": []map[string]string{{"file": "AGENTS.md", "text": text}}})
	require.NoError(t, err)
	for _, tt := range []struct{ have, kept, left string }{
		{"# Mine\n" + strings.Replace(text, "npm", "pnpm", 1), "the text between the markers was edited", "# Mine\n" + strings.Replace(text, "npm", "pnpm", 1)},
		{"# Mine\n" + text, "", "# Mine\n"},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(string(root), "AGENTS.md"), []byte(tt.have), 0o644))
		require.NoError(t, os.WriteFile(root.Abs(".idumb/run/onboard.json"), record, 0o644))
		for _, dry := range []bool{true, false} {
			repo.DryRun = dry
			all, err := onboarding.Undo(t.Context(), repo, root)
			require.NoError(t, err)
			assert.Equal(t, []onboarding.UndoResult{{Subject: "lines in AGENTS.md", KeptReason: tt.kept}}, all)
			data, err := os.ReadFile(filepath.Join(string(root), "AGENTS.md"))
			require.NoError(t, err)
			want := tt.left
			if dry {
				want = tt.have
			}
			assert.Equal(t, want, string(data))
		}
	}
}

// What a controller derived of decisions goes with them, and is derived anew if they come back.
func TestUndoTakesWhatWasDerived(t *testing.T) {
	root, repo := repository(t)
	var plan onboarding.Plan
	kind, _ := resources.KindOf(resources.Decisions)
	mem, _ := resources.KindOf(resources.Mems)
	m := mem.New().(*resources.Mem)
	m.Metadata.Name, m.Spec.Content = "stack", "React 18"
	plan.Steps = append(plan.Steps, onboarding.Step{Action: "remember", Subject: "stack", Object: m})
	for _, name := range []string{"one", "two"} {
		d := kind.New().(*resources.Decision)
		d.Metadata.Name, d.Spec.Title = name, "Use REST"
		plan.Steps = append(plan.Steps, onboarding.Step{Action: "decide", Subject: name, Object: d})
	}
	require.NoError(t, onboarding.CarryOut(t.Context(), repo, root, plan, func(onboarding.Step) {}))
	assert.NoDirExists(t, root.Abs(".idumb/derived"), "who only writes specs derives nothing")
	require.NoError(t, os.MkdirAll(root.Abs(".idumb/derived/mems"), 0o755))
	for _, name := range []string{"one", "two", "mine"} {
		require.NoError(t, os.WriteFile(root.Abs(".idumb/derived/mems/mem-decision-"+name+".json"), []byte(`{"spec": {"content": "Use REST"}}`), 0o644))
	}
	require.NoError(t, os.WriteFile(root.Abs(".idumb/derived/seen.json"), []byte(`{"commit":"0a","mems":{"mem-decision-mine":"1","mem-decision-one":"2","mem-decision-two":"3"}}`), 0o600))
	_, err := onboarding.Undo(t.Context(), repo, root)
	require.NoError(t, err)
	left, err := filepath.Glob(root.Abs(".idumb/derived/mems/*"))
	require.NoError(t, err)
	assert.Equal(t, []string{root.Abs(".idumb/derived/mems/mem-decision-mine.json")}, left)
	seen, err := os.ReadFile(root.Abs(".idumb/derived/seen.json"))
	require.NoError(t, err)
	assert.JSONEq(t, `{"commit":"0a","mems":{"mem-decision-mine":"1"}}`, string(seen))
}

// A record that came with a repository leads nowhere.
func TestARecordOfStrangers(t *testing.T) {
	root, repo := repository(t)
	outside := filepath.Join(filepath.Dir(string(root)), "theirs.json")
	require.NoError(t, os.WriteFile(outside, []byte("{}"), 0o644))
	for _, text := range []string{
		`{"objects":[{"kind":"tasks","name":"../../theirs","sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}]}`,
		`{"objects":[{"kind":"..","name":"theirs","sha256":""}]}`,
		`{"blocks":[{"file":"../theirs.json","text":"{}"}]}`,
		`[]`, `{`,
	} {
		require.NoError(t, os.WriteFile(root.Abs(".idumb/run/onboard.json"), []byte(text), 0o644))
		all, err := onboarding.Undo(t.Context(), repo, root)
		if err == nil {
			require.Len(t, all, 1, text)
			assert.NotEmpty(t, all[0].KeptReason, text)
		}
		assert.FileExists(t, outside)
	}
}
