package hooks

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
)

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, input string
		want        []string // "!" stands for a line that is too long
	}{
		{"nothing", "", nil},
		{"a last line without an end", "a\nb", []string{"a", "b"}},
		{"ends of every kind", "a\r\n\nb\n", []string{"a", "", "b"}},
		{"a long line between two", "a\n" + long + "\nb\n", []string{"a", "!", "b"}},
		{"a long line at the end", "a\n" + long, []string{"a", "!"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, linesOf(t, tt.input, 50, 16))
		})
	}
}

// linesOf reads a text with a buffer of that size.
func linesOf(t *testing.T, input string, max, buffer int) []string {
	var got []string
	for r := bufio.NewReaderSize(strings.NewReader(input), buffer); ; {
		line, err := readLine(r, max)
		switch {
		case errors.Is(err, errLongLine):
			got = append(got, "!")
		case errors.Is(err, io.EOF):
			return got
		default:
			require.NoError(t, err)
			got = append(got, string(line))
		}
	}
}

// FuzzReadLine: the lines are those that a plain split finds.
func FuzzReadLine(f *testing.F) {
	for _, seed := range []string{"", "\n", "a\nb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb", "{\"id\":1}\r\n\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		const max = 30
		var want []string
		for part := range strings.Lines(input) {
			if len(part) > max {
				want = append(want, "!")
				continue
			}
			want = append(want, strings.TrimRight(part, "\r\n"))
		}
		require.Equal(t, want, linesOf(t, input, max, 16))
	})
}

// opencodeLinesSeen are lines as the shim sends them.
var opencodeLinesSeen = []string{
	`{"id":1,"hook":"hello","directory":"/p"}`,
	`{"id":2,"hook":"session","session":"ses_e0100c2d7ffeOR1o5j8s7pNOR4","parent":"","agent":"","directory":"/p"}`,
	`{"id":3,"hook":"message","session":"ses_e0100aa63ffeSmLLsVsZaQQj6c","parent":"ses_e0100c2d7ffeOR1o5j8s7pNOR4","agent":"general","text":"do it"}`,
	`{"id":4,"hook":"tool.before","session":"ses_1","call":"ses_1/call_2","tool":"bash","args":{"command":"cd x && echo > y","workdir":"sub"}}`,
	`{"id":5,"hook":"tool.after","session":"ses_1","call":"ses_1/call_2","tool":"bash","args":{"command":"go test"},"exit":3}`,
	`{"id":6,"hook":"tool.after","session":"ses_1","call":"ses_1/call_3","tool":"bash","args":{"command":"go test"},"exit":null}`,
	`{"id":7,"hook":"tool.before","session":"ses_1","tool":"apply_patch","args":{"patchText":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}}`,
	`{"id":8,"hook":"tool.before","session":"ses_1","call":"c","tool":"idumb_govern_task","args":{"action":"start","task":"t"}}`,
	`{"id":9,"hook":"system","session":"ses_1"}`, `{"id":10,"hook":"tail","session":"ses_1","unheld":true}`,
	`{"id":11,"hook":"compacting","session":"ses_1"}`, `{"id":12,"hook":"idle","session":"ses_1","held":true,"ended":false}`,
	`{"id":"x","hook":"tool.before"}`, `{"id":{"a":[1]},"hook":5}`, `{"id":13,"hook":"tool.before","session":[],"tool":{},"args":[]}`,
	`{"hook":"tool.before"`, `[]`, `null`, ``,
}

// FuzzOpenCodeLine: whatever a line holds, it gets one line of JSON in answer, under
// its own id, and nothing breaks.
func FuzzOpenCodeLine(f *testing.F) {
	root := governedFolder(f)
	for _, seen := range opencodeLinesSeen {
		f.Add(seen)
	}
	f.Fuzz(func(t *testing.T, input string) {
		clean(t, root)
		input = strings.ReplaceAll(input, "\n", " ")
		var out bytes.Buffer
		in, _ := hosts.ReadRequest([]byte(input))
		if dir := in.Text("directory"); dir != "" && dir != "/p" {
			t.Skip() // not another folder of this machine
		}
		x := &opencodeExchange{
			run: run{host: hosts.OpenCode{}, env: environment{"HOME=" + root}, now: fuzzNow, called: "."}, line: []byte(input), process: newWatchedWork(),
		}
		t.Chdir(root)
		out.Write(unbroken(x.answer, x.giveUp).Stdout)
		answer, err := hosts.ReadObject(out.Bytes())
		require.NoError(t, err, out.String())
		require.NotContains(t, answer.Text("problem"), "The hook broke")
		want := "0"
		if id, ok := in.Object["id"]; ok {
			want = string(id)
		}
		require.JSONEq(t, want, string(answer["id"]))
		require.Equal(t, 1, bytes.Count(out.Bytes(), []byte{'\n'}))
	})
}
