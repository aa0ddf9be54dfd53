package scaffold

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/resources"
)

func entries(t *testing.T) []Entry {
	t.Helper()
	list, err := Entries(FullRoles)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Whatever init writes must pass the same rules as what people write, in the form
// in which commands write it, so that the first command leaves it alone.
func TestObjectsAreCanonical(t *testing.T) {
	found := 0
	for _, e := range entries(t) {
		name, isJSON := strings.CutSuffix(e.Path, ".json")
		if !isJSON || strings.HasPrefix(name, "schemas/") {
			continue
		}
		kind, name, nested := strings.Cut(name, "/")
		if !nested {
			name = kind
		}
		found++
		o, _, err := resources.Read(resources.Key{Kind: kind, Name: name}, e.Data)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if data, err := resources.Encode(o); err != nil || string(data) != string(e.Data) {
			t.Errorf("%s is not as Encode writes it: %v\n%s", e.Path, err, data)
		}
	}
	if found != 40 {
		t.Errorf("found %d objects; want 21 roles, 7 chain rules, 11 triggers and the config", found)
	}
}

func TestSchemasAreJSON(t *testing.T) {
	for _, e := range entries(t) {
		if strings.HasPrefix(e.Path, "schemas/") && !json.Valid(e.Data) {
			t.Errorf("%s is not JSON", e.Path)
		}
	}
}

func TestReadmeNamesEverySetting(t *testing.T) {
	for _, e := range entries(t) {
		if e.Path != "README.md" {
			continue
		}
		for _, setting := range []string{"`mode`", "`defaultRole`", "`language.communication`", "`controller.poll`"} {
			if !strings.Contains(string(e.Data), setting) {
				t.Errorf("the README does not name %s", setting)
			}
		}
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".idumb")
	list := []Entry{dirEntry("run"), {Path: "README.md", Mode: 0o644, Data: []byte("ours"), Generated: true}, {Path: "config.json", Mode: 0o644, Data: []byte("{}")}}
	want := func(o Options, outcomes ...string) {
		t.Helper()
		done, err := Write(dir, list, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, outcome := range outcomes {
			if done[i].Result != outcome {
				t.Errorf("%s: %s; want %s", done[i].Path, done[i].Result, outcome)
			}
		}
	}
	want(Options{DryRun: true}, Created, Created, Created)
	if _, err := os.Stat(dir); err == nil {
		t.Fatal("a dry run made the folder")
	}
	want(Options{}, Created, Created, Created)
	want(Options{}, Unchanged, Unchanged, Unchanged)
	for _, name := range []string{"README.md", "config.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want(Options{}, Unchanged, Differs, Differs)
	want(Options{Renew: true, Copy: true}, Unchanged, Renewed, Differs)
	if old, err := os.ReadFile(filepath.Join(dir, "README.md.old")); string(old) != "mine" {
		t.Errorf("the copy of what was renewed holds %q, %v", old, err)
	}
}

// A file that nobody changed since an earlier version wrote it leaves no copy.
func TestReplacedFileLeavesNoCopy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".idumb")
	list := []Entry{{Path: "a.json", Mode: 0o644, Data: []byte("new"), Replaces: []byte("old")}}
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "a.json"), []byte("old"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if done, err := Write(dir, list, Options{Copy: true}); err != nil || done[0].Result != Renewed {
		t.Errorf("%v, %v; want %s", done, err, Renewed)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v; want a.json alone", files, err)
	}
}

// Whoever renews a .gitignore leaves in it what a person wrote there.
func TestWriteAddsToIgnoreFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".idumb")
	list := []Entry{{Path: ".gitignore", Mode: 0o644, Data: []byte("# ours\nrun/\nstatus/\n"), Generated: true}}
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("mine\nrun/"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{Renewed, Unchanged} {
		if done, err := Write(dir, list, Options{Renew: true}); err != nil || done[0].Result != want {
			t.Errorf("%v, %v; want %s", done, err, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".gitignore")); string(text) != "mine\nrun/\nstatus/\n" {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// A .idumb that is a link would send everything somewhere else.
func TestWriteRefusesLink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".idumb")
	if err := os.Symlink(t.TempDir(), dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, []Entry{dirEntry("run")}, Options{}); err == nil {
		t.Error("got no error")
	}
}

// What a machine records, and what it is going to tell an agent, is its owner's alone.
func TestLocalFoldersArePrivate(t *testing.T) {
	want := map[string]bool{"run": true, "status": true, "sessions": true, "checkpoints": true, "events": true, "context": true, "quarantine": true, "derived": true}
	found := 0
	for _, e := range entries(t) {
		private := e.Mode.IsDir() && e.Mode.Perm() == 0o700
		if private {
			found++
		}
		if private != want[e.Path] {
			t.Errorf("%s: private is %v, want %v", e.Path, private, want[e.Path])
		}
	}
	if found != len(want) {
		t.Errorf("found %d private folders; want %d", found, len(want))
	}
}
