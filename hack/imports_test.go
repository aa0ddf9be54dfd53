// Package hack_test holds the rules of the house that no compiler checks.
package hack_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/idumb-dev/idumb"

// mayImport says which of our packages each room may import: a package by its name, or, with
// "/...", all below it as well. Imports point one way: a room that is not named here fails the test.
// Which stores there are, only who opens one knows: cmd and hack. All else has them by their interfaces.
var mayImport = []struct {
	room    string // a package, or with "/..." all packages below it as well
	imports []string
}{
	{"resources", nil},
	{"resources/admission/...", []string{"resources", "resources/apierrors", "resources/memory", "resources/status", "resources/project/manifest"}},
	{"resources/apierrors", []string{"resources"}},
	{"resources/scc", nil},
	{"resources/testoutput", nil},
	{"resources/tokens", nil},
	{"resources/graphlayout", []string{"resources", "resources/scc"}},
	{"resources/source/...", []string{"resources"}},
	{"resources/project/...", []string{"resources", "resources/admission/command", "resources/admission/packages", "resources/scc", "resources/source/..."}},
	{"resources/status", []string{"resources", "resources/admission/packages"}},
	{"resources/memory", []string{"resources", "resources/status"}},
	{"resources/graph/...", []string{"resources", "resources/scc", "resources/status", "resources/memory"}},
	{"resources/attention", []string{"resources", "resources/status"}},
	{"resources/selectors", nil},
	{"resources/migrate/...", []string{"resources", "resources/graph", "resources/status"}},
	{"resources/imports/...", []string{"resources", "resources/graph", "resources/migrate", "resources/source"}},
	{"watch", nil},
	{"packer", []string{"resources/...", "packer/search"}},
	{"packer/search", []string{"resources"}},
	{"controller/store", []string{"resources"}},
	{"controller/store/layout", []string{"resources", "controller/store"}},
	{"controller/gitcommand", nil},
	{"controller/store/githistory", []string{"resources/...", "controller/gitcommand", "controller/store", "controller/store/layout"}},
	{"hack/memstore", []string{"resources", "controller/store"}},
	{"hack/memengine", []string{"controller/sync/engine"}},
	{"controller/store/replace", []string{"controller/store", "controller/store/layout"}},
	{"controller/store/filestore", []string{"resources/...", "controller/store", "controller/store/replace", "controller/store/layout", "controller/store/githistory", "watch"}},
	// What knows objects by a store alone, wherever that keeps them.
	{"controller", []string{"resources/...", "controller/store"}},
	{"controller/sync/engine/...", []string{"controller/gitcommand"}},
	{"controller/sync/exchange", []string{"resources", "resources/graph", "resources/status", "controller/store", "controller/sync/engine"}},
	{"controller/mutate/...", []string{"resources/...", "controller/store"}},
	// What is made of files: they are where it meets hooks, other working trees and other programs.
	{"controller/records", []string{"resources", "controller/store", "controller/store/layout"}},
	{"controller/trust", []string{"resources", "resources/admission", "controller/store", "controller/store/layout"}},
	{"controller/process", []string{"resources"}},
	{"controller/adopt", []string{"resources/...", "controller/hooks", "controller/mutate/...", "controller/store/layout"}},
	{"controller/denialdecisions", []string{"resources/...", "controller/records", "controller/hooks", "controller/hooks/grants", "controller/store/layout"}},
	{"controller/leases", []string{"resources", "resources/status", "controller/store", "controller/store/githistory", "controller/store/layout", "controller/process"}},
	{"controller/lifecycle/...", []string{"resources", "controller/store", "controller/store/layout", "controller/process"}},
	{"controller/planvisibility", []string{"resources", "controller/store/githistory", "controller/store/layout", "controller/trust"}},
	{"controller/sync", []string{"resources", "controller/planvisibility", "controller/store/replace", "controller/gitcommand", "controller/store", "controller/store/layout", "controller/store/githistory", "controller/leases", "controller/trust", "controller/sync/exchange", "controller/sync/engine", "controller/sync/engine/gitengine", "controller/sync/engine/progengine"}},
	{"controller/mutate", []string{"controller/mutate/...", "resources/...", "controller/planvisibility", "controller/store", "controller/store/layout", "controller/leases", "controller/sync"}},
	{"controller/mutate/acts", []string{"resources/...", "controller/mutate/..."}},
	{"controller/mutate/queue/...", []string{"resources/...", "controller/store", "controller/store/layout", "controller/mutate/..."}},
	{"controller/headlessagent", []string{"resources/...", "controller/store", "controller/store/layout", "controller/mutate/...", "controller/hooks/hosts"}},
	{"controller/inventory", []string{"resources", "resources/project", "resources/source", "controller/store/layout", "controller/store/githistory"}},
	{"controller/serve", []string{"controller/serve/...", "resources/...", "controller", "controller/hooks", "controller/inventory", "controller/process", "controller/trust", "controller/store/layout"}},
	{"controller/serve/frame", nil},
	{"controller/serve/kube", []string{"resources/...", "controller/hooks/callers", "controller/mutate/...", "controller/records", "controller/serve/...", "controller/store/layout"}},
	{"controller/serve/page", []string{"resources/...", "controller/adopt", "controller/denialdecisions", "controller/hooks/callers", "controller/leases", "controller/mutate/...", "controller/serve", "controller/store", "controller/store/layout"}},
	{"controller/serve/queries/...", []string{"resources/...", "controller/denialdecisions", "controller/planvisibility", "packer/...", "controller", "controller/hooks", "controller/hooks/callers", "controller/hooks/hosts", "controller/inventory", "controller/leases", "controller/mutate/mems", "controller/records", "controller/store", "controller/store/githistory", "controller/store/layout", "controller/sync", "controller/trust", "reconcilers"}},
	{"controller/hooks/...", []string{"resources/...", "controller/planvisibility", "controller/gitcommand", "controller/store", "controller/store/githistory", "controller/store/layout", "controller/leases", "controller/lifecycle", "controller/process", "controller/trust", "controller/mutate/queue/requests"}},
	{"reconcilers", []string{"resources/...", "packer", "controller", "controller/hooks", "controller/hooks/hosts", "controller/leases", "controller/mutate/...", "controller/store", "controller/store/layout", "controller/store/replace", "controller/store/githistory", "controller/trust"}},
	{"cmd/...", []string{"resources/...", "packer/...", "watch", "controller/...", "reconcilers"}},
	{"hack/...", []string{"resources/...", "packer/...", "watch", "controller/...", "reconcilers", "cmd/internal/..."}},
}

