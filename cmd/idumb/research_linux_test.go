package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// headlessHost is what scripts run in the place of an agent's host: it leaves what it was given
// in files of its folder, and answers as Claude Code does. HEADLESS says how: hang, fail or answer.
func headlessHost() {
	asked, _ := io.ReadAll(bufio.NewReader(os.Stdin))
	_ = os.WriteFile("given.args", []byte(strings.Join(os.Args[1:], "\n")+"\n"), 0o600)
	_ = os.WriteFile("given.stdin", asked, 0o600)
	_ = os.WriteFile("given.env", []byte(os.Getenv("IDUMB_DELEGATION")+" "+os.Getenv("CLAUDECODE")+"\n"), 0o600)
	switch os.Getenv("HEADLESS") {
	case "hang":
		below := exec.Command("sleep", "300")
		below.Stdout = os.Stdout
		_ = below.Start()
		_ = os.WriteFile("given.pid", fmt.Appendf(nil, "%d\n", below.Process.Pid), 0o600)
		time.Sleep(5 * time.Minute)
	case "fail":
		fmt.Println(`{"type":"result","is_error":true,"result":"no credit left","session_id":"x"}`)
		os.Exit(1)
	}
	fmt.Println(`{"type":"result","is_error":false,"session_id":"x","total_cost_usd":0.25,"usage":{"input_tokens":3,"output_tokens":4},` +
		`"result":"I looked.\nFINDING: the gateway refreshes tokens, gateway.go:12\nFINDING: every ten minutes, gateway.go:40"}`)
}
