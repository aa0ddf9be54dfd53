package hooks

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Each line is answered once, under its own id: by the controller if it answers, else from the files. The
// controller learns which process asks, but no folder of another host.
func TestOpenCodeServes(t *testing.T) {
	root, other := governedFolder(t), t.TempDir()
	var mu sync.Mutex
	var children, questions []string
	ask := func(host string, env []string, line []byte) (Answered, error) {
		mu.Lock()
		defer mu.Unlock()
		assert.Equal(t, "opencode", host)
		assert.Contains(t, env, "HOME="+root)
		assert.Empty(t, environment(env).get("CLAUDE_PROJECT_DIR"))
		questions, children = append(questions, string(line)), append(children, environment(env).get(lastingVariable))
		if strings.Contains(string(line), "known") {
			return Answered{Stdout: []byte(`{"id":1,"tail":"of the controller"}` + "\n")}, nil
		}
		return Answered{}, errors.New("no controller runs")
	}
	lines := []string{
		`{"id":1,"hook":"known"}`,
		"",
		`{"id":"b","hook":"hello","session":"s","directory":` + quoted(root) + `}`,
		`{"hook":"hello","session":"s","directory":` + quoted(other) + `}`,
		`{"id":3,"hook":"tool.before","session":"s","directory":` + quoted(root) + `}`,
		`{"id":4}`,
		`{`,
	}
	var out bytes.Buffer
	env := []string{"HOME=" + root, "IDUMB_AUTOSTART=off", "IDUMB_TRUST=" + root, "CLAUDE_PROJECT_DIR=" + other}
	require.Equal(t, 0, Main([]string{"opencode", "--stdio"}, strings.NewReader(strings.Join(lines, "\n")), &out, io.Discard, env, fuzzNow, ask))
	got := slices.Sorted(strings.Lines(out.String()))
	want := []string{
		`{"id":"b","mode":"enforce","name":"s","window":200000,"governed":true}` + "\n",
		`{"id":0,"problem":"the line cannot be read: unexpected end of JSON input"}` + "\n",
		`{"id":0}` + "\n",
		`{"id":1,"tail":"of the controller"}` + "\n",
		`{"id":3,"mode":"enforce","problem":"the line names no tool"}` + "\n",
		`{"id":4,"problem":"the line cannot be read: the line names no hook"}` + "\n",
	}
	assert.Equal(t, want, got)
	assert.ElementsMatch(t, slices.DeleteFunc(lines, func(l string) bool { return l == "" }), questions)
	assert.Len(t, slices.Compact(children), 1, "one process asks")
	pid, started, _ := strings.Cut(children[0], ".")
	assert.Equal(t, strconv.Itoa(os.Getpid()), pid)
	assert.NotEmpty(t, started)
}

// Without an answer in time a write is denied in mode enforce, and nothing else.
func TestOpenCodeGivesUp(t *testing.T) {
	for name, tc := range map[string]struct {
		line, mode string
		denies     bool
	}{
		"a write":           {`{"id":7,"hook":"tool.before","tool":"write","args":{"filePath":"a"}}`, admission.ModeEnforce, true},
		"a write, mode log": {`{"id":7,"hook":"tool.before","tool":"write","args":{"filePath":"a"}}`, admission.ModeLog, false},
		"a read":            {`{"id":7,"hook":"tool.before","tool":"read","args":{"filePath":"a"}}`, admission.ModeEnforce, false},
		"after the write":   {`{"id":7,"hook":"tool.after","tool":"write","args":{"filePath":"a"}}`, admission.ModeEnforce, false},
	} {
		t.Run(name, func(t *testing.T) {
			x := &opencodeExchange{run: run{host: hosts.OpenCode{}}, line: []byte(tc.line)}
			in, err := hosts.ReadRequest(x.line)
			require.NoError(t, err)
			event, err := in.Event()
			require.NoError(t, err)
			answer := func() hosts.Object {
				o, err := hosts.ReadObject(x.giveUp("The disk hangs.").Stdout)
				require.NoError(t, err)
				assert.Equal(t, "7", string(o["id"]))
				assert.Equal(t, "The disk hangs.", o.Text("problem"))
				return o
			}
			early := answer()
			assert.Empty(t, early.Text("mode"), "nothing is known about the repository")
			assert.Empty(t, early.Text("deny"))
			x.partial.Store(&partialResult{event: event, mode: tc.mode})
			late := answer()
			assert.Equal(t, tc.mode, late.Text("mode"))
			assert.Equal(t, tc.denies, strings.Contains(late.Text("deny"), "The disk hangs."), late.Text("deny"))
			assert.Equal(t, tc.denies, late.Text("deny") != "")
		})
	}
}

