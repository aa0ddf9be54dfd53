//go:build linux

package page

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

func TestWhatIsSaidOnThePage(t *testing.T) {
	s := openShop(t)
	token := s.token()
	did := func(name string, in actRequest) string {
		t.Helper()
		status, text := s.act(token, name, in)
		require.Equal(t, http.StatusOK, status, text)
		var said struct{ Object string }
		require.NoError(t, json.Unmarshal([]byte(text), &said))
		return strings.TrimPrefix(said.Object, "comments/")
	}
	c := resources.Key{Kind: resources.Comments, Name: did("comment", actRequest{Object: "task/form", ResourceVersion: "seen long ago", Said: acts.Said{Content: "Same error for both."}})}
	assert.Equal(t, "instruction", s.spec(c, "type"))
	assert.Equal(t, "task/form", s.spec(c, "about"))
	status, text := s.act(token, "release", actRequest{Object: "task/form"})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, "is not held")
	status, text = s.act(token, "hold", actRequest{Object: "task/form"})
	assert.Equal(t, http.StatusUnprocessableEntity, status, "an empty text neither holds nor releases: %s", text)
	held := did("hold", actRequest{Object: "task/form", Said: acts.Said{Content: "Which way?"}})
	assert.Equal(t, true, s.spec(resources.Key{Kind: resources.Comments, Name: held}, "hold"))
	status, text = s.act(token, "hold", actRequest{Object: "task/form"})
	assert.Equal(t, http.StatusUnprocessableEntity, status, "an empty text neither holds nor releases: %s", text)
	released := resources.Key{Kind: resources.Comments, Name: did("release", actRequest{Object: "task/form"})}
	assert.Equal(t, []any{held}, s.spec(released, "resolves"))
	asked := did("hold", actRequest{Object: "task/form", Said: acts.Said{Content: "And that way?"}})
	assert.Equal(t, asked, s.spec(resources.Key{Kind: resources.Comments, Name: did("answer", actRequest{Object: "comment/" + asked, Said: acts.Said{Content: "That one."}})}, "inReplyTo"))
	status, text = s.act(token, "release", actRequest{Object: "task/form"})
	assert.Equal(t, http.StatusUnprocessableEntity, status, "it was answered: %s", text)
	status, text = s.act(token, "comment", actRequest{Object: "task/form", Said: acts.Said{Content: strings.Repeat("x", 3000)}})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
}

// denied has the gate deny a call of a session, and returns what it is called.

func TestADenialIsDecidedAboutOnThePage(t *testing.T) {
	s := openShop(t)
	token := s.token()
	id := s.denied("git push --force")
	session := "session/s-9"
	status, text := s.act(token, "allow", actRequest{Object: session})
	assert.Equal(t, http.StatusUnprocessableEntity, status, "it is not said which: %s", text)
	status, text = s.act(token, "allow", actRequest{Object: session, Args: []string{"000000000000"}})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
	status, text = s.act(token, "allow", actRequest{Object: session, Args: []string{id}, Call: "shell git push --force", Said: acts.Said{Reason: "mine"}})
	require.Equal(t, http.StatusOK, status, text)
	require.Len(t, grants.List(s.root, time.Now()), 1)
	assert.Equal(t, "mine", grants.List(s.root, time.Now())[0].Reason)
	open, err := records.OpenDenials(s.root, time.Time{})
	require.NoError(t, err)
	assert.Empty(t, open)
	for _, long := range []string{"git push --force " + strings.Repeat("a", 300), "git push --force\ngit push --force mirror"} {
		name := s.denied(long)
		status, text = s.act(token, "allow", actRequest{Object: session, Args: []string{name}, Call: long[:20]})
		assert.Equal(t, http.StatusUnprocessableEntity, status, long)
		assert.Contains(t, text, "does not show all of it")
		var shown queries.Violations
		_, text, _ = s.send(http.MethodGet, "/q/violations?name="+name, token, nil, nil)
		require.NoError(t, json.Unmarshal([]byte(text), &shown), text)
		require.Len(t, shown.Items, 1)
		assert.True(t, strings.HasSuffix(shown.Items[0].Text, long), "all of it: %s", text)
		assert.Empty(t, shown.Items[0].Refused)
		status, text = s.act(token, "allow", actRequest{Object: session, Args: []string{name}, Call: shown.Items[0].Text})
		assert.Equal(t, http.StatusOK, status, text)
	}
	status, text = s.act(token, "fine", actRequest{Object: session, Args: []string{"--fine", s.denied("git push --force --all")}})
	require.Equal(t, http.StatusOK, status, text)
	require.Len(t, grants.List(s.root, time.Now()), 3)
	open, err = records.OpenDenials(s.root, time.Time{})
	require.NoError(t, err)
	assert.Empty(t, open)
	status, text = s.act(token, "allow", actRequest{Object: "task/form", Args: []string{id}})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
}
