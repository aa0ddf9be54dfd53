package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoEntryRunsTheEvent starts every string that Install writes as a host might that drops or
// reorders fields, with an event as input whose prompt holds commands. None of these commands may run.
func TestNoEntryRunsTheEvent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	for _, host := range HostNames() {
		for name, c := range map[string]Commands{
			"in PATH":  commandsOf(host),
			"by idumb": {Hook: Command{"idumb", []string{"hook", host}}, MCP: Command{Program: "idumb-mcp"}},
			"by path":  {Hook: Command{"/opt/one's own/idumb-hook", []string{host}}, MCP: Command{Program: "/opt/one's own/idumb-mcp"}},
		} {
			t.Run(host+" "+name, func(t *testing.T) {
				h, err := HostNamed(host)
				require.NoError(t, err)
				b := newBox(t)
				entries := 0
				for _, file := range h.Files(t.TempDir(), c) {
					if _, isWhole := file.content.(ownedFile); isWhole {
						continue // a file of our own: no other host's entry
					}
					text, _, err := file.content.insert(nil, false)
					require.NoError(t, err)
					for _, fields := range fieldsIn(t, file.Path, text) {
						entries++
						for _, words := range readings(fields) {
							b.start(words)
							require.NoFileExists(t, b.mark, "%s: %q runs the event, as a part of %q", file.Path, words, fields)
						}
					}
				}
				assert.NotZero(t, entries)
			})
		}
	}
}

// TestTheBoxSeesAnEventThatRuns holds the test above against what earlier versions installed.
func TestTheBoxSeesAnEventThatRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	for _, fields := range [][][]string{{{"sh"}, {"-c", "true"}}, {{"sh -c 'true'"}}, {{"-c", "true", "sh"}}} {
		b := newBox(t)
		for _, words := range readings(fields) {
			b.start(words)
		}
		assert.FileExists(t, b.mark, "%q", fields)
	}
}

// fieldsIn returns the texts of every object in a file: of each member that is a text or a list of texts.
func fieldsIn(t *testing.T, name string, text []byte) (all [][][]string) {
	if !strings.HasSuffix(name, ".json") {
		for line := range strings.Lines(string(text)) {
			if key, value, found := strings.Cut(line, " = "); found && key == "command" {
				all = append(all, [][]string{{strings.Trim(strings.TrimSpace(value), `"`)}})
			}
		}
		return all
	}
	var root any
	require.NoError(t, json.Unmarshal(text, &root))
	var walk func(v any)
	walk = func(v any) {
		if list, isList := v.([]any); isList {
			for _, item := range list {
				walk(item)
			}
		}
		object, _ := v.(map[string]any)
		var fields [][]string
		for _, member := range object {
			walk(member)
			if text, isText := member.(string); isText {
				fields = append(fields, []string{text})
			}
			list, _ := member.([]any)
			var words []string
			for _, item := range list {
				if text, isText := item.(string); isText {
					words = append(words, text)
				}
			}
			if len(words) > 0 {
				fields = append(fields, words)
			}
		}
		if len(fields) > 0 {
			all = append(all, fields)
		}
	}
	walk(root)
	return all
}

// readings are the command lines that a host may make of an object's fields: each field alone and
// each two in either order; by a shell, or as words; the first word alone. A host may also drop or
// reorder the words of one field.
func readings(fields [][]string) (all [][]string) {
	for i, first := range fields {
		lines := disordered(first)
		for j, second := range fields {
			if i != j {
				lines = append(lines, append(append([]string{}, first...), second...))
			}
		}
		for _, words := range lines {
			line := strings.Join(words, " ")
			all = append(all, words, words[:1], []string{"/bin/sh", "-c", line}, []string{"/bin/sh", "-c", words[0]})
			if split := strings.Fields(line); len(split) > 0 {
				all = append(all, split, split[:1])
			}
		}
	}
	return all
}

// disordered returns words, and words without one of them or with another one first.
func disordered(words []string) [][]string {
	all := [][]string{words}
	for i := range words {
		if rest := slices.Delete(slices.Clone(words), i, i+1); len(rest) > 0 {
			all = append(all, rest, append([]string{words[i]}, rest...), append(rest[:len(rest):len(rest)], words[i]))
		}
	}
	return all
}

// box runs command lines where there are iDumb's programs, a shell and little else.
type box struct {
	t         *testing.T
	dir, mark string
	tried     map[string]bool
}

func newBox(t *testing.T) *box {
	b := &box{t: t, dir: t.TempDir(), tried: map[string]bool{}}
	b.mark = filepath.Join(b.dir, "MARK")
	bin := filepath.Join(b.dir, "bin")
	require.NoError(t, os.MkdirAll(filepath.Join(b.dir, "work"), 0o755))
	require.NoError(t, os.Mkdir(bin, 0o755))
	for _, program := range []string{"sh", "bash", "touch", "sleep", "env", "node", "python3", "perl", "cat"} {
		if path, err := exec.LookPath(program); err == nil {
			require.NoError(t, os.Symlink(path, filepath.Join(bin, program)))
		}
	}
	for _, program := range []string{"idumb", "idumb-hook", "idumb-mcp"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, program), []byte("#!/bin/sh\ncat >/dev/null\n"), 0o755))
	}
	// What a shell expands "*" to is a program as well.
	require.NoError(t, os.WriteFile(filepath.Join(bin, "0-of-the-user"), []byte("#!/bin/sh\ntouch "+b.mark+"\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "work", "0-of-the-user"), nil, 0o644))
	return b
}

// start runs words with an event as input, once. It does not matter how the program ends.
func (b *box) start(words []string) {
	if key := strings.Join(words, "\x00"); b.tried[key] {
		return
	} else {
		b.tried[key] = true
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), 5*time.Second)
	defer cancel()
	program := words[0]
	if !strings.Contains(program, "/") {
		program = filepath.Join(b.dir, "bin", program)
	}
	cmd := exec.CommandContext(ctx, program, words[1:]...)
	cmd.Dir, cmd.WaitDelay = filepath.Join(b.dir, "work"), time.Second
	cmd.Env = []string{"PATH=" + filepath.Join(b.dir, "bin")}
	cmd.Stdin = strings.NewReader(fmt.Sprintf("{\"prompt\": \"$(touch %[1]s) `touch %[1]s`\"}\ntouch %[1]s\n", b.mark))
	_ = cmd.Run()
}
