//go:build linux

package kube

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// recorded is a line of a recording (hack/e2e/kube -record): what a client sent, and how that was
// answered.
type recorded struct {
	Method, Path, Accept, ContentType string
	Body                              []byte
	Code                              int
}

// What clients sent once is answered the same again: two kubectl, and k9s v0.50.16.
func TestRecordedRequests(t *testing.T) {
	for _, client := range []string{"kubectl-1.37", "kubectl-1.32", "k9s"} {
		t.Run(client, func(t *testing.T) {
			s := openShop(t)
			s.write("tasks/db-schema", `{"metadata": {"labels": {"area": "db"}}, "spec": {"workPlan": "accounts", "title": "The schema", "expectedOutput": "x"}}`)
			s.write("tasks/login-form", `{"spec": {"workPlan": "accounts", "expectedOutput": "x", "dependsOn": ["login-api"]}}`)
			require.NoError(t, s.root.AppendEvent(resources.Event{Time: resources.NewTime(s.server.started), Type: "Normal", Reason: "Made", Object: "task/db-schema", Message: "it was made"}))
			file, err := os.Open("testdata/" + client + ".jsonl")
			require.NoError(t, err)
			defer file.Close()
			n := 0
			for lines := bufio.NewScanner(file); lines.Scan(); n++ {
				var r recorded
				require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
				s.resend(&r)
			}
			assert.Greater(t, n, 15)
		})
	}
}

// ofThen are what a recorded body says of the object as it was then.
var ofThen = regexp.MustCompile(`"(resourceVersion|uid)":"[^"]+"`)

// ofNow is the body as the client would send it now, if it was let through then.
func (s *shop) ofNow(r *recorded) string {
	if r.Code >= http.StatusBadRequest || !ofThen.Match(r.Body) {
		return string(r.Body)
	}
	path, _, _ := strings.Cut(r.Path, "?")
	meta := s.get(path)["metadata"].(map[string]any)
	return ofThen.ReplaceAllStringFunc(string(r.Body), func(found string) string {
		name := strings.Split(found, `"`)[1]
		return fmt.Sprintf("%q:%q", name, meta[name])
	})
}

// resend sends one request again. A watch is answered until its first line.
func (s *shop) resend(r *recorded) {
	response := s.ask(r.Method, r.Path, s.ofNow(r), "Accept", r.Accept, "Content-Type", r.ContentType)
	defer response.Body.Close()
	watches := strings.Contains(r.Path, "watch=true")
	var text []byte
	var err error
	if !watches {
		text, err = io.ReadAll(response.Body)
	}
	require.NoError(s.t, err)
	assert.Equal(s.t, r.Code, response.StatusCode, "%s %s %s: %s", r.Method, r.Path, r.Body, text)
	if watches || response.Header.Get("Content-Type") == "text/plain; charset=utf-8" {
		return
	}
	assert.True(s.t, json.Valid(text), "%s: %s", r.Path, text)
	assert.False(s.t, bytes.Contains(text, []byte(`:null,"`)) && r.Method == http.MethodGet && strings.HasPrefix(r.Path, own), "a list that is null: %s", text)
}
