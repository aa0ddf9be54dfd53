package agents

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// codexTimeout is the timeout for Codex to list its hooks. An idle machine needs less than a
// second.
const codexTimeout = 10 * time.Second

// deadProxy is the address of a proxy without a listener, so that network requests fail immediately.
const deadProxy = "http://127.0.0.1:9"

// codexHook is a hook as reported by Codex's app server.
type codexHook struct {
	Event   string `json:"eventName"`
	Command string `json:"command"`
	Source  string `json:"source"`
	Enabled bool   `json:"enabled"`
	Trust   string `json:"trustStatus"` // trusted, untrusted, modified or managed
}

// codexTrust queries Codex for the hooks that it runs in the repository. It uses a temporary
// copy of the user's settings and no network, so that the query has no side effects. problem is
// empty if all hooks run.
func codexTrust(binary, root string) (problem string, err error) {
	home, err := codexHome()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	ctx, cancel := context.WithTimeout(context.Background(), codexTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "app-server")
	cmd.Dir, cmd.WaitDelay = home, time.Second
	cmd.Env = append(os.Environ(), "CODEX_HOME="+home, "HTTPS_PROXY="+deadProxy, "HTTP_PROXY="+deadProxy, "https_proxy="+deadProxy, "http_proxy="+deadProxy)
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	hooks, err := listCodexHooks(in, out, root)
	if err != nil {
		return "", fmt.Errorf("codex app-server did not list its hooks: %w", err)
	}
	return judgeCodexHooks(hooks), nil
}

// codexHome creates a directory with a copy of the user's settings.
func codexHome() (string, error) {
	from := userConfigDir("CODEX_HOME", ".codex")
	if from == "" {
		return "", errors.New("cannot find the settings of Codex: no home directory; set HOME or CODEX_HOME")
	}
	home, err := os.MkdirTemp("", "idumb-codex-")
	if err != nil {
		return "", err
	}
	text, err := readFile(filepath.Join(from, "config.toml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "config.toml"), text, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		os.RemoveAll(home)
		return "", err
	}
	return home, nil
}

// listCodexHooks queries the app server with its protocol, a line of JSON for each message.
func listCodexHooks(in io.Writer, out io.Reader, root string) ([]codexHook, error) {
	type object = map[string]any
	e := json.NewEncoder(in)
	if err := errors.Join(
		e.Encode(object{"id": 1, "method": "initialize", "params": object{"clientInfo": object{"name": "idumb-doctor", "version": "1"}}}),
		e.Encode(object{"method": "initialized"}),
		e.Encode(object{"id": 2, "method": "hooks/list", "params": object{"cwds": []string{root}}}),
	); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var answer struct {
			ID     int             `json:"id"`
			Error  json.RawMessage `json:"error"`
			Result struct {
				Data []struct {
					Hooks []codexHook `json:"hooks"`
				} `json:"data"`
			} `json:"result"`
		}
		if json.Unmarshal(lines.Bytes(), &answer) != nil || answer.ID != 2 {
			continue
		}
		if answer.Error != nil || len(answer.Result.Data) == 0 {
			return nil, fmt.Errorf("it answered %s", lines.Text())
		}
		return answer.Result.Data[0].Hooks, nil
	}
	return nil, errors.Join(errors.New("it ended without an answer"), lines.Err())
}

// judgeCodexHooks describes the hooks that Codex does not run, empty if it runs all.
func judgeCodexHooks(hooks []codexHook) string {
	var asleep []string
	ours := 0
	for _, h := range hooks {
		if h.Source != "project" || !startsHook(action{Command: h.Command}.words(), []string{"codex"}) {
			continue
		}
		ours++
		if !h.Enabled || h.Trust != "trusted" && h.Trust != "managed" {
			asleep = append(asleep, h.Event)
		}
	}
	slices.Sort(asleep)
	switch {
	case ours == 0:
		return "Codex reads no hook of this repository: it does not trust the project"
	case len(asleep) > 0:
		return "Codex does not run the hooks " + strings.Join(asleep, ", ") + ": they are not trusted"
	}
	return ""
}
