package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/controller/records"
)

// A command that the gate denies runs once where a person allows it, and its agent is told.
func TestACommandIsAllowedOnce(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "claude-code")
	run := func(command string) reply {
		require.NoError(t, callers.Record(root, "t1", callers.Caller{Host: "claude", Session: "s1", Time: time.Now()}))
		return c.callAs("t1", "govern_shell", `{"command":"`+command+`"}`)
	}
	const push = "git push --force"
	require.Equal(t, "error", run(push).Status)
	all, err := records.Denials(root, time.Time{})
	require.NoError(t, err)
	require.Len(t, all, 1)
	v := all[0].Violation
	require.NoError(t, grants.Give(root, grants.Grant{Session: v.Session, Rule: v.Rule, CallDigest: v.Digest, Grantor: "person/ann", Reason: "mine"}, time.Now()))
	assert.Equal(t, "error", run(push+" --all").Status)
	assert.Equal(t, "error", c.call("govern_shell", `{"command":"`+push+`"}`).Status, "nobody named has a session")
	passed := run(push)
	assert.Equal(t, "success", passed.Status, passed.text)
	assert.Contains(t, passed.text, "exitCode")
	assert.Contains(t, passed.text, "ALLOWED ONCE by person/ann (mine)")
	assert.Equal(t, "error", run(push).Status)
}
