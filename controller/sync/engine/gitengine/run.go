package gitengine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// gitTimeout is the timeout of one git command.
const gitTimeout = 20 * time.Second

// plainPush contains the settings for a push that sends only the named refs.
var plainPush = []string{"-c", "push.followTags=false", "-c", "push.recurseSubmodules=no", "-c", "push.pushOption=", "-c", "push.gpgSign=false"}

// output is the output of a git command.
type output struct{ text, err string }

// git runs git in the repository. The error contains git's message.
func (e *Engine) git(ctx context.Context, in []byte, args ...string) (output, error) {
	return e.gitWith(ctx, nil, in, args...)
}

// gitWith is like git with additional environment variables.
func (e *Engine) gitWith(ctx context.Context, env []string, in []byte, args ...string) (output, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	c := gitcommand.Remote(ctx, e.Dir, append(slices.Clone(plainPush), args...)...)
	c.Env = append(append(c.Env, e.environment(ctx)...), env...)
	c.Stdin = bytes.NewReader(in)
	c.WaitDelay = time.Second
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	o := output{out.String(), said.String()}
	switch {
	case err == nil:
		return o, nil
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return o, fmt.Errorf("git %s: no answer in %s", args[0], gitTimeout)
	case errors.Is(err, exec.ErrNotFound):
		return o, &engine.PersonError{Err: err, Step: "install git"}
	}
	return o, e.failure(args[0], o.err, err)
}

// environment returns the engine's environment variables: its object store, and
// ssh without prompts unless the user has set an ssh command.
func (e *Engine) environment(ctx context.Context) (env []string) {
	if os.Getenv("GIT_SSH_COMMAND") == "" && !e.ownSSH(ctx) {
		env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes -o ConnectTimeout=10")
	}
	return append(env, e.separateStore(ctx)...)
}

// separateStore returns the environment variables that store objects of the state in a
// separate directory. No ref of the clone reaches them, so git would remove
// them from the clone's own object store.
func (e *Engine) separateStore(ctx context.Context) []string {
	if e.Cache == "" {
		return nil
	}
	e.store.Do(func() {
		out, err := gitcommand.New(ctx, e.Dir, "rev-parse", "--git-path", "objects").Output()
		own := filepath.Join(e.Cache, "objects")
		if err != nil || os.MkdirAll(own, 0o700) != nil {
			return
		}
		at := strings.TrimSuffix(string(out), "\n")
		if !filepath.IsAbs(at) {
			at = filepath.Join(e.Dir, at)
		}
		e.objects = []string{"GIT_OBJECT_DIRECTORY=" + own, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + strconv.Quote(at)}
	})
	return e.objects
}

// ownSSH reports whether the user has set an ssh command.
func (e *Engine) ownSSH(ctx context.Context) bool {
	e.ssh.Do(func() {
		out, _ := gitcommand.New(ctx, e.Dir, "config", "core.sshCommand").Output()
		e.own = len(bytes.TrimSpace(out)) > 0
	})
	return e.own
}

// userActionMessages lists messages of git and ssh for failures that need a user. They
// come from git's remote-curl.c, credential.c, connect.c and
// builtin/receive-pack.c, from OpenSSH's sshconnect.c, and from GitHub, GitLab
// and Gitea.
var userActionMessages = []string{
	"authentication failed", "could not read username", "could not read password", "permission denied", "host key verification failed",
	"repository not found", "does not appear to be a git repository", "not a git repository", "terminal prompts disabled", "access denied",
	"error: 403", "error: 401", "denied to", "protected", "pre-receive hook declined", "denied by", "no such remote", "does not support --atomic",
}

// failure converts git's output to an error.
func (e *Engine) failure(verb, said string, err error) error {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "hint:") && !strings.HasPrefix(line, "To ") {
			err = errors.New(line)
			break
		}
	}
	err = fmt.Errorf("git %s: %w", verb, err)
	low := strings.ToLower(said)
	switch {
	case !slices.ContainsFunc(userActionMessages, func(words string) bool { return strings.Contains(low, words) }):
		return err
	case verb == "push":
		return &engine.PersonError{Err: err, Step: "the team's changes still arrive, and yours are sent when you may push to " + e.Remote + " without a question: idumb sync now", SendOnly: true}
	}
	return &engine.PersonError{Err: err, Step: "see that `git ls-remote " + e.Remote + "` works without a question, then run idumb sync now"}
}
