package gitcommand

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw runs git as a user does, to prepare a repository.
func raw(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@localhost"}, args...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// trap returns a program that leaves a mark when it runs, and reports whether it did.
func trap(t *testing.T) (program string, sprung func() bool) {
	t.Helper()
	dir := t.TempDir()
	program, mark := filepath.Join(dir, "trap"), filepath.Join(dir, "mark")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\ntouch '"+mark+"'\nexit 0\n"), 0o755))
	return program, func() bool {
		_, err := os.Stat(mark)
		return err == nil
	}
}

// hostile is a repository whose configuration and hooks name a program wherever git would run one.
func hostile(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	raw(t, dir, "init", "-q")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("a\n"), 0o644))
	raw(t, dir, "add", "a")
	raw(t, dir, "commit", "-q", "-m", "a")
	for _, key := range []string{"core.fsmonitor", "core.pager", "diff.external", "core.editor", "core.askPass", "gpg.program"} {
		raw(t, dir, "config", key, program)
	}
	raw(t, dir, "config", "log.showSignature", "true")
	hooks := filepath.Join(dir, "hooks-of-a-stranger")
	require.NoError(t, os.Mkdir(hooks, 0o755))
	for _, name := range []string{"post-index-change", "reference-transaction", "pre-commit", "post-checkout", "pre-push"} {
		require.NoError(t, os.Symlink(program, filepath.Join(hooks, name)))
		require.NoError(t, os.Symlink(program, filepath.Join(dir, ".git", "hooks", name)))
	}
	return dir
}

// calls change the index, refs and nothing else; each starts some of those programs in plain git.
var calls = [][]string{
	{"status", "--porcelain"}, {"ls-files", "-z", "-m"}, {"rm", "--cached", "-q", "--ignore-unmatch", "--", "a"}, {"add", "a"}, {"diff", "HEAD"},
	{"log", "-p", "--format=%G?"}, {"update-ref", "refs/x/y", "HEAD"}, {"symbolic-ref", "--quiet", "--short", "HEAD"},
}

func TestNoProgramOfTheRepositoryRuns(t *testing.T) {
	for _, paths := range []string{"", "hooks-of-a-stranger"} {
		program, sprung := trap(t)
		dir := hostile(t, program)
		if paths != "" {
			raw(t, dir, "config", "core.hooksPath", paths)
		}
		_ = os.Remove(filepath.Join(filepath.Dir(program), "mark"))
		for _, args := range calls {
			for name, build := range map[string]func() *exec.Cmd{"New": func() *exec.Cmd { return New(t.Context(), dir, args...) }, "Remote": func() *exec.Cmd { return Remote(t.Context(), dir, args...) }} {
				out, err := build().CombinedOutput()
				assert.NoError(t, err, "%s %v: %s", name, args, out)
				assert.False(t, sprung(), "%s %v started a program of the repository", name, args)
			}
		}
		plain := exec.Command("git", "status", "--porcelain")
		plain.Dir = dir
		_ = plain.Run()
		assert.True(t, sprung(), "the trap works: plain git springs it")
	}
}

// A directory that a clone brings can look like a bare repository with a configuration of its own.
func TestABareRepositoryInTheTreeIsNotUsed(t *testing.T) {
	program, sprung := trap(t)
	dir := t.TempDir()
	raw(t, dir, "init", "-q")
	below := filepath.Join(dir, "sub")
	raw(t, dir, "init", "-q", "--bare", below)
	raw(t, below, "config", "core.bare", "false")
	raw(t, below, "config", "core.worktree", "..")
	raw(t, below, "config", "core.fsmonitor", program)
	_, err := New(t.Context(), below, "status", "--porcelain").CombinedOutput()
	assert.Error(t, err)
	assert.False(t, sprung())
	plain := exec.Command("git", "status", "--porcelain")
	plain.Dir = below
	_ = plain.Run()
	assert.True(t, sprung(), "the trap works: plain git springs it")
}

// A git hook has variables that select its repository. They mean another one than the call's.
func TestTheCallersRepositoryIsNotUsed(t *testing.T) {
	other, dir := t.TempDir(), t.TempDir()
	raw(t, other, "init", "-q", "-b", "other")
	raw(t, dir, "init", "-q", "-b", "mine")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, "index"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "somebody")
	for _, build := range []func() *exec.Cmd{
		func() *exec.Cmd { return New(t.Context(), dir, "symbolic-ref", "--short", "HEAD") },
		func() *exec.Cmd { return Remote(t.Context(), dir, "symbolic-ref", "--short", "HEAD") },
	} {
		out, err := build().Output()
		require.NoError(t, err)
		assert.Equal(t, "mine\n", string(out))
	}
}

// Identity, credential helpers and global configuration are the user's.
func TestTheUsersConfigurationApplies(t *testing.T) {
	dir, global := t.TempDir(), filepath.Join(t.TempDir(), "gitconfig")
	raw(t, dir, "init", "-q")
	require.NoError(t, os.WriteFile(global, []byte("[user]\nname = Ada\n[credential]\nhelper = store\n[core]\nsshCommand = ssh -i key\n"), 0o600))
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_AUTHOR_EMAIL", "ada@localhost")
	t.Setenv("GIT_SSH_COMMAND", "ssh -v")
	for key, value := range map[string]string{"user.name": "Ada", "credential.helper": "store", "core.sshCommand": "ssh -i key"} {
		out, err := Remote(t.Context(), dir, "config", key).Output()
		require.NoError(t, err)
		assert.Equal(t, value+"\n", string(out))
	}
	env := Remote(t.Context(), dir, "push").Environ()
	assert.Contains(t, env, "GIT_AUTHOR_EMAIL=ada@localhost")
	assert.Contains(t, env, "GIT_SSH_COMMAND=ssh -v")
	anonymous := strings.Join(Anonymous(t.Context(), "ls-remote").Env, "\n")
	assert.NotContains(t, anonymous, "ada@localhost")
	assert.NotContains(t, anonymous, global)
}
