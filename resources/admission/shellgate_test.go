package admission

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// gated is a call that runs a command line, as the hook sees it.
func gated(line string) Call {
	v := command.Read(line, command.Options{}).Verdict
	return Call{Tool: "Bash", Action: Shell, Command: line, Runs: runs(line), Session: "s1", Gate: &v}
}

func TestShellGate(t *testing.T) {
	for _, tc := range []struct {
		line string
		mode string
		want Outcome
	}{
		{"git push --force", ModeEnforce, Deny},
		{"git push --force", ModeLog, Record},
		{"git push --force", ModeOff, NoOpinion},
		{"git push --force-with-lease", ModeEnforce, NoOpinion},
		{"git commit --no-verify -m x", ModeEnforce, AskPerson},
		{"git commit --no-verify -m x", ModeLog, Record},
		{"git commit -m x", ModeEnforce, NoOpinion},
		{"rm -rf src", ModeEnforce, Deny},
		{"rm -rf node_modules", ModeEnforce, NoOpinion},
		{"$X", ModeEnforce, AskPerson},
	} {
		t.Run(tc.mode+" "+tc.line, func(t *testing.T) {
			w := newWorld()
			w.settings.Mode = tc.mode
			v := Decide(gated(tc.line), w)
			assert.Equal(t, tc.want, v.Outcome, v.Reason.Text())
			if tc.want == AskPerson {
				assert.Equal(t, Deny, v.WithoutAsking().Outcome)
			}
		})
	}
}

// TestShellGateAsksLast: what another rule denies is not put before the person.
func TestShellGateAsksLast(t *testing.T) {
	w := newWorld()
	w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Deny: []string{"git commit"}}})
	v := Decide(gated("git commit --no-verify -m x"), w)
	assert.Equal(t, Deny, v.Outcome)
	assert.Equal(t, "role-shell", v.Reason.Rule)
}

func TestShellGateTexts(t *testing.T) {
	hosts := command.Overwrite("/etc/hosts", command.Options{})
	for name, call := range map[string]Call{
		"shell-gate": gated(`bash -c "git push -qf"`), "shell-gate-ask": gated("git commit -nm wip"),
		"shell-gate-write": {Tool: "Write", Action: Write, Paths: []Path{{Given: "../../etc/hosts"}}, Session: "s1", Gate: &hosts},
	} {
		t.Run(name, func(t *testing.T) {
			got := Decide(call, newWorld()).Reason.Text() + "\n"
			file := "testdata/" + name + ".txt"
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

// TestShellGateUsesInstead: what a denial proposes is let through as printed.
func TestShellGateUsesInstead(t *testing.T) {
	for _, line := range []string{
		"git push --force-with-lease", "git stash push", "git stash push -u -- . ':!.idumb'", "git restore FILE", "git revert COMMIT", "git branch backup-NAME COMMIT", "git branch backup-NAME stash@{0}", "git stash push -u -- src/a.go", "git worktree remove DIR", "chmod u+rw FILE", "rm FILE",
		"find . -name '*.tmp' -print", "dd if=/dev/zero of=disk.img bs=1M count=64", "SELECT=1 make", "xargs -P 4 echo", "kill PID", "systemctl status", "crontab -l",
	} {
		assert.Equal(t, command.Allow, command.Read(line, command.Options{}).Verdict.Verdict, line)
	}
}