// stdlibOnly are the packages that no module but the standard library may
// reach, so that the hook starts fast and objects mean the same everywhere.
var stdlibOnly = []string{"resources", "controller/store"}

// mayLink says which modules each binary may link, however deep.
var mayLink = map[string][]string{
	"cmd/idumb-hook": {},
	"cmd/idumb-controller": {
		"github.com/fsnotify/fsnotify", "github.com/gofrs/flock", "github.com/google/uuid", "golang.org/x/sync", "golang.org/x/sys",
		"sigs.k8s.io/yaml", "go.yaml.in/yaml/v2", // through package mutate, which carries out what is queued
		"gopkg.in/evanphx/json-patch.v4",                    // through package kube, which patches what it is asked to
		"github.com/kljensen/snowball", "golang.org/x/text", // through package search
	},
	"cmd/idumb-mcp": {
		"github.com/fsnotify/fsnotify", "github.com/gofrs/flock", "github.com/google/uuid", "golang.org/x/sync", "golang.org/x/sys",
		"sigs.k8s.io/yaml", "go.yaml.in/yaml/v2", // through the documents that package mutate applies
		"github.com/modelcontextprotocol/go-sdk", "github.com/google/jsonschema-go", "github.com/segmentio/asm", "github.com/segmentio/encoding",
		"github.com/yosida95/uritemplate/v3", "golang.org/x/oauth2", "golang.org/x/time",
		"github.com/kljensen/snowball", "golang.org/x/text", // through package search
	},
	"cmd/idumb": {
		"github.com/fsnotify/fsnotify", "github.com/gofrs/flock", "github.com/google/uuid", "golang.org/x/sync", "golang.org/x/sys",
		"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/inconshreveable/mousetrap", "sigs.k8s.io/yaml", "go.yaml.in/yaml/v2",
		"golang.org/x/term",
		"github.com/tailscale/hujson", "github.com/aymanbagabas/go-udiff", "gopkg.in/evanphx/json-patch.v4",
		"github.com/kljensen/snowball", "golang.org/x/text", // through package search
		"github.com/gdamore/tcell/v3", "github.com/gdamore/encoding", "github.com/lucasb-eyer/go-colorful", // through package dash
		"github.com/clipperhouse/displaywidth", "github.com/clipperhouse/uax29/v2",
	},
}

