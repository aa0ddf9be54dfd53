package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestProgramsOfSettings: a program that a variable or a setting names is judged as a command line. One that the
// variable switches off, or that only shows or compiles, passes.
func TestProgramsOfSettings(t *testing.T) {
	const harm = "rm -rf src"
	for _, line := range []string{
		"BAT_PAGER='" + harm + "' bat a", "DELTA_PAGER='" + harm + "' git diff", "export GH_EDITOR='" + harm + "'; gh pr create", "KUBE_EDITOR='" + harm + "' kubectl edit deploy x",
		"SVN_SSH='" + harm + "' svn up", `RSYNC_RSH='sh -c "rm -rf src"' rsync a h:b`, "CC='" + harm + "' make", "make CC='" + harm + ";'", "make PAGER='" + harm + "'",
		"CARGO_TARGET_X_RUNNER='" + harm + "' cargo test", "CARGO_BUILD_RUSTC_WRAPPER='" + harm + "' cargo build", "MAKEFLAGS='--eval=$(shell " + harm + ")' make",
		`TAR_OPTIONS="--checkpoint-action=exec='rm -rf src'" tar cf /tmp/a.tar b`, `MANOPT='-P "rm -rf src"' man ls`, "LESSEDIT='" + harm + "' less a", "NPM_CONFIG_EDITOR='" + harm + "' npm edit x",
		"X='" + harm + "' git --config-env=core.pager=X log", "X='" + harm + "' git --config-env core.pager=X log", "git -c core.alternateRefsCommand='" + harm + "' fetch",
		"git -c gpg.ssh.defaultKeyCommand='" + harm + "' commit -S", "git -c submodule.x.update='!" + harm + "' submodule update", "git -c imap.tunnel='" + harm + "' imap-send",
		"git -c difftool.x.path=/tmp/x difftool", "git -c sendemail.smtpserver=/tmp/x send-email a", "git -c init.templateDir=/tmp/x init y", "git -c remote.origin.vcs=x fetch",
		"GIT_EDITOR=./edit.sh git commit", "CARGO_BUILD_RUSTC_WRAPPER=./wrap cargo build",
	} {
		assert.NotEqual(t, Allow, Read(line, Options{Dir: "/r", Root: "/r", Home: "/home/u"}).Verdict.Verdict, line)
	}
	for _, line := range []string{
		"AWS_PAGER= aws s3 ls", "GH_PAGER=cat gh pr list", "EDITOR='code --wait' git commit", "CC=clang make -j4", `CC="ccache gcc" make`, "CC=/opt/llvm/bin/clang make", "make CC=./cc PREFIX=/usr/local",
		"CARGO_TARGET_X_RUNNER='qemu-arm -L /usr' cargo test", "TEST_RUNNER=jest npm test", "RUSTC_WRAPPER=sccache cargo build", "MAKEFLAGS=-j4 make test", "TAR_OPTIONS=--no-same-owner tar tf a.tar",
		"USE_SSH=1 ./run", "git -c submodule.recurse=false submodule update", "git -c color.ui=never -c core.quotepath=off status", "git -c sendemail.smtpserver=mail.example.com send-email a",
		"GIT_TRACE=1 git fetch",
	} {
		assert.Equal(t, Allow, Read(line, Options{Dir: "/r", Root: "/r", Home: "/home/u"}).Verdict.Verdict, line)
	}
	reading := Read("GIT_TRACE=/r/README.md git status", Options{Dir: "/r", Root: "/r", Home: "/home/u"})
	assert.Len(t, reading.Files, 1)
}
