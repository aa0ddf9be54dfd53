// Package page_test drives the page of "idumb dash --web" in a real browser, against the real
// programs: what it draws, what it lets through, and how fast it is.
//
//	cd hack/e2e/page && go test              # builds the programs first
//	DRIVE_BIN=DIR go test -run TestPage/axe  # one row, with programs that somebody else built
//	go test -run TestPage/pictures -update   # the README's pictures
//
// It needs Chromium, and npm once, for axe-core.
package page_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestPage(t *testing.T) {
	browser := startBrowser(t)
	d := &driver{bin: programs(t), browser: browser}
	d.demo = d.openShop(t, demo(), func(s *shop) {
		remembered(s)
		s.denied("claude-7f")
	})
	d.sleeper = d.fallAsleep(t)
	d.old.link, d.old.made = d.demo.link(), time.Now()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			began := time.Now()
			row.run(t, d)
			t.Logf("%.1f s", time.Since(began).Seconds())
		})
	}
}

// driver is what all rows share.
type driver struct {
	bin     string // the folder of the programs
	browser *browser
	demo    *shop // of the rows that only look
	sleeper sleeper
	old     struct {
		link string // that nobody uses
		made time.Time
	}
}

// rows are what is tried, in this order: the cheap ones first.
var rows = []struct {
	name string
	run  func(*testing.T, *driver)
}{
	{"screens", screens},
	{"again", again},
	{"kept", kept},
	{"gate", gate},
	{"held", held},
	{"filters", filters},
	{"made", made},
	{"session", sessions},
	{"axe", accessible},
	{"colours", colours},
	{"door", door},
	{"hostile", hostile},
	{"keyboard", keyboard},
	{"zoom", zooms},
	{"tabs", tabs},
	{"edits", edits},
	{"large", large},
	{"pictures", pictures},
	{"trees", trees},
	{"gone", gone},
	{"old link", oldLink},
	{"asleep", asleep},
}

// programs returns the folder of the programs: that of DRIVE_BIN, or they are built.
func programs(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("DRIVE_BIN"); dir != "" {
		_, err := os.Stat(filepath.Join(dir, "idumb"))
		must(t, err)
		return dir
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir, "./cmd/...")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build ./cmd/...: %v\n%s", err, out)
	}
	return dir
}

// must ends the row where something that has nothing to do with the page does not work.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
