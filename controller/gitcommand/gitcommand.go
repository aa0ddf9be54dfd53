// Package gitcommand builds all git commands of this module.
//
// A repository may be untrusted, and its configuration can name programs: a
// file system monitor, hooks, a diff driver. Commands of this package start
// none of them, use no pager and do not prompt. They use the repository of
// their directory, independent of the caller's environment. The user's
// identity, credential helpers and global configuration apply.
package gitcommand

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// safe contains the options of every command. The names after -c are documented
// in git-config(1).
var safe = []string{
	"--no-pager",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,

	"-c", "safe.bareRepository=explicit", // a directory of the work tree can look like a repository
	"-c", "diff.external=", "-c", "log.showSignature=false",
	"-c", "credential.interactive=false", "-c", "protocol.ext.allow=never",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false",
}

// local lists the variables that select a repository or change the meaning of
// arguments. In a git hook, they select another repository. Most are printed by
// git rev-parse --local-env-vars.
var local = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_GRAFT_FILE",
	"GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX",
	"GIT_ATTR_SOURCE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

// quiet contains the variables with which git and ssh do not prompt and write
// English messages.
var quiet = []string{
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GIT_EDITOR=:", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C",
}

// New returns a git command in a directory that cannot access a remote. In a
// partial clone git would fetch missing objects, with a transport that the
// repository chooses.
func New(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return command(ctx, dir, append(inherited(), "GIT_ALLOW_PROTOCOL="), args)
}

// Remote returns a git command in a directory that may access a remote.
func Remote(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return command(ctx, dir, inherited(), args)
}

// Anonymous returns a git command that accesses a remote without any
// repository, configuration or credentials of the user.
func Anonymous(ctx context.Context, args ...string) *exec.Cmd {
	env := []string{"HOME=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=" + os.DevNull}
	for _, name := range []string{"PATH", "https_proxy", "http_proxy", "no_proxy", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SystemRoot"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return command(ctx, os.TempDir(), env, append([]string{"-c", "credential.helper="}, args...))
}

// inherited returns the caller's environment without the variables in local.
func inherited() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(local, name)
	})
}

// command returns a git command with the settings that start no other programs
// and never prompt.
func command(ctx context.Context, dir string, env, args []string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append(slices.Clone(safe), args...)...)
	c.Dir, c.Env = dir, append(env, quiet...)
	detach(c)
	return c
}
