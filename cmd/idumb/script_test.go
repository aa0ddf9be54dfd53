package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/idumb-dev/idumb/cmd/internal/controllerprocess"
)

func TestMain(m *testing.M) {
	testscript.Main(m, programs())
}

// controller is idumb-controller, which idumb up and idumb controller start run.
func controller() { os.Exit(controllerprocess.Main(os.Args[1:], os.Stdout, os.Stderr)) }

// TestScripts runs the shell sessions of testdata/script, each in a git
// repository of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			elsewhere, err := os.MkdirTemp("", "idumb-script-")
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(elsewhere) })
			e.Setenv("ELSEWHERE", elsewhere) // a folder outside the repository
			e.Setenv("LANG", "C.UTF-8")
			e.Setenv("LC_ALL", "")
			e.Setenv("IDUMB_ENFORCE", "")
			e.Setenv("IDUMB_AUTOSTART", "off")      // none that nobody ends
			e.Setenv("IDUMB_TRUST", e.Cd)           // files of scripts are the person's own
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each command waits a second under -race
			return os.Mkdir(e.Cd+"/.git", 0o755)    // the root of a repository; git itself is not needed
		},
		Cmds:               map[string]func(*testscript.TestScript, bool, []string){"printed": printed},
		RequireUniqueNames: true,
	})
}
