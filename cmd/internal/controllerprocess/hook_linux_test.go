package controllerprocess

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// BenchmarkHook asks one controller through its socket: about a call of an active task, and about a
// prompt. cpu-ms/op is the CPU time of the controller and of the question.
func BenchmarkHook(b *testing.B) {
	root := b.TempDir()
	b.Setenv("HOME", b.TempDir())
	b.Setenv("IDUMB_TRUST", root)
	b.Chdir(root)
	put := func(file, text string) {
		require.NoError(b, os.MkdirAll(layout.Root(root).Abs(file[:strings.LastIndexByte(file, '/')]), 0o755))
		require.NoError(b, os.WriteFile(layout.Root(root).Abs(file), []byte(text), 0o644))
	}
	put(".idumb/workplans/p.json", `{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`)
	for n := range 300 {
		state := ""
		if n == 0 {
			state = `, "state": "active", "paths": ["src/*.go"]`
		}
		put(fmt.Sprintf(".idumb/tasks/task-%d.json", n), fmt.Sprintf(`{"spec": {"workPlan": "p", "title": "Task %d", "expectedOutput": "x"%s}}`, n, state))
		put(fmt.Sprintf(".idumb/mems/mem-%d.json", n), fmt.Sprintf(`{"spec": {"title": "Mem %d", "content": "word%d"}}`, n, n))
	}
	var out output
	go func() { _ = Run(b.Context(), Options{Root: root, Version: "v1", Output: &out}) }()
	ask := func(event map[string]any) string {
		event["session_id"], event["cwd"] = "3b0f7d3e-2f3b-4c9e-9f2c-6a8f7d1f0a01", root
		data, err := json.Marshal(event)
		require.NoError(b, err)
		q := frame.Question{Host: "claude", Version: "v1", Cwd: root, Env: frame.RelevantEnv(os.Environ()), Event: data}
		head, err := q.AppendHead(nil)
		require.NoError(b, err)
		conn, err := (&net.Dialer{}).DialContext(context.Background(), "unix", layout.HookSocket)
		if err != nil {
			return err.Error()
		}
		defer conn.Close()
		_, _ = conn.Write(append(head, data...))
		_ = conn.(*net.UnixConn).CloseWrite()
		answer, _ := io.ReadAll(conn)
		return strings.TrimPrefix(string(answer), frame.Waiting)
	}
	require.Eventually(b, func() bool {
		return strings.HasPrefix(ask(map[string]any{"hook_event_name": "SessionStart", "source": "startup"}), "OK ")
	}, 20*time.Second, 50*time.Millisecond)
	for name, event := range map[string]func(n int) map[string]any{
		"before": func(n int) map[string]any { return call("PreToolUse", n, root) },
		"after":  func(n int) map[string]any { return call("PostToolUse", n, root) },
		"prompt": func(n int) map[string]any {
			return map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprintf("%d: how are session tokens renewed, and by whom?", n)}
		},
	} {
		b.Run(name, func(b *testing.B) {
			before, n := cpu(b), 0
			for b.Loop() {
				for !strings.HasPrefix(ask(event(n)), "OK ") { // a busy machine may be too late
				}
				n++
			}
			b.ReportMetric((cpu(b)-before).Seconds()*1000/float64(n), "cpu-ms/op")
		})
	}
}

func call(event string, n int, root string) map[string]any {
	return map[string]any{
		"hook_event_name": event, "tool_name": "Write", "tool_use_id": fmt.Sprint("toolu_", n), "tool_response": map[string]any{"success": true},
		"tool_input": map[string]any{"file_path": fmt.Sprintf("%s/src/f%d.go", root, n), "content": "package a\n"},
	}
}

// cpu returns the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
