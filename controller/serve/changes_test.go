package serve

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// lines reads lines as they come; "" is the end.
func lines(body io.Reader) func() string {
	s := bufio.NewScanner(body)
	return func() string {
		s.Scan()
		return s.Text()
	}
}

// Who waits from the version of an answer on is told of each change of whatever kind, and of its end; who
// comes later, of all that came since.
func TestChanges(t *testing.T) {
	s := openShop(t)
	client, err := Dial(t.Context(), s.root)
	require.NoError(t, err)
	defer client.Close()
	body, err := client.Question(t.Context(), queries.AskDash, nil)
	require.NoError(t, err)
	var answer queries.Dash
	require.NoError(t, queries.Receive(body, &answer))
	require.NoError(t, body.Close())
	require.NotZero(t, answer.Version)
	require.Len(t, answer.Tasks, 3)
	assert.Equal(t, queries.DashTask{Name: "form", Plan: "p", Title: "form", Phase: "blocked", Needs: []string{"schema"}, Waits: []string{"schema"}, Labels: map[string]string{"area": "web"}}, answer.Tasks[0])
	assert.Equal(t, "<b>", answer.Tasks[1].Title)
	assert.True(t, answer.Tasks[1].Ready)
	assert.Equal(t, "Invalid", answer.Tasks[2].Phase)

	told, err := client.Changes(t.Context(), answer.Version)
	require.NoError(t, err)
	defer told.Close()
	next := lines(told)
	s.write("tasks/schema", done)
	assert.Contains(t, next(), `"version":`)
	s.write("mems/new", `{"spec": {"content": "x"}}`)
	for line := next(); !strings.Contains(line, "version"); {
		t.Fatal(line)
	}
	again, err := client.Changes(t.Context(), answer.Version)
	require.NoError(t, err)
	defer again.Close()
	assert.Contains(t, lines(again)(), `"version":`)
	ended := make(chan struct{})
	go func() {
		for next() != "" {
		}
		close(ended)
	}()
	s.end()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on without its controller")
	}
}

// From now on: what was before is not told, what comes is.
func TestChangesFromNow(t *testing.T) {
	s := openShop(t)
	client, err := Dial(t.Context(), s.root)
	require.NoError(t, err)
	defer client.Close()
	told, err := client.Changes(t.Context(), FromNow)
	require.NoError(t, err)
	defer told.Close()
	s.write("mems/new", `{"spec": {"content": "x"}}`)
	assert.Contains(t, lines(told)(), `"version":`)
}

// A version that is not known ends the answer at once: ask again. What is no version is refused.
func TestChangesFromNowhere(t *testing.T) {
	s := openShop(t)
	client, err := Dial(t.Context(), s.root)
	require.NoError(t, err)
	defer client.Close()
	told, err := client.Changes(t.Context(), 1<<60)
	require.NoError(t, err)
	defer told.Close()
	assert.Empty(t, lines(told)())
	err = client.Ask(t.Context(), "GET", changesPath+"?resourceVersion=x", nil)
	assert.ErrorContains(t, err, "resourceVersion must be the version of an earlier response")
}
