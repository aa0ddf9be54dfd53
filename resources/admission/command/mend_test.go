package command

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBundledShellOptions: a shell's options are read as the shell reads them, wherever it is
// started from.
func TestBundledShellOptions(t *testing.T) {
	for _, front := range []string{"", "sudo -E ", "env -i A=b ", "docker run --rm alpine ", "kubectl exec pod -- ", "timeout 5 "} {
		for _, shell := range []string{"bash -euo pipefail -c", "bash -o pipefail -ec", "sh -euc", "bash -O extglob -c", "bash +e -c", "bash -c -e", "zsh -o extendedglob -c"} {
			assert.NotEqual(t, Allow, evaluate(front+shell+" 'git push --force'", Options{}).Verdict, front+shell)
			assert.Equal(t, Allow, evaluate(front+shell+" 'git status'", Options{}).Verdict, front+shell)
		}
	}
	assert.NotEqual(t, Allow, evaluate(`ssh -p 22 host "bash -euo pipefail -c 'git push --force'"`, Options{}).Verdict)
	assert.Equal(t, Allow, evaluate(`ssh host "bash -euo pipefail -c 'git status'"`, Options{}).Verdict)
}

// TestLinksOfTheLine: what goes through a link that the line made before is judged, and kept,
// where the link leads; the link itself may be removed.
func TestLinksOfTheLine(t *testing.T) {
	for line, verdict := range map[string]string{
		"ln -s / r && rm -rf r/etc":                      Deny,
		"ln -sfn /etc e && echo x > e/motd":              Ask,
		"ln -s ~/.ssh k; cat p >> k/authorized_keys":     Deny,
		"ln -s ../lib l && rm l":                         Allow,
		"ln -s /tmp/x l && rm -rf l/build && echo > l/a": Allow,
	} {
		assert.Equal(t, verdict, evaluate(line, Options{}).Verdict, line)
	}
	r := Read("ln -s .idumb/roles x && sed -i s/a/b/ x/executor.json", Options{Root: "/repo"})
	assert.Condition(t, func() bool { return touches(r, "/repo/.idumb/roles/executor.json") }, "%+v", r.Files)
}

// touches reports whether a line touches a file of that name.
func touches(r Reading, file string) bool {
	return slices.ContainsFunc(r.Files, func(f File) bool { return f.Word.Text == file })
}

// TestInPlace: awk that edits in place writes its files, and what another command of the line
// finds for such a program counts as far as it is governed.
func TestInPlace(t *testing.T) {
	for _, line := range []string{"gawk -i inplace 1 .idumb/roles/a.json", "awk --include=inplace -f p.awk .idumb/roles/a.json"} {
		r := Read(line, Options{Root: "/repo"})
		assert.Equal(t, ".idumb/roles/a.json", r.Files[len(r.Files)-1].Word.Text, line)
	}
	r := Read("sed -i s/a/b/ $(git ls-files .idumb/roles)", Options{Root: "/repo"})
	assert.True(t, touches(r, ".idumb/roles"), "%+v", r.Files)
	assert.Empty(t, Read("awk '{print}' a.txt", Options{}).Files)
}

// TestSingleFilesOverChanges: checking out or restoring a file asks where that file has changes.
func TestSingleFilesOverChanges(t *testing.T) {
	changed := Options{Root: "/repo", Changed: func(file string) bool { return file == "src/a.go" }}
	for line, verdict := range map[string]string{
		"git checkout -- src/a.go": Ask, "git restore src/a.go": Ask, "git checkout main -- src/a.go": Ask,
		"cd src && git restore ./a.go": Ask, "git checkout -- src/b.go": Allow, "git restore --staged src/a.go": Allow,
		"git diff --name-only | xargs git checkout --": Ask,
	} {
		assert.Equal(t, verdict, evaluate(line, changed).Verdict, line)
	}
}