// goPackage is what we read of go list's answer.
type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Module     *struct{ Path string }
}

func goList(t *testing.T, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Standard,Imports,Module"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	require.NoError(t, err, "go list %v", args)
	var packages []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, p)
	}
}

// ours returns the path below the module, or false for anybody else's package.
func ours(importPath string) (string, bool) {
	return strings.CutPrefix(importPath, module+"/")
}

func within(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

// named reports whether a name of the table means a package.
func named(path, name string) bool {
	room, deep := strings.CutSuffix(name, "/...")
	return path == room || deep && within(path, room)
}

func TestImportsPointOneWay(t *testing.T) {
	packages := goList(t, "./...")
	require.NotEmpty(t, packages)
	for _, p := range packages {
		path, _ := ours(p.ImportPath)
		allowed, known := rulesOf(path)
		if !assert.True(t, known, "%s stands in no room of the table", path) {
			continue
		}
		for _, imported := range p.Imports {
			target, isOurs := ours(imported)
			if isOurs && !slices.ContainsFunc(allowed, func(name string) bool { return named(target, name) }) {
				t.Errorf("%s imports %s, which its row in mayImport does not allow", path, target)
			}
		}
	}
}

// rulesOf returns what the package may import: the most particular row wins, and
// a room with "/..." may always import what stands in itself.
func rulesOf(path string) ([]string, bool) {
	best, allowed, known := -1, []string(nil), false
	for _, row := range mayImport {
		room, deep := strings.CutSuffix(row.room, "/...")
		if named(path, row.room) && (len(room) > best || row.room == path) {
			best, allowed, known = len(room), row.imports, true
			if deep {
				allowed = append(slices.Clone(allowed), row.room)
			}
		}
	}
	return allowed, known
}

func TestBinariesLinkOnlyWhatTheyMay(t *testing.T) {
	for binary, allowed := range mayLink {
		for _, p := range goList(t, "-deps", "./"+binary) {
			if p.Standard || p.Module == nil || p.Module.Path == module {
				continue
			}
			assert.Contains(t, allowed, p.Module.Path, "%s links %s", binary, p.ImportPath)
		}
	}
}

// A call of the hook is over in a millisecond: what reads source belongs to who looks at evidence.
func TestTheHookReadsNoSource(t *testing.T) {
	for _, p := range goList(t, "-deps", "./cmd/idumb-hook") {
		assert.NotContains(t, []string{"go/ast", "go/parser", "go/scanner", module + "/resources/source"}, p.ImportPath)
	}
}

func TestCoreNeedsOnlyTheStandardLibrary(t *testing.T) {
	for _, room := range stdlibOnly {
		for _, p := range goList(t, "-deps", "./"+room) {
			if _, isOurs := ours(p.ImportPath); !isOurs {
				assert.True(t, p.Standard, "%s reaches %s", room, p.ImportPath)
			}
		}
	}
}
