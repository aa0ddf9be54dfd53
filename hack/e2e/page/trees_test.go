package page_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// trees makes sure that Now says what goes on in the repository's other worktrees.
func trees(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), nil)
	s.run("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "add", "-A")
	s.run("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "begin")
	side := &shop{t: t, dir: filepath.Join(filepath.Dir(s.dir), "side"), bin: s.bin, env: s.env}
	s.run("git", "worktree", "add", "-q", side.dir)
	p := d.open(t, s, wide)
	if !eval[bool](p, `document.querySelector("#trees").hidden`) {
		t.Error("a worktree without a controller is shown")
	}
	side.write("sessions/open-c2", session("opencode", "open-c2", "card-form", 0, map[string]any{"state": "waiting", "waitsFor": "permission", "since": ago(0), "asks": "npm publish"}))
	side.idumb("controller", "start")
	t.Cleanup(func() { side.idumb("controller", "stop") })
	s.rename("Something happens") // and Now is asked for again
	p.wait("the other worktree is shown", `!document.querySelector("#trees").hidden && document.querySelector("#tree-list .note")`)
	if text := p.text("#tree-list"); !strings.Contains(text, "side") || !strings.Contains(text, "open-c2") {
		t.Errorf("of the other worktree it says: %s", text)
	}
	eval[bool](p, axe(t)+"; true")
	p.audit(t, "with another worktree")
	p.quiet()
}
