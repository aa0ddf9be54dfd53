package page_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// axeVersion is the version of axe-core.
const axeVersion = "4.14.1"

// axe returns the text of axe-core, which npm installs once, into the folder that IDUMB_E2E_CACHE names
// (default: idumb-e2e in the user's cache).
func axe(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("IDUMB_E2E_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		must(t, err)
		cache = filepath.Join(dir, "idumb-e2e")
	}
	folder := filepath.Join(cache, "axe-core-"+axeVersion)
	file := filepath.Join(folder, "node_modules", "axe-core", "axe.min.js")
	text, err := os.ReadFile(file)
	if err == nil {
		return string(text)
	}
	must(t, os.MkdirAll(folder, 0o755))
	npm := exec.Command("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "axe-core@"+axeVersion)
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm install axe-core@%s: %v\n%s", axeVersion, err, out)
	}
	text, err = os.ReadFile(file)
	must(t, err)
	return string(text)
}

// violation is something that axe finds wrong.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

func (v violation) String() string {
	text := v.ID + ": " + v.Help
	for _, n := range v.Nodes[:min(3, len(v.Nodes))] {
		text += "\n  " + n.HTML + "\n    " + strings.ReplaceAll(n.Summary, "\n", "\n    ")
	}
	return text
}

// accessible makes sure that axe finds nothing on any screen, light and dark, wide and narrow, nor in
// what is opened above them.
func accessible(t *testing.T, d *driver) {
	p := d.open(t, d.demo, wide)
	eval[bool](p, axe(t)+"; true")
	runs := 0
	for _, l := range []look{wide, {1400, 900, true}, phone, {390, 844, true}} {
		p.show(l)
		for _, place := range places {
			p.at(place.hash)
			p.audit(t, place.name+" "+l.String())
			runs++
		}
		for _, key := range []string{"?", "/"} {
			p.at("#screen=now")
			p.press(key)
			p.audit(t, "after "+key+" "+l.String())
			p.press(escape)
			runs++
		}
	}
	p.quiet()
	t.Logf("axe-core %s: %d views", axeVersion, runs)
}

// audit has axe judge what is shown.
func (p *tab) audit(t *testing.T, where string) {
	t.Helper()
	var found []violation
	must(t, json.Unmarshal([]byte(eval[string](p, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`)), &found))
	for _, v := range found {
		t.Errorf("%s: %s", where, v)
	}
}
