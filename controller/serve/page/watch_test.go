//go:build linux

package page

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// line is what a watch says.
type line struct {
	Type   string
	Object struct {
		Kind     string
		Code     int
		Metadata struct{ Name, ResourceVersion string }
	}
}

func readLine(t *testing.T, lines <-chan string) (l line) {
	t.Helper()
	text, open := <-lines
	require.True(t, open, "the stream ended")
	require.NoError(t, json.Unmarshal([]byte(text), &l), text)
	return l
}

// Who was away goes on where they were, and hears of nothing twice.
func TestAWatchGoesOn(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	token := s.token()
	version := ""
	for lines := s.watch(token, "tasks"); version == ""; {
		if l := readLine(t, lines); l.Type == "BOOKMARK" {
			version = l.Object.Metadata.ResourceVersion
		}
	}
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/late.json"), []byte(`{"spec": {"workPlan": "accounts", "expectedOutput": "x"}}`), 0o644))
	lines := s.watch(token, "tasks&TaskNode="+version)
	heard := map[string]bool{}
	for {
		l := readLine(t, lines)
		if l.Type == "BOOKMARK" {
			assert.Greater(t, l.Object.Metadata.ResourceVersion, version, "it says how far it is")
			break
		}
		heard[l.Object.Metadata.Name] = true
	}
	assert.Equal(t, map[string]bool{"late": true}, heard)
	assert.Equal(t, 410, func() int {
		for lines := s.watch(token, "tasks&TaskNode=1"); ; {
			if l := readLine(t, lines); l.Type == "ERROR" {
				return l.Object.Code
			}
		}
	}(), "who was away for too long is told to read all anew")
}

// Several pages may hear by one stream: each is told that one of them was closed.
func TestAllAreToldThatOneIsRevoked(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first := s.token()
	own := s.link
	second := s.token()
	lines := s.watch(second, "tasks")
	s.link = own
	s.trade()
	for {
		if strings.Contains(<-lines, "REVOKED") {
			break
		}
	}
	status, _, _ := s.send("GET", "/me", first, nil, nil)
	assert.Equal(t, 401, status)
	status, _, _ = s.send("GET", "/me", second, nil, nil)
	assert.Equal(t, 200, status)
}
