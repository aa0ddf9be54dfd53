package hack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writers are the files that write or move files, and what. Spec files are written by
// controller/store/filestore alone, for controller/mutate; the rows with "specs" say so. A new
// row is not for a spec file: use controller/mutate, or the queue in a hook.
var writers = map[string]string{
	"cmd/idumb/apply.go":                          "copies for the diff program",
	"cmd/internal/agents/codextrust.go":           "the configuration of a probe",
	"cmd/internal/agents/disk.go":                 "settings of hosts",
	"cmd/internal/agents/install.go":              "a copy of a host's file that is renewed",
	"cmd/internal/agents/record.go":               "what was installed",
	"cmd/internal/agents/selftest.go":             "a probe's repository",
	"cmd/internal/controllerprocess/start.go":     "the controller's log",
	"cmd/internal/dash/lastseen.go":               "when the dashboard was looked at",
	"cmd/internal/demo/stage.go":                  "the demo's repository",
	"cmd/idumb/editorfile.go":                     "a copy for the editor",
	"cmd/internal/importer/files.go":              "specs of an import of many files, under the write lock",
	"cmd/internal/onboarding/record.go":           "what onboarding made",
	"cmd/internal/upgrades/exclude.go":            ".git/info/exclude",
	"cmd/internal/upgrades/mems.go":               "removes specs that an earlier controller derived, if unchanged",
	"cmd/internal/upgrades/upgrades.go":           "ignore files of local folders",
	"cmd/internal/scaffold/write.go":              "specs and settings of a new .idumb, if missing; schemas and texts",
	"controller/hooks/autostart.go":               "opens the null device",
	"controller/hooks/decisions.go":               "notes of a session",
	"controller/hooks/export.go":                  "exports of sessions",
	"controller/hooks/statefiles.go":              "records and notes of sessions",
	"controller/hooks/todos.go":                   "to-do lists and records of sessions",
	"controller/hooks/speccache.go":               "the ledger of plans and tasks",
	"controller/hooks/opencodecompact.go":         "notes of a session",
	"controller/inventory/cache.go":               "facts of source files",
	"cmd/internal/controllerprocess/teller.go":    "facts of source files",
	"controller/leases/leases.go":                 "leases",
	"controller/leases/team.go":                   "what the team told of leases",
	"controller/lifecycle/lease/lease.go":         "the controller's lock",
	"controller/lifecycle/lifecycle.go":           "starts of the controller",
	"controller/mutate/apply.go":                  "a copy for the editor's error message",
	"controller/mutate/queue/drain.go":            "files of the queue",
	"controller/headlessagent/settings.go":        "the user's settings for research",
	"controller/serve/kube/access.go":             "the key of the Kubernetes API",
	"controller/serve/kube/server.go":             "the port of the Kubernetes API",
	"controller/serve/page/site.go":               "the file that opens the page",
	"controller/store/filestore/archive.go":       "specs",
	"controller/store/filestore/beside.go":        "statuses and logs",
	"controller/store/filestore/lock.go":          "the write lock",
	"controller/store/filestore/put.go":           "specs",
	"controller/store/filestore/remove.go":        "specs",
	"controller/store/filestore/sweep.go":         "specs that a killed writer took away",
	"controller/store/githistory/githistory.go":   "days of commits",
	"controller/store/layout/folder.go":           "ignore files of local folders",
	"controller/store/layout/folder_other.go":     "the calls themselves",
	"controller/store/layout/written.go":          "the log of writes",
	"controller/store/layout/scratch.go":          "local files",
	"controller/store/layout/write.go":            "the calls themselves",
	"controller/store/replace/link_other.go":      "the calls themselves",
	"controller/store/replace/replace.go":         "the calls themselves",
	"controller/sync/engine/gitengine/state.go":   "the commit that was seen last",
	"controller/sync/etcd.go":                     "the name of this clone",
	"controller/sync/leavegit.go":                 ".idumb/.gitignore",
	"controller/sync/exchange/base.go":            "bases of merges",
	"controller/sync/exchange/write.go":           "settings of sync",
	"controller/sync/settings.go":                 "settings of sync",
	"controller/trust/trust.go":                   "what the user trusts",
	"controller/hooks/callers/agents.go":          "which process an agent is",
	"controller/hooks/callers/callers.go":         "who calls a command",
	"controller/hooks/grants/grants.go":           "grants for one call",
	"controller/hooks/researched.go":              "notes of a session",
	"controller/serve/kube/applied.go":            "what kubectl applied last",
	"controller/store/filestore/putall.go":        "specs",
	"controller/store/layout/project.go":          "the controller's log",
	"controller/store/replace/exchange_darwin.go": "the calls themselves",
	"controller/store/replace/exchange_linux.go":  "the calls themselves",
	"controller/sync/lease.go":                    "notes of sync",
	"controller/sync/notes.go":                    "notes of sync",
	"controller/sync/subscribe.go":                "what this clone follows",
	"controller/trust/system_unix.go":             "opens a file for reading",
	"reconcilers/derived.go":                      "derived mems, and which there are",
	"reconcilers/exports.go":                      "which exports were read",
}

// writing are the functions, and methods of any type, that write or move a file.
var writing = map[string]bool{
	"WriteFile": true, "Rename": true, "Create": true, "CreateTemp": true, "OpenFile": true, "Link": true, // of package os
	"Replace": true, "ReplaceDurably": true, "ReplaceWhole": true, "Write": true, // of package layout
	"Swap": true, "SwapBack": true, "File": true, "FileBelow": true, "Derived": true, "RemoveBelow": true, // of package replace
	"Renameat2": true, "Linkat": true, "RenamexNp": true,
}

// A spec has one writer: what is written elsewhere skips the lock, the comparison and the rules.
func TestSpecsHaveOneWriter(t *testing.T) {
	found := map[string]bool{}
	for _, top := range []string{"cmd", "controller", "packer", "reconcilers", "resources", "watch"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", top), func(file string, entry fs.DirEntry, err error) error {
			name := filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name == "cmd/idumb-sync":
				return fs.SkipDir // a module of its own, which knows no repository
			case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if calls := writes(parsed); len(calls) > 0 {
				found[name] = true
				if writers[name] == "" {
					t.Errorf("%s writes a file (%s): specs are written through controller/mutate; list it if it is none", name, strings.Join(calls, ", "))
				}
			}
			return nil
		}))
	}
	for name := range writers {
		if !found[name] {
			t.Errorf("%s writes no file; take it out of the list", name)
		}
	}
}

// writes are the calls of a file that write or move a file.
func writes(file *ast.File) (calls []string) {
	packages := map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = imported
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selected, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !writing[selected.Sel.Name] {
			return true
		}
		from := ""
		if ident, ok := selected.X.(*ast.Ident); ok {
			from = packages[ident.Name]
		}
		if writesFile(from, selected.Sel.Name, len(call.Args)) {
			calls = append(calls, selected.Sel.Name)
		}
		return true
	})
	return calls
}

// writesFile reports whether a call of that name writes a file; from is "" for a method.
func writesFile(from, name string, args int) bool {
	const module = "github.com/idumb-dev/idumb/controller/"
	switch from {
	case "os":
		return name != "Link" || args == 2
	case "golang.org/x/sys/unix", module + "store/replace", module + "sync/exchange":
		return true
	case "":
	default:
		return false // strings.Replace and the like
	}
	switch name {
	case "Replace": // of a Root or an OpenDir
		return args == 2
	case "ReplaceDurably", "ReplaceWhole", "Write":
		return args == 3
	case "Rename":
		return args == 3
	}
	return false
}