// The plugin waits longer than the hook takes at most: it must not deny a call while the answer is on its way.
func TestOpenCodeTimeouts(t *testing.T) {
	wait := func(line string) time.Duration { return (&opencodeExchange{line: []byte(line)}).patience() }
	plugin, err := os.ReadFile("../../cmd/internal/agents/files/opencode/idumb.js")
	require.NoError(t, err)
	limits := regexp.MustCompile(`GATE = (\d+), TURN = (\d+)`).FindSubmatch(plugin)
	require.Len(t, limits, 3)
	gate, _ := time.ParseDuration(string(limits[1]) + "ms")
	turn, _ := time.ParseDuration(string(limits[2]) + "ms")
	assert.Equal(t, gate-300*time.Millisecond, wait(`{"hook":"tool.before"`), "also for a line that cannot be read")
	assert.Equal(t, turn-200*time.Millisecond, wait(`{"hook":"tail"}`))
}

// Lines are answered at the same time, but no more than a limit. After the last line running answers are
// written, but not waited for without end.
func TestStdioLimits(t *testing.T) {
	lines := strings.Repeat("x\n", maxAtOnce+8)
	var mu sync.Mutex
	running, most := 0, 0
	free, full := make(chan struct{}), sync.Once{}
	var out bytes.Buffer
	s := &stdio{output: &out, answer: func(line []byte, say func(result, bool)) {
		mu.Lock()
		running++
		if most = max(most, running); running == maxAtOnce {
			full.Do(func() { time.AfterFunc(50*time.Millisecond, func() { close(free) }) })
		}
		mu.Unlock()
		<-free
		mu.Lock()
		running--
		mu.Unlock()
		say(result{Answered: Answered{Stdout: append(line, '\n')}}, false)
	}}
	assert.Equal(t, 0, s.serve(strings.NewReader(lines)))
	assert.Equal(t, 32, most)
	assert.Equal(t, lines, out.String(), "each is answered before the end")

	hangs := &stdio{output: io.Discard, answer: func([]byte, func(result, bool)) { select {} }}
	began := time.Now()
	assert.Equal(t, 0, hangs.serve(strings.NewReader("x\n")))
	assert.InDelta(t, 2, time.Since(began).Seconds(), 1.5, "the host ends, and its hook with it")
}

// A program file is replaced if another regular file has its name.
func TestProgramReplaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "idumb-hook")
	modified := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	place := func(text string, at time.Time) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
		require.NoError(t, os.Chtimes(file, at, at))
	}
	place("one", modified)
	info, err := os.Stat(file)
	require.NoError(t, err)
	p := program{file, info}
	assert.False(t, p.replaced())
	place("longer", modified)
	assert.True(t, p.replaced(), "another size")
	place("one", modified.Add(time.Second))
	assert.True(t, p.replaced(), "another time")
	place("one", modified)
	assert.False(t, p.replaced())
	require.NoError(t, os.Rename(file, file+".old"))
	assert.False(t, p.replaced(), "nothing has its name")
	place("one", modified)
	assert.True(t, p.replaced(), "another file")
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Mkdir(file, 0o755))
	assert.False(t, p.replaced(), "a directory")
	assert.False(t, thisProgram(strings.NewReader("")).replaced(), "a reader that no new program could continue")
}
